import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { DEFAULT_HOST, DEFAULT_URLS } from '../protocol/default-addresses.ts';
import { LIMITS } from '../protocol/index.ts';
import type { Channel, ChannelEnd } from '../transport/index.ts';
import { nodeWebSocketChannel, tcpChannel } from '../transport/node.ts';
import type { AnyCatalogue } from './catalogue.ts';
import { checkOpening } from './check-opening.ts';
import { type Dial, dialOnce } from './dial.ts';
import { type DriveOptions, driveBy, type Play } from './drive.ts';
import { unauthorized, unreachable } from './errors.ts';
import { connectLine, dialSession, type OpeningOptions, openSession } from './open-session.ts';
import type { Session } from './session.ts';
import { socketFailure } from './socket-failure.ts';
import { checkUrl, withoutQuery } from './web-socket-address.ts';

/** Where to: a relay's WebSocket (default `ws://127.0.0.1:4750/agent`), its TCP port, or a channel. */
export type ConnectOptions = OpeningOptions & {
  /** The relay's WebSocket address. Default `ws://127.0.0.1:4750/agent`. */
  url?: string;
  /** Of the TCP port; default 127.0.0.1. */
  host?: string;
  /** AICC over TCP: one JSON object a line. */
  port?: number;
  /** A channel that leads to a bridge, in place of an address. */
  channel?: Channel;
};

const PLACES = { url: 'string', host: 'string', port: 'number', channel: 'object' } as const;

/** HTTP refusals that another time may not come: too early, too many, and the like. */
const LATER: readonly number[] = [408, 425, 429];

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
  checkOpening('connect(options)', options, PLACES);
  const { channel, host, port, signal, token, url } = options;
  signal?.throwIfAborted();
  if ([channel, url, port ?? host].filter((way) => way !== undefined).length > 1) {
    throw new TypeError('give one of `url`, `port` (with `host`) and `channel`');
  }
  if (channel !== undefined) return openSession<C>(channel, 'the other end of the channel', connectLine(options, token), options);
  if (port !== undefined) return dialSession<C>(tcp(host ?? DEFAULT_HOST, port, token), connectLine(options, token), options);
  if (host !== undefined) throw new TypeError('`host` needs a `port`');
  const address = checkUrl(url ?? DEFAULT_URLS.agent, options);
  const line = address.opened ? undefined : connectLine(options);
  return dialSession<C>(webSocket(address.url, token), line, options, webSocket(withoutQuery(address.url), token));
}

/**
 * Drives a character for as long as it is to be driven: opens a session, hands it to `play`, and opens another when that one ends without
 * anybody having meant it: the page was reloaded, the game was made anew, the character was away for too long, the relay is gone. Pauses between
 * the tries, up to 5 s.
 *
 *     await drive({ character: 'mira' }, async (mira) => {
 *       await mira.call('say', { text: 'Here I am.' });
 *     });
 *
 * @typeParam C the character's tools, for the compiler: see `Session`
 * @returns how the last session ended, when it was meant: by `close()` of either side, a contract's end, the character's removal, another
 * agent's resume, or `signal`
 * @throws {ConnectError} by rejecting: what trying again cannot mend, such as a wrong token; what `play` throws, unless its session is over or
 * the error is a `CallError` that says `retryable`
 */
export function drive<C = AnyCatalogue>(options: DriveOptions<ConnectOptions>, play: Play<C>): Promise<ChannelEnd> {
  return driveBy<ConnectOptions, C>(connect<C>, options, play);
}

const dialling = (
  where: string,
  dial: (signal: AbortSignal | undefined, timeoutMs?: number) => Promise<Channel>,
  lineToken?: string,
): Dial => Object.assign(dial, { where, lineToken });

function webSocket(url: string, token: string | undefined): Dial {
  return dialling(url, (signal, timeoutMs) =>
    dialOnce(url, signal, timeoutMs, ({ connected, failed, waitsFor }) => {
      const socket = new WebSocket(url, {
        ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
        maxPayload: LIMITS.messageBytes,
        perMessageDeflate: false,
        finishRequest(request) {
          request.once('socket', (under) =>
            under.once('connect', () => waitsFor('accepts the connection, but answers no WebSocket handshake')),
          );
          request.end();
        },
      });
      let under: Duplex | undefined;
      socket.once('upgrade', (response) => {
        under = response.socket;
      });
      // Stays on: terminating a socket that is still connecting emits another error.
      socket.on('error', (error) => failed(unreachable(`cannot connect to ${url}: ${socketFailure(error)}`, { cause: error })));
      socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
        const retryable = statusCode < 400 || statusCode >= 500 || LATER.includes(statusCode);
        failed(statusCode === 401 ? unauthorized() : unreachable(`${url} answers HTTP ${statusCode}, not a WebSocket`, { retryable }));
      });
      socket.once('open', () => {
        socket.removeAllListeners();
        connected(nodeWebSocketChannel(socket, under));
      });
      return () => socket.terminate();
    }),
  );
}

function tcp(host: string, port: number, token: string | undefined): Dial {
  const where = `${host}:${port}`;
  const dial = (signal: AbortSignal | undefined, timeoutMs?: number) =>
    dialOnce(where, signal, timeoutMs, ({ connected, failed }) => {
      const socket = connectTcp({ host, port });
      const onError = (error: Error) => failed(unreachable(`cannot connect to ${where}: ${socketFailure(error)}`, { cause: error }));
      socket.once('error', onError);
      socket.once('connect', () => {
        socket.off('error', onError);
        connected(tcpChannel(socket));
      });
      return () => socket.destroy();
    });
  return dialling(where, dial, token);
}
