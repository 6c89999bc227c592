import type { Clock } from '../protocol/index.ts';

/** Timers of JavaScript hold no more milliseconds; a longer one is set again. */
const LONGEST = 2_147_483_647;

/** Timers by name, each at most once, on a wall clock. */
export class Timers<Name extends string> {
  private readonly stops = new Map<Name, () => void>();

  constructor(private readonly clock: Clock) {}

  /** In place of an earlier one of that name. */
  start(name: Name, ms: number, run: () => void): void {
    this.stop(name);
    const first = Math.min(ms, LONGEST);
    const due = () => {
      this.stops.delete(name);
      if (ms > first) this.start(name, ms - first, run);
      else run();
    };
    this.stops.set(name, this.clock.schedule(due, first));
  }

  has(name: Name): boolean {
    return this.stops.has(name);
  }

  stop(name: Name): void {
    this.stops.get(name)?.();
    this.stops.delete(name);
  }

  stopAll(): void {
    for (const stop of this.stops.values()) stop();
    this.stops.clear();
  }
}
