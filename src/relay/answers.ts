import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Sent with everything: pages of ours load and run nothing but the relay's own files, and are shown in no other site. Phaser needs `data:` and `blob:` images. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

type Headers = { [name: string]: string };

/** Answers a request with one sentence, or with JSON. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string | object,
  headers: Headers = {},
): void {
  const isText = typeof body === 'string';
  const text = isText ? `${body}\n` : JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': isText ? 'text/plain;charset=utf-8' : 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Answers on a bare socket, in place of an upgrade or of any answer, and closes it. */
export function answerSocket(socket: Duplex, status: number, body: string, headers: Headers = {}): void {
  const lines = Object.entries({
    'Content-Type': 'text/plain;charset=utf-8',
    'Content-Length': Buffer.byteLength(`${body}\n`),
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}\n`);
}
