import type { Clock } from '../base/clock.ts';
import { LIMITS } from '../protocol/index.ts';
import { Timer } from './timer.ts';

const BYTES_PER_MS = LIMITS.backlogBytes / LIMITS.backlogMs;

/**
 * Paces what waited for a connection or is repeated on it (AICC C5, F4): the news that a connection takes no more is on its way for a while, and
 * whatever leaves meanwhile piles up before its peer.
 */
export class Portions {
  readonly #clock: Clock;
  readonly #next: Timer;
  /** Bytes that count against the portion at `#at`; time takes them away. */
  #bytes = 0;
  #at = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#next = new Timer(clock);
  }

  /** Whether more may leave now. */
  get hasRoom(): boolean {
    this.#settle();
    return this.#bytes < LIMITS.backlogBytes;
  }

  took(bytes: number): void {
    this.#settle();
    this.#bytes += bytes;
  }

  /** Calls `run` when half a portion has room; not sooner, so that small messages do not cost a timer each. */
  whenRoom(run: () => void): void {
    if (!this.#next.running) this.#next.start(run, Math.max(1, (this.#bytes - LIMITS.backlogBytes / 2) / BYTES_PER_MS));
  }

  stop(): void {
    this.#next.stop();
  }

  #settle(): void {
    const now = this.#clock.wallNow();
    this.#bytes = Math.max(0, this.#bytes - (now - this.#at) * BYTES_PER_MS);
    this.#at = now;
  }
}
