/** Counts what happened within the last `windowMs`; used for every "so many a minute" of AICC. */
export class SlidingWindow {
  private times: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
  ) {}

  /** Counts one at `now` and answers 0, or counts nothing and answers how many milliseconds until there is room again (at least 1). */
  take(now: number): number {
    const oldest = this.waitMs(now);
    if (oldest > 0) return oldest;
    this.times.push(now);
    return 0;
  }

  private waitMs(now: number): number {
    while (this.times[0] !== undefined && this.times[0] <= now - this.windowMs) this.times.shift();
    const first = this.times[0];
    return this.times.length < this.limit || first === undefined ? 0 : Math.max(1, Math.ceil(first + this.windowMs - now));
  }
}
