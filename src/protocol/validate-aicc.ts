import { isAgentMessage } from './agent-message.ts';
import { isBridgeMessage } from './bridge-message.ts';
import type { AiccMessage } from './messages.ts';

/** Whether a value is one of the nine AICC 0.1 messages: the whole schema, both directions. */
export function validateAicc(value: unknown): value is AiccMessage {
  return isAgentMessage(value) || isBridgeMessage(value);
}
