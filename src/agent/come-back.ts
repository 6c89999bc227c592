import { CLOSE_CODES, LIMITS, type SessionInit } from '../protocol/index.ts';
import { type Backoff, backoffMs, type Channel, type ChannelEnd } from '../transport/index.ts';
import { awaitSession, unreachable } from './await-session.ts';
import { ConnectError } from './errors.ts';

/** Makes another connection to the same place. A token goes into the line where the transport has no better place for it. */
export interface Dial {
  (signal: AbortSignal): Promise<Channel>;
  lineToken?: string | undefined;
}

const RETRY: Backoff = { firstMs: 100, mostMs: 5_000 };

/** A little longer than a session waits for its agent (AICC C4). */
const GIVE_UP_MS = LIMITS.detachedMs + LIMITS.openDeadlineMs;

/** Who ends with these means it: in order, off the protocol, replaced, no token (AICC C5). All others mean: come back. */
const FINAL_CODES: readonly number[] = [
  CLOSE_CODES.normal,
  CLOSE_CODES.protocolError,
  CLOSE_CODES.unsupportedData,
  CLOSE_CODES.notUtf8,
  CLOSE_CODES.policyViolation,
  CLOSE_CODES.tooLarge,
  CLOSE_CODES.extensionMissing,
  CLOSE_CODES.replaced,
  CLOSE_CODES.unauthorized,
];

/** Whether a session may be taken up again after its connection ended so. */
export const isFinal = ({ code }: ChannelEnd): boolean => FINAL_CODES.includes(code);

/**
 * Connects until the session is there again (AICC C5, C6).
 * @param resume what to ask for, asked anew before each try
 * @param take gets the channel and the new `session_init` at once, before anything that follows it
 * @throws {ConnectError} by rejecting: it will not come back; the signal's reason when it aborts
 */
export type ComeBack = (
  resume: () => { resume: string; last_seq: number },
  take: (channel: Channel, init: SessionInit) => void,
  signal: AbortSignal,
) => Promise<void>;

/** The way back over connections that `dial` makes. */
export function comeBackBy(dial: Dial): ComeBack {
  return async (resume, take, signal) => {
    const giveUpAt = Date.now() + GIVE_UP_MS;
    for (let failures = 0; ; failures++) {
      await pause(backoffMs(RETRY, failures), signal);
      try {
        const channel = await inTime(dial, signal);
        // Where the game has not come back yet, the relay waits for it.
        const line = {
          connect: { ...resume(), wait_ms: LIMITS.openDeadlineMs, ...(dial.lineToken !== undefined && { token: dial.lineToken }) },
        };
        const options = { signal, waitMs: LIMITS.openDeadlineMs, closeCode: CLOSE_CODES.unclean };
        return await awaitSession(channel, line, options, (init) => take(channel, init));
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ConnectError && error.retryable)) throw error;
        if (Date.now() >= giveUpAt) throw unreachable(`gave up after ${GIVE_UP_MS / 1000} s: ${error.message}`, { cause: error });
      }
    }
  };
}

/** Dials, but not for ever. */
async function inTime(dial: Dial, signal: AbortSignal): Promise<Channel> {
  const attempt = new AbortController();
  const onAbort = () => attempt.abort(signal.reason);
  signal.addEventListener('abort', onAbort);
  const late = () => attempt.abort(unreachable(`no connection within ${LIMITS.openDeadlineMs} ms`));
  const timer = setTimeout(late, LIMITS.openDeadlineMs);
  try {
    return await dial(attempt.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
}
