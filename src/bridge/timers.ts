import type { Clock } from '../protocol/index.ts';

/** Timers by name, each at most once, on a wall clock. */
export class Timers<Name extends string> {
  readonly #clock: Clock;
  readonly #stops = new Map<Name, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** In place of an earlier one of that name. */
  start(name: Name, ms: number, run: () => void): void {
    this.stop(name);
    const due = () => {
      this.#stops.delete(name);
      run();
    };
    this.#stops.set(name, this.#clock.schedule(due, ms));
  }

  has(name: Name): boolean {
    return this.#stops.has(name);
  }

  stop(name: Name): void {
    this.#stops.get(name)?.();
    this.#stops.delete(name);
  }

  stopAll(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }
}
