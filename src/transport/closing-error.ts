import { AiccError, CLOSE_CODES, type ErrorCode } from '../protocol/index.ts';

const CODES: { [closeCode: number]: [code: ErrorCode, retryable: boolean] } = {
  [CLOSE_CODES.policyViolation]: ['invalid_input', false],
  [CLOSE_CODES.tooLarge]: ['invalid_input', false],
  [CLOSE_CODES.internalError]: ['internal_error', false],
  [CLOSE_CODES.serviceRestart]: ['tool_unavailable', true],
  [CLOSE_CODES.tryAgainLater]: ['tool_unavailable', true],
  [CLOSE_CODES.replaced]: ['session_expired', false],
  [CLOSE_CODES.overForNow]: ['session_expired', true],
  [CLOSE_CODES.unauthorized]: ['invalid_input', false],
};

/** C5: what TCP, which has no close codes, is told before a closing; nothing before the ordinary one (1000). */
export function closingError(closeCode: number, reason: string): AiccError | undefined {
  if (closeCode === CLOSE_CODES.normal) return undefined;
  const [code, retryable] = CODES[closeCode] ?? ['session_expired', false];
  return new AiccError(code, reason || 'The connection is closed.', retryable);
}
