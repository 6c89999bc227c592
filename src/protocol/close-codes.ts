/**
 * Why a connection ends, by the code that a WebSocket closes with; TCP and memory channels use the same numbers (on TCP an `error` before the
 * end says as much, AICC C5). Up to 1015 they are RFC 6455's and IANA's, from 4000 on our own.
 */
export const CLOSE_CODES = {
  /** In order: the session, if there is one, is over on purpose, by either side (C4, C7). */
  normal: 1000,
  /** The page is left or reloaded, or a server stops: what lived there does not come back (C6). */
  goingAway: 1001,
  /** The other end does not speak the protocol of the connection, such as HTTP on a TCP port (A8). */
  protocolError: 1002,
  /** A binary frame, where every message is text (A1). */
  unsupportedData: 1003,
  /** Never sent: the close frame had no code. */
  noCode: 1005,
  /** Never sent: the connection was lost without a close frame. */
  abnormal: 1006,
  /** A message that is not UTF-8 (A1). */
  notUtf8: 1007,
  /** The rules were broken, once too often or too badly (A3, A4), or no session was opened in time (B3). */
  policyViolation: 1008,
  /** A message over the limit (A2). */
  tooLarge: 1009,
  /** A client misses an extension of WebSocket. */
  extensionMissing: 1010,
  /** The other end failed. */
  internalError: 1011,
  /** The game or the relay is gone for now: come back and resume (C6). */
  serviceRestart: 1012,
  /** Too much at once, or nobody answered: later may be better (F4, H3, H5). */
  tryAgainLater: 1013,
  /** No clean end: a session goes on without its agent and may be resumed (C4). */
  unclean: 4000,
  /** The session was resumed on another connection, or a game's new link took this one's place (C5, C6): do not come back. */
  replaced: 4001,
  /** The session is over, but nobody meant it: its character or its game went away (C7, C8). A new session may drive on. */
  overForNow: 4002,
  /** The token is missing or not valid (B5). */
  unauthorized: 4401,
} as const;

/** Whether a bridge that ends a connection with this code has ended its session too (C7). */
export const isSessionOver = (code: number): boolean => code === CLOSE_CODES.normal || code === CLOSE_CODES.overForNow;
