/** Counts what happened within the last `windowMs` of wall time, up to `limit`. */
export class SlidingWindow {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #times: number[] = [];

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Whether `limit` were counted within the window that ends at `now`. */
  isFull(now: number): boolean {
    while (this.#times.length > 0 && now - (this.#times[0] as number) >= this.#windowMs) this.#times.shift();
    return this.#times.length >= this.#limit;
  }

  count(now: number): void {
    if (this.isFull(now)) this.#times.shift();
    this.#times.push(now);
  }
}
