import type { Channel, ChannelEnd } from '../transport/index.ts';
import { webSocketChannel } from '../transport/index.ts';
import type { AnyCatalogue } from './catalogue.ts';
import { checkOpening } from './check-opening.ts';
import { type Dial, dialOnce } from './dial.ts';
import { type DriveOptions, driveBy, type Play } from './drive.ts';
import { unreachable } from './errors.ts';
import { connectLine, dialSession, type OpeningOptions, openSession } from './open-session.ts';
import type { Session } from './session.ts';
import { START_RELAY } from './socket-failure.ts';
import { bearerProtocols, checkUrl, withoutQuery } from './web-socket-address.ts';

/** Where to: a relay's WebSocket, or a channel that leads to one or to a bridge in this page. */
export type ConnectOptions = OpeningOptions & ({ url: string; channel?: never } | { channel: Channel; url?: never });

const CHANNEL = 'the other end of the channel';

/**
 * Opens a session.
 *
 *     const mira = await connect({ url: 'ws://127.0.0.1:4750/agent', character: 'mira' });
 *     await mira.call('say', { text: 'Hello!' });
 *
 * @typeParam C the character's tools, for the compiler: see `Session`
 * @throws {ConnectError} by rejecting: why there is no session; the signal's reason when it aborts
 * @throws {TypeError} by rejecting: options that cannot mean anything
 */
export async function connect<C = AnyCatalogue>(options: ConnectOptions): Promise<Session<C>> {
  checkOpening('connect(options)', options, { url: 'string', channel: 'object' });
  if (options.url === undefined && options.channel === undefined)
    throw new TypeError("connect(options): give the relay's url, like { url: 'wss://relay.example/agent' }, or a channel");
  options.signal?.throwIfAborted();
  if (options.channel !== undefined) return openSession<C>(options.channel, CHANNEL, connectLine(options, options.token), options);
  const { url, opened } = checkUrl(options.url, options);
  const line = opened ? undefined : connectLine(options);
  return dialSession<C>(webSocket(url, options.token), line, options, webSocket(withoutQuery(url), options.token));
}

/**
 * Drives a character for as long as it is to be driven: opens a session, hands it to `play`, and opens another when that one ends without
 * anybody having meant it: the page was reloaded, the game was made anew, the character was away for too long, the relay is gone. Pauses between
 * the tries, up to 5 s.
 *
 *     await drive({ url: 'wss://relay.example/agent', character: 'mira' }, async (mira) => {
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

/**
 * A session on a channel whose other end knows already what is wanted and sends `session_init` by itself, like the one a game's plugin gives
 * its built-in driver.
 * @throws {ConnectError} by rejecting; the signal's reason when it aborts
 */
export function attach(channel: Channel, options: Pick<OpeningOptions, 'signal'> = {}): Promise<Session> {
  return openSession(channel, CHANNEL, undefined, options);
}

function webSocket(url: string, token: string | undefined): Dial {
  const dial = (signal: AbortSignal | undefined, timeoutMs?: number) =>
    dialOnce(url, signal, timeoutMs, ({ connected, failed, waitsFor }) => {
      const socket = new WebSocket(url, bearerProtocols(token));
      waitsFor('answers no WebSocket handshake');
      socket.onopen = () => {
        socket.onopen = socket.onclose = null;
        connected(webSocketChannel(socket));
      };
      // The close event that follows an error settles it; some WebSockets want a listener for both.
      socket.onerror = () => {};
      // A page is not told more than that.
      socket.onclose = () =>
        failed(
          unreachable(
            `nobody answers as AICC at ${url}: does a relay run there, and does the address end in /agent? If none runs, ${START_RELAY}`,
          ),
        );
      return () => socket.close();
    });
  return Object.assign(dial, { where: url });
}
