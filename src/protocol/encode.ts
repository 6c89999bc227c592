import type { AiccError } from './errors.ts';
import { type AiccMessage, NIL_UUID, PROTOCOL } from './messages.ts';

type WithoutProtocol<M> = M extends unknown ? Omit<M, 'protocol'> : never;

/** A message as it goes on the wire; the protocol's name is added. */
export function encodeMessage(message: WithoutProtocol<AiccMessage>): string {
  return JSON.stringify({ protocol: PROTOCOL, ...message });
}

/** An `error` message. Without `sessionId` it carries the nil UUID: no session yet (AICC A7). */
export function errorMessage({
  sessionId = NIL_UUID,
  messageId,
  error,
}: {
  sessionId?: string;
  messageId: string;
  error: AiccError;
}): string {
  return encodeMessage({ type: 'error', session_id: sessionId, message_id: messageId, error: error.toWire() });
}
