import { CLOSE_CODES, type JsonObject, LIMITS, type SessionInit, type WireError } from '../protocol/index.ts';
import type { Channel, ChannelEnd } from '../transport/index.ts';
import { readBridgeMessage } from './envelope.ts';
import { ConnectError, unauthorized } from './errors.ts';

export interface AwaitOptions {
  signal: AbortSignal | undefined;
  waitMs: number | undefined;
  /** What the channel is closed with when no session comes. `normal` ends one that opens meanwhile, another leaves it to be resumed (AICC C4). */
  closeCode: number;
}

/**
 * Waits for `session_init`.
 * @param take gets it at once; sets the channel's listeners anew
 * @throws {ConnectError} by rejecting; the signal's reason when it aborts. The channel is closed then.
 */
export function awaitSession<T>(
  channel: Channel,
  line: { connect: JsonObject } | undefined,
  { signal, waitMs = 0, closeCode }: AwaitOptions,
  take: (init: SessionInit) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      stop();
      channel.onMessage(() => {});
      channel.onClose(() => {});
      channel.close(closeCode, 'no session');
      reject(error);
    };
    const onAbort = () => fail(signal?.reason);
    // AICC B3: a bridge gives up by itself then; this is for what answers nothing at all. A second more, to hear why.
    const patience = waitMs + LIMITS.openDeadlineMs + 1_000;
    const timer = setTimeout(() => fail(unreachable(`no session within ${patience} ms`)), patience);
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);

    channel.onFault((fault) => fail(unreachable(`the other end sent something unreadable: ${fault.message}`)));
    channel.onClose((end) => fail(ended(end)));
    // Last, because what has come already is handed over at once, and an open session sets listeners of its own.
    channel.onMessage((text) => {
      const message = readBridgeMessage(text);
      if (message instanceof Error) fail(unreachable(message.message));
      else if (message.type === 'error') fail(refused(message.error));
      else if (message.type === 'session_init') {
        stop();
        resolve(take(message satisfies SessionInit));
      }
    });
    if (line !== undefined) channel.send(JSON.stringify(line));
  });
}

export function unreachable(message: string, options?: ErrorOptions): ConnectError {
  return new ConnectError({ code: 'unreachable', message, retryable: true }, options);
}

function refused(error: WireError): ConnectError {
  return error.message === 'unauthorized' ? unauthorized() : new ConnectError(error);
}

function ended({ code, reason }: ChannelEnd): ConnectError {
  return code === CLOSE_CODES.unauthorized
    ? unauthorized()
    : unreachable(`the connection ended before a session was open (${code}${reason && `, ${reason}`})`);
}
