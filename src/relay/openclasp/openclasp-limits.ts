/** Bounds of the relay's OpenClasp side, by name. Times are milliseconds of wall time. */
export const OPENCLASP_LIMITS = {
  /** Interactions that are remembered at once; more are declined. */
  interactions: 4_096,
  /** Sessions of one interaction whose keys outlive a restart. */
  rememberedSessions: 64,
  /** How long an operator may think about a challenged offer. */
  askMs: 60_000,
  /** How often the registry of keys is looked at for a change. */
  trustPollMs: 1_000,
  /** One request to the platform. */
  fetchMs: 10_000,
  /** A key that the platform publishes, as JSON. */
  keyBytes: 4_096,
  /** Reports of one interaction that may wait; the oldest go first. */
  reports: 1_024,
  /** T16: the first wait after a report that failed, doubled each time up to the last. */
  retryMs: 1_000,
  maxRetryMs: 300_000,
  /** The game ends a session whose time is over by itself; one that is still there after so long is closed. */
  endGraceMs: 2_000,
  /** Sequence numbers set aside on disk at once, so that a restart repeats none. */
  sequenceBlock: 256,
} as const;
