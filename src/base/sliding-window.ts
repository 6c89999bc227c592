/** Counts what happened within the last `windowMs` of wall time: every "so many a minute" and "so many within" of AICC. */
export class SlidingWindow {
  readonly #windowMs: number;
  readonly #times: number[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /**
   * Counts one at `now` and answers 0; or, where `limit` have been counted within the window, counts nothing and answers in how many
   * milliseconds there is room again (at least 1).
   */
  take(limit: number, now: number): number {
    this.#forget(now);
    // The limit may have been lowered since: then several must leave.
    const leaving = this.#times[this.#times.length - limit];
    if (leaving !== undefined) return Math.max(1, Math.ceil(leaving + this.#windowMs - now));
    this.#times.push(now);
    return 0;
  }

  /** Whether nothing has been counted within the window: then it can be thrown away. */
  isIdle(now: number): boolean {
    this.#forget(now);
    return this.#times.length === 0;
  }

  #forget(now: number): void {
    while (this.#times[0] !== undefined && this.#times[0] <= now - this.#windowMs) this.#times.shift();
  }
}
