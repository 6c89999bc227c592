/** Every limit of the wire, by name. Bytes unless said; milliseconds of wall time unless said. */
export const LIMITS = {
  /** A2: one message's JSON, in bytes of UTF-8, without the LF. */
  messageBytes: 1_048_576,
  /** A2: nesting of objects and arrays in one message. */
  messageDepth: 64,
  /** A3: this many refused messages within `faultWindowMs` close the connection. */
  faults: 20,
  /** A3: the window in which `faults` are counted. */
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
  /** C3: how often the bridge sends a heartbeat. */
  heartbeatMs: 10_000,
  /** C3: the least time between two answers to an agent's heartbeats. */
  heartbeatAnswerMs: 1_000,
  /** C3: the least time between two `manifest_update`s. */
  manifestUpdateMs: 1_000,
  /** B8: spectators of one character at once. */
  spectators: 16,
  /** B7: after how long a detached session gives way to a new opening. */
  givesWayMs: 5_000,
  /** C4: how long a session waits for its agent to come back. */
  detachedMs: 60_000,
  /** C8: how long a character's sessions wait for a new body. */
  rebindMs: 10_000,
  /** C9: how often WebSockets are pinged. */
  pingMs: 15_000,
  /** C3, C9: so many looks in a row that find nothing new from the other end call it dead. A game looks every `pingMs`, an agent every `heartbeatMs`. */
  silentLooks: 3,
  /** Characters of a `call_id`: a result repeats it, and the finished ones are remembered. */
  callIdLength: 1_024,
  /** D1: finished calls that are remembered. */
  rememberedCalls: 1_024,
  /** D7: pending calls of one session. */
  pendingCalls: 1_024,
  /** D7: the bytes of JSON of all pending calls of a session. */
  pendingCallBytes: 8_388_608,
  /** D9: how long a call waits for a person's approval. */
  approvalMs: 60_000,
  /** D10: calls that wait for a busy lane. */
  laneQueue: 8,
  /** D10: how long a call waits in a lane's queue. */
  laneQueueMs: 30_000,
  /** D12: a tool's default timeout, in world time. */
  toolMs: 30_000,
  /** D12: wall time of any call, not counted while its character's world is paused. */
  callWallMs: 120_000,
  /** D12: a call that one pause keeps waiting for longer ends. */
  pausedCallMs: 14_400_000,
  /** E1: ticks caught up at once. */
  catchUpTicks: 5,
  /** F2: an event's payload; leaves room for the envelope within `messageBytes`. */
  eventBytes: 1_000_000,
  /** E2, barrier 'all': how long the world waits for a session that does not act. */
  barrierMs: 10_000,
  /** E4: the outputs of a snapshot's sensors. */
  snapshotBytes: 262_144,
  /** E4: everything in a snapshot but the sensors' outputs. */
  snapshotTextBytes: 262_144,
  /** C5: results kept for a resume. */
  retainedResults: 1_024,
  /** C5: bytes of the results kept for a resume. */
  retainedResultBytes: 8_388_608,
  /** C5: events kept for a resume. */
  retainedEvents: 512,
  /** C5: bytes of the events kept for a resume. */
  retainedEventBytes: 8_388_608,
  /** C5: repeated messages go out in portions of so many bytes, so that `hold` comes in time. */
  backlogBytes: 262_144,
  /** C5: the time between two portions of `backlogBytes`. */
  backlogMs: 100,
  /** F3: unsent events of one attached session. */
  queuedEvents: 256,
  /** Characters of an error's text, of a closing reason and of a character's description: whatever it repeats of a call or of a handler's mistake, it fits into a message. */
  errorText: 4_096,
  /** Game link: one frame. */
  gameFrameBytes: 4_194_304,
  /** F4: bytes that wait for one connection at which its events are held back in the bridge. */
  holdBytes: 262_144,
  /** F4: bytes that wait for one connection at which its events flow again. */
  releaseBytes: 65_536,
  /** F4: what the relay buffers for one connection before it drops it. */
  outboundBytes: 4_194_304,
} as const;
