import type { Socket } from 'node:net';
import { CLOSE_CODES, LIMITS, NdjsonFramer } from '../protocol/index.ts';
import type { Channel, ChannelEnd } from './channel.ts';
import { corkThisTurn } from './cork.ts';
import { Inbox } from './inbox.ts';

/** After `close` the peer has this long to take the last lines and hang up; then the socket is cut. Milliseconds of wall time. */
const LINGER_MS = 1_000;

/** A8: a request line of HTTP, with any method a page can choose. */
const HTTP_REQUEST = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/\d/;

/** Whether a first line comes from a web page and not from a program that knows this port (A8). */
export const looksLikeHttp = (line: string): boolean => HTTP_REQUEST.test(line);

/** The first byte of a TLS connection: a handshake record. No JSON and no text of a person begins with it. */
const TLS_HANDSHAKE = 0x16;

/** Whether the first bytes of a connection come from a client that wants to speak TLS (A8). */
export const looksLikeTls = (first: Uint8Array): boolean => first[0] === TLS_HANDSHAKE;

/** A channel over a TCP socket: one message a line (A1, A2). A beginning that looks like HTTP or TLS cuts the connection (A8). */
export function tcpChannel(socket: Socket): Channel {
  const inbox = new Inbox();
  const framer = new NdjsonFramer();
  let closing: ChannelEnd | undefined;
  let linger: NodeJS.Timeout | undefined;
  let isFirstChunk = true;
  let isFirst = true;
  let lost = '';
  let onDrain = (): void => {};
  const written = (): void => onDrain();

  socket.setNoDelay(true);
  socket.setKeepAlive(true, LIMITS.pingMs);

  const close = (code: number = CLOSE_CODES.normal, reason = ''): void => {
    if (closing !== undefined) return;
    closing = { code, reason };
    inbox.deafen();
    socket.end();
    // Goes on reading, for nothing: a socket closed over unread bytes resets, and the peer would lose the last lines.
    socket.resume();
    linger = setTimeout(() => socket.destroy(), LINGER_MS);
  };

  /** Silently: the peer must not learn that anything is here. */
  const cut = (reason: string) => {
    closing = { code: CLOSE_CODES.protocolError, reason };
    socket.destroy();
  };

  socket.on('data', (chunk: Uint8Array) => {
    if (closing !== undefined) return;
    if (isFirstChunk && looksLikeTls(chunk)) return cut('TLS');
    isFirstChunk = false;
    for (const item of framer.push(chunk)) {
      if ('fault' in item) {
        inbox.fault(item.fault);
        if (item.fault.fatal) close(item.fault.code, item.fault.message);
      } else if (isFirst && looksLikeHttp(item.line)) {
        cut('HTTP request');
      } else {
        inbox.message(item.line);
      }
      isFirst = false;
      if (closing !== undefined) return;
    }
  });
  socket.on('error', (error) => {
    lost = error.message;
  });
  socket.on('close', () => {
    clearTimeout(linger);
    // First, for who hears of the end may close once more.
    closing ??= { code: CLOSE_CODES.abnormal, reason: lost };
    inbox.end(closing);
  });

  return {
    kind: 'tcp',
    tellsCloseCode: false,
    noticesLoss: false,
    get bufferedBytes() {
      return socket.writableLength;
    },
    send(text) {
      if (closing !== undefined || !socket.writable) return;
      corkThisTurn(socket);
      socket.write(`${text.includes('\n') ? text.replaceAll('\n', ' ') : text}\n`, written);
    },
    close,
    pause() {
      inbox.pause();
      socket.pause();
    },
    resume() {
      inbox.resume();
      if (!inbox.paused) socket.resume();
    },
    ...inbox.listening,
    onDrain(listener) {
      onDrain = listener;
    },
  };
}
