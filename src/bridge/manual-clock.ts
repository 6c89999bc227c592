import type { Clock } from '../base/clock.ts';

/** A wall clock that moves only when told: for tests and for games that are stepped from outside. */
export class ManualClock implements Clock {
  #time = 0;
  #pending: { at: number; run: () => void }[] = [];

  /** Milliseconds since it was made. */
  wallNow(): number {
    return this.#time;
  }

  /** How many timers wait: 0 once everything that used the clock has been closed. */
  get timers(): number {
    return this.#pending.length;
  }

  schedule(run: () => void, ms: number): () => void {
    const timer = { at: this.#time + Math.max(0, ms), run };
    this.#pending.push(timer);
    return () => {
      this.#pending = this.#pending.filter((other) => other !== timer);
    };
  }

  /** Moves on by `ms` and runs what falls due, earliest first, each at its own time. */
  pass(ms: number): void {
    const end = this.#time + ms;
    for (;;) {
      const due = this.#pending.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#pending = this.#pending.filter((other) => other !== due);
      this.#time = due.at;
      due.run();
    }
    this.#time = end;
  }
}
