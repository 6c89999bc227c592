import type { Clock } from '../base/clock.ts';
import { Timer } from './timer.ts';

/** A timer that stands still while a character's world is paused (AICC D12, D18). */
export class PausableTimer {
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #longestPauseMs: number | undefined;
  #paused: boolean;
  #run: (() => void) | undefined;
  #remainingMs = 0;
  #startedAt = 0;

  /** @param longestPauseMs wall time of one pause after which it runs all the same; left out: a pause may last for ever */
  constructor(clock: Clock, paused: boolean, longestPauseMs?: number) {
    this.#clock = clock;
    this.#timer = new Timer(clock);
    this.#paused = paused;
    this.#longestPauseMs = longestPauseMs;
  }

  /** Milliseconds of unpaused wall time that are left. */
  get remainingMs(): number {
    if (this.#run === undefined || this.#paused) return this.#remainingMs;
    return Math.max(0, this.#remainingMs - (this.#clock.wallNow() - this.#startedAt));
  }

  /** In place of what was to come. */
  start(run: () => void, ms: number): void {
    this.#run = run;
    this.#remainingMs = ms;
    this.#schedule();
  }

  setPaused(paused: boolean): void {
    if (this.#paused === paused) return;
    this.#remainingMs = this.remainingMs;
    this.#paused = paused;
    this.#schedule();
  }

  stop(): void {
    this.#remainingMs = this.remainingMs;
    this.#run = undefined;
    this.#timer.stop();
  }

  #schedule(): void {
    this.#timer.stop();
    const run = this.#run;
    if (run === undefined) return;
    this.#startedAt = this.#clock.wallNow();
    const ms = this.#paused ? this.#longestPauseMs : this.#remainingMs;
    if (ms === undefined) return;
    this.#timer.start(() => {
      this.#remainingMs = 0;
      this.#run = undefined;
      run();
    }, ms);
  }
}
