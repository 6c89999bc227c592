import { wellFormed } from '../base/json.ts';
import { LIMITS } from './limits.ts';
import type { WireError } from './messages.ts';
import type { Reason } from './reasons.ts';

/** What is known of every error of one code. */
export interface ErrorKind {
  /** Whether trying the same thing again can help, unless the place that raises the error knows better. */
  readonly retryable: boolean;
}

const FINAL: ErrorKind = { retryable: false };
const PASSING: ErrorKind = { retryable: true };

/** Every AICC error code. */
export const ERROR_CODES = {
  /** The message names another protocol version (AICC A4). */
  protocol_mismatch: FINAL,
  /** The session is unknown, over or on another connection (AICC C1, C5). */
  session_expired: FINAL,
  /** The catalogue has no such tool (AICC D2). */
  tool_unknown: FINAL,
  /** The tool or character cannot be used now, or by this session (AICC B4, D3–D9). */
  tool_unavailable: PASSING,
  /** The message, connect line or input does not match its schema (AICC A3, D6). */
  invalid_input: FINAL,
  /** The tool ran and failed, or was cut off (AICC D13). */
  execution_failed: FINAL,
  /** The call took too long (AICC D12). */
  timeout: PASSING,
  /** The tool's code returned something wrong (AICC D14). */
  internal_error: FINAL,
} as const;

/** One of the keys of `ERROR_CODES`. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** A text of somebody else's as it goes into a message: it may have been cut in the middle of a character. */
export function bounded(text: string): string {
  return wellFormed(text.slice(0, LIMITS.errorText));
}

/** An error that crosses the wire. `message` is one sentence that an agent can act on; it is never empty and never longer than `LIMITS.errorText`. */
export class AiccError extends Error {
  /** The class, for logs. */
  override readonly name = 'AiccError';
  /** What went wrong. */
  readonly code: ErrorCode;
  /** Whether the same thing may succeed later. */
  readonly retryable: boolean;
  /** Why, for code to act on (AICC D15); the code where there is nothing narrower. */
  readonly reason: Reason;

  /**
   * @param message one sentence; cut at `LIMITS.errorText` characters, the code when empty
   * @param retryable default: what `ERROR_CODES` says of the code
   * @param reason default: the code
   */
  constructor(code: ErrorCode, message: string, retryable: boolean = ERROR_CODES[code].retryable, reason: Reason = code) {
    super(bounded(message) || code);
    this.code = code;
    this.retryable = Boolean(retryable);
    this.reason = reason;
  }

  /** Returns the error as it travels. A caller may have changed `message` since, so it is bounded again. */
  toWire(): WireError {
    return { code: this.code, message: bounded(`${this.message}`) || this.code, retryable: this.retryable };
  }
}
