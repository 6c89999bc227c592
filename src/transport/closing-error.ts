import { AiccError, type ErrorCode } from '../protocol/index.ts';

const CODES: { [closeCode: number]: [code: ErrorCode, retryable: boolean] } = {
  1008: ['invalid_input', false],
  1009: ['invalid_input', false],
  1011: ['internal_error', false],
  1012: ['tool_unavailable', true],
  1013: ['tool_unavailable', true],
  4001: ['session_expired', false],
  4401: ['invalid_input', false],
};

/** C5: what TCP, which has no close codes, is told before a closing; nothing before the ordinary one (1000). */
export function closingError(closeCode: number, reason: string): AiccError | undefined {
  if (closeCode === 1000) return undefined;
  const [code, retryable] = CODES[closeCode] ?? ['session_expired', false];
  return new AiccError(code, reason || 'The connection is closed.', retryable);
}
