/** Bounds of what offers may be, by name. Milliseconds, bytes of UTF-8. */
export const CONTRACT_LIMITS = {
  /** T5: one offer, activation or request. */
  messageBytes: 65_536,
  /** The registry of keys. */
  trustBytes: 1_048_576,
  /** T5, T7: how far clocks may differ. */
  skewMs: 300_000,
  /** T8: how far ahead a bearer token may end. */
  tokenMs: 3_600_000,
} as const;
