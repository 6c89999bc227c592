import { wallClock } from '../base/clock.ts';
import { LIMITS } from '../protocol/index.ts';
import type { Channel } from '../transport/index.ts';
import { unreachable } from './errors.ts';
import { onAbort } from './on-abort.ts';

/** Makes a connection. A token goes into the connect line where the transport has no better place for it. */
export interface Dial {
  /** @param timeoutMs default `LIMITS.openDeadlineMs` */
  (signal: AbortSignal | undefined, timeoutMs?: number): Promise<Channel>;
  /** The address, for people. */
  readonly where: string;
  readonly lineToken?: string | undefined;
}

/** One attempt that is under way. */
export interface Dialling {
  connected(channel: Channel): void;
  failed(error: unknown): void;
  /** What the other end has not done yet, for when it never does: "does not …". */
  waitsFor(what: string): void;
}

/**
 * H10: makes one attempt to connect; it ends at the latest after `timeoutMs`, or when the signal aborts.
 * @param begin returns the way to give up
 * @throws {ConnectError} by rejecting; the signal's reason when it aborts
 */
export function dialOnce(
  where: string,
  signal: AbortSignal | undefined,
  timeoutMs: number = LIMITS.openDeadlineMs,
  begin: (dialling: Dialling) => () => void,
): Promise<Channel> {
  return new Promise((resolve, reject) => {
    let missing = 'does not accept the connection';
    let giveUp = () => {};
    const stop = () => {
      stopTimer();
      stopListening();
    };
    const failed = (error: unknown) => {
      stop();
      reject(error);
      giveUp();
    };
    const late = () => failed(unreachable(`${where} ${missing}: nothing came within ${timeoutMs} ms`));
    const stopTimer = wallClock.schedule(late, timeoutMs);
    const stopListening = onAbort(signal, () => failed(signal?.reason));
    if (signal?.aborted) return failed(signal.reason);
    try {
      giveUp = begin({
        connected(channel) {
          stop();
          resolve(channel);
        },
        failed,
        waitsFor(what) {
          missing = what;
        },
      });
    } catch (error) {
      failed(error);
    }
  });
}
