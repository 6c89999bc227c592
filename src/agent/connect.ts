import type { Channel } from '../transport/index.ts';
import { webSocketChannel } from '../transport/index.ts';
import { unreachable } from './await-session.ts';
import type { AnyCatalogue } from './catalogue.ts';
import { comeBackBy } from './come-back.ts';
import { connectLine, type OpeningOptions, openSession } from './open-session.ts';
import type { Session } from './session.ts';
import { bearerProtocols, checkUrl, withoutQuery } from './web-socket-address.ts';

/** Where to: a relay's WebSocket, or a channel that leads to one or to a bridge in this page. */
export type ConnectOptions = OpeningOptions & ({ url: string; channel?: never } | { channel: Channel; url?: never });

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
  options.signal?.throwIfAborted();
  if (options.channel !== undefined) return openSession<C>(options.channel, connectLine(options, options.token), options);
  const { url, opened } = checkUrl(options.url, options);
  const channel = await dial(url, options.token, options.signal);
  const again = comeBackBy((signal) => dial(withoutQuery(url), options.token, signal));
  return openSession<C>(channel, opened ? undefined : connectLine(options), options, again);
}

/**
 * A session on a channel whose other end knows already what is wanted and sends `session_init` by itself, like the one a game's plugin gives
 * its built-in driver.
 * @throws {ConnectError} by rejecting; the signal's reason when it aborts
 */
export function attach(channel: Channel, options: Pick<OpeningOptions, 'signal'> = {}): Promise<Session> {
  return openSession(channel, undefined, options);
}

function dial(url: string, token: string | undefined, signal: AbortSignal | undefined): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, bearerProtocols(token));
    const onAbort = () => {
      socket.close();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort);
    const settle = (run: () => void) => () => {
      signal?.removeEventListener('abort', onAbort);
      socket.onopen = null;
      socket.onclose = null;
      run();
    };
    socket.onopen = settle(() => resolve(webSocketChannel(socket)));
    // The close event that follows an error settles it; some WebSockets want a listener for both.
    socket.onerror = () => {};
    // A page is not told more than that.
    socket.onclose = settle(() => reject(unreachable(`nobody answers as AICC at ${url}`)));
  });
}
