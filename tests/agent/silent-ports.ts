import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';

/** A port that takes every connection and does no more than `answer`, which may be nothing. */
export async function silentPort(answer: (socket: Socket) => void = () => {}): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // Read, so that who hangs up is noticed.
    socket.on('error', () => {}).resume();
    answer(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Takes WebSockets and says nothing on them. */
export async function muteWebSocket(): Promise<number> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers HTTP as far as the headers. */
export const bodiless = (): Promise<number> =>
  silentPort((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n'));
