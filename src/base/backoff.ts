/** Milliseconds of wall time before another try, doubled after each failure. */
export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** How long to wait after so many failures: a random half of it is left out, so that a relay's return is no stampede. */
export function backoffMs({ firstMs, mostMs }: Backoff, failures: number): number {
  return Math.min(mostMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2);
}
