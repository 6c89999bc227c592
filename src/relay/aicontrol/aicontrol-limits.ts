import { LIMITS } from '../../protocol/index.ts';

/** AiControl's bounds and patience. Bytes unless said; milliseconds of wall time unless said. */
export const AICONTROL_LIMITS = {
  /** W4: one line's JSON, without the LF. */
  lineBytes: LIMITS.messageBytes,
  /** W5: nesting of objects and arrays in a request. */
  depth: LIMITS.messageDepth,
  /** W11: commands that wait. */
  queuedCommands: 64,
  /** W10: events that are kept. */
  events: 512,
  /** All kept events together; the oldest go first here too. */
  historyBytes: 16_777_216,
  /** One event; a completion that would be larger goes without its output, so that any event fits into a line. */
  eventBytes: LIMITS.eventBytes,
  /** W10: `limit` of `events`. */
  eventsByDefault: 100,
  eventsAtMost: 500,
  /** Connections at once; more are hung up on. */
  connections: 256,
  /** Bytes that a client leaves unread at which its further requests wait. */
  unsentBytes: 262_144,
  /** W21: the character is given back so long after the last connection. */
  giveBackMs: 30_000,
  /** A character that could not be taken is tried again after this, and whenever games or characters come or go. */
  retryMs: 1_000,
  /** How long an `observe` that has to take the character first waits for it. */
  takeMs: 2_000,
  /** After a command has ended, an `observe` waits at most so many ticks of the world for one that shows it. */
  freshTicks: 2,
  /** What a client gets to read the last answer before its socket is cut. */
  lingerMs: 1_000,
} as const;
