import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { DEFAULT_HOST, DEFAULT_URLS } from '../protocol/default-addresses.ts';
import { LIMITS } from '../protocol/index.ts';
import type { Channel } from '../transport/index.ts';
import { nodeWebSocketChannel, tcpChannel } from '../transport/node.ts';
import { unreachable } from './await-session.ts';
import type { AnyCatalogue } from './catalogue.ts';
import { comeBackBy } from './come-back.ts';
import { unauthorized } from './errors.ts';
import { connectLine, type OpeningOptions, openSession } from './open-session.ts';
import type { Session } from './session.ts';
import { checkUrl, withoutQuery } from './web-socket-address.ts';

/** Where to: a relay's WebSocket (default `ws://127.0.0.1:4750/agent`), its TCP port, or a channel. */
export type ConnectOptions = OpeningOptions & {
  url?: string;
  /** Of the TCP port; default 127.0.0.1. */
  host?: string;
  /** AICC over TCP: one JSON object a line. */
  port?: number;
  channel?: Channel;
};

/**
 * Opens a session.
 *
 *     const mira = await connect({ character: 'mira' });
 *     await mira.call('say', { text: 'Hello!' });
 *
 * @typeParam C the character's tools, for the compiler: see `Session`
 * @throws {ConnectError} by rejecting: why there is no session; the signal's reason when it aborts
 * @throws {TypeError} by rejecting: options that cannot mean anything
 */
export async function connect<C = AnyCatalogue>(options: ConnectOptions = {}): Promise<Session<C>> {
  const { channel, host, port, signal, token, url } = options;
  signal?.throwIfAborted();
  if ([channel, url, port ?? host].filter((way) => way !== undefined).length > 1) {
    throw new TypeError('give one of `url`, `port` (with `host`) and `channel`');
  }
  if (channel !== undefined) return openSession<C>(channel, connectLine(options, token), options);
  if (port !== undefined) {
    const dial = (signal: AbortSignal | undefined) => dialTcp(host ?? DEFAULT_HOST, port, signal);
    const again = comeBackBy(Object.assign(dial, { lineToken: token }));
    return openSession<C>(await dial(signal), connectLine(options, token), options, again);
  }
  if (host !== undefined) throw new TypeError('`host` needs a `port`');
  const address = checkUrl(url ?? DEFAULT_URLS.agent, options);
  const dialled = await dialWebSocket(address.url, token, signal);
  const again = comeBackBy((signal) => dialWebSocket(withoutQuery(address.url), token, signal));
  return openSession<C>(dialled, address.opened ? undefined : connectLine(options), options, again);
}

function dialWebSocket(url: string, token: string | undefined, signal: AbortSignal | undefined): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      maxPayload: LIMITS.messageBytes,
      perMessageDeflate: false,
    });
    const onAbort = () => fail(signal?.reason);
    const fail = (error: unknown) => {
      signal?.removeEventListener('abort', onAbort);
      reject(error);
      socket.terminate();
    };
    signal?.addEventListener('abort', onAbort);
    let under: Duplex | undefined;
    socket.once('upgrade', (response) => {
      under = response.socket;
    });
    // Stays on: terminating a socket that is still connecting emits another error.
    socket.on('error', (error) => fail(unreachable(`cannot connect to ${url}: ${error.message}`, { cause: error })));
    socket.on('unexpected-response', (_request, response) => {
      fail(response.statusCode === 401 ? unauthorized() : unreachable(`${url} answers HTTP ${response.statusCode}, not a WebSocket`));
    });
    socket.once('open', () => {
      signal?.removeEventListener('abort', onAbort);
      socket.removeAllListeners();
      resolve(nodeWebSocketChannel(socket, under));
    });
  });
}

function dialTcp(host: string, port: number, signal: AbortSignal | undefined): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port });
    const onAbort = () => fail(signal?.reason);
    const onError = (error: Error) => fail(unreachable(`cannot connect to ${host}:${port}: ${error.message}`, { cause: error }));
    const fail = (error: unknown) => {
      signal?.removeEventListener('abort', onAbort);
      reject(error);
      socket.destroy();
    };
    signal?.addEventListener('abort', onAbort);
    socket.once('error', onError);
    socket.once('connect', () => {
      signal?.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      resolve(tcpChannel(socket));
    });
  });
}
