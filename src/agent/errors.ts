import type { ErrorCode, Reason, WireError } from '../protocol/index.ts';

/** Why a call failed: the bridge's error with `meta.reason` of the result (AICC D15). */
export type CallFailure = WireError & {
  /** Why, for code to act on; absent where the bridge says nothing narrower than the code. */
  reason?: Reason;
};

/** What caused an error. TypeScript's own `ErrorOptions` is unknown to projects whose `lib` is older than ES2022. */
export interface Caused {
  /** The error or value that led to it. */
  cause?: unknown;
}

/** Why a call has no output. */
export class CallError extends Error {
  /** The class, for logs. */
  override readonly name = 'CallError';
  /** What went wrong. */
  readonly code: ErrorCode;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Why, for code to act on: `preempted`, `unreachable`, … (AICC D15); the code where the bridge says nothing narrower. */
  readonly reason: Reason;
  /** The tool that was called. */
  readonly tool: string;
  /** The call's id on the wire; empty for a call on a session that is over. */
  readonly callId: string;

  /** Made by the session that the call was made on. */
  constructor(error: CallFailure, call: { tool: string; callId: string }, options?: Caused) {
    super(error.message, options);
    this.code = error.code;
    this.retryable = error.retryable;
    this.reason = error.reason ?? error.code;
    this.tool = call.tool;
    this.callId = call.callId;
  }
}

/** Why no session came about. `unreachable`: nobody answered there, or the connection ended first; else the bridge's or relay's own code. */
export class ConnectError extends Error {
  /** The class, for logs. */
  override readonly name = 'ConnectError';
  /** What went wrong. */
  readonly code: ErrorCode | 'unreachable';
  /** Whether connecting again may succeed. */
  readonly retryable: boolean;

  /** Made by `connect`, `attach` and `drive`. */
  constructor(error: { code: ErrorCode | 'unreachable'; message: string; retryable: boolean }, options?: Caused) {
    super(error.message, options);
    this.code = error.code;
    this.retryable = error.retryable;
  }
}

/** AICC B5: nobody there, as far as a stranger may know. */
export function unauthorized(): ConnectError {
  return new ConnectError({ code: 'invalid_input', message: 'unauthorized: the token is missing or not valid here', retryable: false });
}

/** Nobody answered, or the connection ended first. @param retryable whether it may be better another time */
export function unreachable(message: string, { retryable = true, ...options }: Caused & { retryable?: boolean } = {}): ConnectError {
  return new ConnectError({ code: 'unreachable', message, retryable }, options);
}
