import { LIMITS } from '../protocol/index.ts';

/** The relay's bounds (AICC H1–H9) and patience, each an option of `startRelay`. Times are milliseconds of wall time. */
export const RELAY_LIMITS = {
  /** Connections of every kind at once; more are refused. */
  connections: 4_096,
  /** H3, H4: agents that have not asked for a session yet; and as many games that have not said hello yet, where a new one takes the oldest one's place. */
  unopened: 64,
  /** Agents that wait for a character. Whoever takes up a session again is not among them. */
  waiting: 1_024,
  /** An agent for which there is no place has so long to take up a session, which needs none. */
  extraMs: 1_000,
  /** New connections a second from one address; loopback is not counted. */
  connectsPerSecond: 20,
  /** Bytes an agent may leave unread before it is closed with 1013. */
  outboundBytes: LIMITS.outboundBytes,
  /** One frame from a game. */
  gameFrameBytes: LIMITS.gameFrameBytes,
  /** Characters of one game, and as many sessions that it brings along. */
  gameEntries: 200_000,
  /** Bytes a game leaves unread at which agents that send more are not read until it has caught up. */
  gameHoldBytes: 1_048_576,
  /** Bytes a game may leave unread before its link is closed with 1013. */
  gameOutboundBytes: 33_554_432,
  /** A game says hello within this time. */
  helloMs: LIMITS.openDeadlineMs,
  /** C6: after a start or a link's loss a session that nobody knows may still come back for so long. */
  graceMs: 10_000,
  /** C9: two unanswered pings drop a WebSocket. A held connection is looked at as often, and dropped when it takes nothing for three looks in a row. */
  pingMs: LIMITS.pingMs,
  /** An HTTP request's headers are there within this time. */
  headersMs: 10_000,
  /** Requests that may wait on one HTTP connection for the answer to the one before. A connection with more is cut. */
  pipelinedRequests: 16,
  /** An HTTP connection on which nothing moves for so long is cut. */
  quietMs: 30_000,
  /** What `close` gives the other ends to hang up by themselves. */
  closeMs: 1_000,
} as const;

/** The relay's bounds by name; `RELAY_LIMITS` has the defaults. */
export type RelayLimits = { [Name in keyof typeof RELAY_LIMITS]: number };
