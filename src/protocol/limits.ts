/** Every limit of the wire, by name. Bytes unless said; milliseconds of wall time unless said. */
export const LIMITS = {
  /** A2: one message's JSON, in bytes of UTF-8, without the LF. */
  messageBytes: 1_048_576,
  /** A2: nesting of objects and arrays in one message. */
  messageDepth: 64,
  /** A3: this many refused messages within `faultWindowMs` close the connection. */
  faults: 20,
  faultWindowMs: 60_000,
  /** B1: the longest that an opening may wait for a character. */
  maxWaitMs: 60_000,
  /** B3: silence after which the default character is opened. */
  silentOpenMs: 2_000,
  /** B3: a connection without a session is closed after this long. */
  openDeadlineMs: 10_000,
  /** C2: answers to `manifest_request` and `session_resume` a second. */
  manifestRequestsPerSecond: 5,
  /** C5: new connections a second that take over one session. */
  resumesPerSecond: 5,
  /** B2: one character's tools as `session_init` lists them; leaves room for the rest of it within `messageBytes`. */
  catalogueBytes: 1_000_000,
  /** C3 */
  heartbeatMs: 10_000,
  heartbeatAnswerMs: 1_000,
  manifestUpdateMs: 1_000,
  /** C4, B7 */
  givesWayMs: 5_000,
  /** C4 */
  detachedMs: 60_000,
  /** C8 */
  rebindMs: 10_000,
  /** C9 */
  pingMs: 15_000,
  /** C3, C9: so many looks in a row that find nothing new from the other end call it dead. A game looks every `pingMs`, an agent every `heartbeatMs`. */
  silentLooks: 3,
  /** Characters of a `call_id`: a result repeats it, and the finished ones are remembered. */
  callIdLength: 1_024,
  /** D1: finished calls that are remembered, and pending ones allowed (D7). */
  rememberedCalls: 1_024,
  pendingCalls: 1_024,
  /** D7: the bytes of JSON of all pending calls of a session. */
  pendingCallBytes: 8_388_608,
  /** D9 */
  approvalMs: 60_000,
  /** D10 */
  laneQueue: 8,
  laneQueueMs: 30_000,
  /** D12: `toolMs` is world time. */
  toolMs: 30_000,
  /** Wall time of any call, not counted while its character's world is paused. */
  callWallMs: 120_000,
  /** So long a call outlives one pause. */
  pausedCallMs: 14_400_000,
  /** E1: ticks caught up at once. */
  catchUpTicks: 5,
  /** F2: an event's payload; leaves room for the envelope within `messageBytes`. */
  eventBytes: 1_000_000,
  /** E2, barrier 'all': how long the world waits for a session that does not act. */
  barrierMs: 10_000,
  /** E4: what a snapshot's sensors saw, and everything else in it: together well within an event. */
  snapshotBytes: 262_144,
  snapshotTextBytes: 262_144,
  /** C5: kept for a resume. The bytes also bound what waits unsent. */
  retainedResults: 1_024,
  retainedResultBytes: 8_388_608,
  retainedEvents: 512,
  retainedEventBytes: 8_388_608,
  /** C5: what waited or is repeated goes out in portions of so many bytes, one in `backlogMs`, so that `hold` comes in time. */
  backlogBytes: 262_144,
  backlogMs: 100,
  /** F3: unsent events of one attached session. */
  queuedEvents: 256,
  /** Characters of an error's text: whatever it repeats of a call or of a handler's mistake, it fits into a message. */
  errorText: 4_096,
  /** Game link: one frame. */
  gameFrameBytes: 4_194_304,
  /** F4: bytes that wait for one connection at which its events are held back in the bridge, and at which they flow again. */
  holdBytes: 262_144,
  releaseBytes: 65_536,
  /** F4: what the relay buffers for one connection before it drops it. */
  outboundBytes: 4_194_304,
} as const;
