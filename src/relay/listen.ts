import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { RelayError } from './relay-error.ts';

/**
 * Listens, and gives the port (another one when asked for 0).
 * @param option how a person chooses another port
 * @throws RelayError `port_in_use`, `cannot_listen`
 */
export async function listen(server: Server, host: string, port: number, option: string): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw new RelayError('cannot_listen', `Cannot listen on ${host} port ${port}: ${message}`);
    throw new RelayError(
      'port_in_use',
      `Port ${port} on ${host} is already in use: stop the program that has it, or choose another with ${option} (0 for a free one).`,
    );
  }
  return (server.address() as AddressInfo).port;
}
