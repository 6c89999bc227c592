import { type Backoff, backoffMs } from '../base/backoff.ts';
import { type Clock, wallClock } from '../base/clock.ts';
import { CLOSE_CODES, LIMITS, type SessionInit, type WireError } from '../protocol/index.ts';
import type { Channel, ChannelEnd } from '../transport/index.ts';
import { awaitSession } from './await-session.ts';
import type { Dial } from './dial.ts';
import { ConnectError, unreachable } from './errors.ts';
import { pause } from './pause.ts';

const RETRY: Backoff = { firstMs: 100, mostMs: 5_000 };

/** A little longer than a session waits for its agent (AICC C4). */
const GIVE_UP_MS = LIMITS.detachedMs + LIMITS.openDeadlineMs;

/** Who ends with these ends the session too: in order, off the protocol, replaced, no token (AICC C5). All others mean: come back. */
const FINAL_CODES: readonly number[] = [
  CLOSE_CODES.normal,
  CLOSE_CODES.protocolError,
  CLOSE_CODES.unsupportedData,
  CLOSE_CODES.notUtf8,
  CLOSE_CODES.policyViolation,
  CLOSE_CODES.tooLarge,
  CLOSE_CODES.extensionMissing,
  CLOSE_CODES.replaced,
  CLOSE_CODES.overForNow,
  CLOSE_CODES.unauthorized,
];

/** Whether a session may be taken up again after its connection ended so. */
export const isFinal = ({ code }: ChannelEnd): boolean => FINAL_CODES.includes(code);

/** C5: what the closing of a connection without codes means, by the `error` that stood before it; `abnormal` where it may be resumed. */
export function codeOf({ code, retryable }: WireError): number {
  if (retryable) return CLOSE_CODES.abnormal;
  return code === 'session_expired' ? CLOSE_CODES.replaced : CLOSE_CODES.policyViolation;
}

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
export function comeBackBy(dial: Dial, clock: Clock = wallClock): ComeBack {
  return async (resume, take, signal) => {
    const giveUpAt = clock.wallNow() + GIVE_UP_MS;
    for (let failures = 0; ; failures++) {
      await pause(backoffMs(RETRY, failures), signal);
      try {
        const channel = await dial(signal);
        // Where the game has not come back yet, the relay waits for it.
        const line = {
          connect: { ...resume(), wait_ms: LIMITS.openDeadlineMs, ...(dial.lineToken !== undefined && { token: dial.lineToken }) },
        };
        const options = { where: dial.where, signal, waitMs: LIMITS.openDeadlineMs, closeCode: CLOSE_CODES.unclean };
        return await awaitSession(channel, line, options, (init) => take(channel, init));
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ConnectError && error.retryable)) throw error;
        if (clock.wallNow() >= giveUpAt) throw unreachable(`gave up after ${GIVE_UP_MS / 1000} s: ${error.message}`, { cause: error });
      }
    }
  };
}
