import { wellFormed } from '../base/json.ts';
import { LIMITS } from './limits.ts';
import type { WireError } from './messages.ts';
import type { Reason } from './reasons.ts';

/** Every AICC error code and whether trying the same thing again can help, unless the place that raises it knows better. */
export const ERROR_CODES = {
  protocol_mismatch: { retryable: false },
  session_expired: { retryable: false },
  tool_unknown: { retryable: false },
  tool_unavailable: { retryable: true },
  invalid_input: { retryable: false },
  execution_failed: { retryable: false },
  timeout: { retryable: true },
  internal_error: { retryable: false },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** A text of somebody else's as it goes into a message: it may have been cut in the middle of a character. */
export function bounded(text: string): string {
  return wellFormed(text.slice(0, LIMITS.errorText));
}

/** An error that crosses the wire. `message` is one sentence that an agent can act on; it is never empty and never longer than `LIMITS.errorText`. */
export class AiccError extends Error {
  override readonly name = 'AiccError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** Why, for code to act on (AICC D15); the code where there is nothing narrower. */
  readonly reason: Reason;

  constructor(code: ErrorCode, message: string, retryable: boolean = ERROR_CODES[code].retryable, reason: Reason = code) {
    super(bounded(message) || code);
    this.code = code;
    this.retryable = Boolean(retryable);
    this.reason = reason;
  }

  /** Whoever threw it may have changed its message. */
  toWire(): WireError {
    return { code: this.code, message: bounded(`${this.message}`) || this.code, retryable: this.retryable };
  }
}
