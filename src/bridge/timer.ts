import type { Clock } from '../base/clock.ts';

/** One thing that happens later, on a wall clock, unless it is stopped or put off before. */
export class Timer {
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get running(): boolean {
    return this.#cancel !== undefined;
  }

  /** In place of what was to come. */
  start(run: () => void, ms: number): void {
    this.stop();
    this.#cancel = this.#clock.schedule(() => {
      this.#cancel = undefined;
      run();
    }, ms);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
