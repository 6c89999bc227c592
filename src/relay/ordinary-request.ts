import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers that ask for another protocol, and `Connection`, which names them. */
const DROPPED = ['upgrade', 'connection', 'http2-settings'];

/** Whether a request asks for the protocol that the relay speaks beside HTTP. */
export const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  (headers.upgrade ?? '').split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket');

/**
 * Serves a request that asks for a protocol which the relay does not speak, such as h2c, as if it did not ask (RFC 9110, 7.8). Node has taken its
 * parser off the socket by now, so the request is put back before what follows it and the socket handed over anew; the connection ends with the answer.
 */
export function serveOrdinarily(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { httpVersion, method, rawHeaders, url } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (!DROPPED.includes((rawHeaders[index] as string).toLowerCase())) lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  lines.push('Connection: close', '', '');
  socket.pause();
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
  socket.resume();
}
