import type { JsonObject } from '../base/json.ts';
import { CLOSE_CODES, LIMITS, type SessionInit, type WireError } from '../protocol/index.ts';
import type { Channel, ChannelEnd } from '../transport/index.ts';
import { readBridgeMessage } from './envelope.ts';
import { ConnectError, unauthorized, unreachable } from './errors.ts';
import { onAbort } from './on-abort.ts';

export interface AwaitOptions {
  /** Where the channel leads, for people. */
  where: string;
  signal: AbortSignal | undefined;
  waitMs: number | undefined;
  /** Give up after so long, however long there was to wait. Default: `waitMs` and `LIMITS.openDeadlineMs`, and a second more. */
  timeoutMs?: number | undefined;
  /** What the channel is closed with when no session comes. `normal` ends one that opens meanwhile, another leaves it to be resumed (AICC C4). */
  closeCode: number;
}

/** What ends so does not speak AICC, and will not another time. */
const NO_AICC: readonly number[] = [
  CLOSE_CODES.protocolError,
  CLOSE_CODES.unsupportedData,
  CLOSE_CODES.notUtf8,
  CLOSE_CODES.tooLarge,
  CLOSE_CODES.extensionMissing,
];

/**
 * Waits for `session_init`.
 * @param take gets it at once; sets the channel's listeners anew
 * @throws {ConnectError} by rejecting; the signal's reason when it aborts. The channel is closed then.
 */
export function awaitSession<T>(
  channel: Channel,
  line: { connect: JsonObject } | undefined,
  { closeCode, signal, timeoutMs, waitMs = 0, where }: AwaitOptions,
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
    // AICC B3: a bridge gives up by itself then; this is for what answers nothing at all. A second more, to hear why.
    const patience = Math.min(waitMs + LIMITS.openDeadlineMs + 1_000, timeoutMs ?? Number.POSITIVE_INFINITY);
    const late = () => fail(unreachable(`${where} takes the connection but opens no session: none came within ${patience} ms`));
    const timer = setTimeout(late, patience);
    const stopListening = onAbort(signal, () => fail(signal?.reason));
    const stop = () => {
      clearTimeout(timer);
      stopListening();
    };
    if (signal?.aborted) return fail(signal.reason);

    const notAicc = (what: string) => fail(unreachable(`${where} does not speak AICC: ${what}`, { retryable: false }));
    channel.onFault((fault) => notAicc(`it sent something unreadable: ${fault.message}`));
    channel.onClose((end) => fail(ended(where, end)));
    // Last, because what has come already is handed over at once, and an open session sets listeners of its own.
    channel.onMessage((text) => {
      const message = readBridgeMessage(text);
      if (message instanceof Error) notAicc(message.message);
      else if (message.type === 'error') fail(refused(message.error));
      else if (message.type === 'session_init') {
        stop();
        resolve(take(message satisfies SessionInit));
      }
    });
    if (line !== undefined) channel.send(JSON.stringify(line));
  });
}

function refused(error: WireError): ConnectError {
  return error.message === 'unauthorized' ? unauthorized() : new ConnectError(error);
}

function ended(where: string, { code, reason }: ChannelEnd): ConnectError {
  if (code === CLOSE_CODES.unauthorized) return unauthorized();
  const why = `${code}${reason && `, ${reason}`}`;
  return unreachable(`${where} ended the connection before a session was open (${why})`, { retryable: !NO_AICC.includes(code) });
}
