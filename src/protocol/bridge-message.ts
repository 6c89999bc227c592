import { error, event, heartbeat, session_close, session_init, tool_result } from './generated/bridge-message.js';
import { type Fault, isOneOf, judge } from './judge.ts';
import type { BridgeMessage } from './messages.ts';
import { checkShape, type Parsed, parseMessage } from './parse.ts';
import type { Validate } from './schema-error.ts';

/** A valid bridge message, or why it was refused. */
export type BridgeCheck =
  | {
      /** Tells a valid message from a fault. */
      ok: true;
      /** The message. */
      message: BridgeMessage;
    }
  | Fault;

const KINDS: Readonly<Record<BridgeMessage['type'], Validate>> = { session_init, session_close, tool_result, event, error, heartbeat };
const FROM_AGENT = ['session_resume', 'manifest_request', 'tool_call'];

/** Checks what a bridge sent, as `checkAgentMessage` does the other way. Never throws. */
export function checkBridgeMessage(text: string): BridgeCheck {
  return check(parseMessage(text));
}

/** `checkBridgeMessage` for a message that is parsed already. */
export function checkBridgeValue(value: unknown): BridgeCheck {
  return check(checkShape(value));
}

/** The schema alone: is this a message that a bridge may send? */
export function isBridgeMessage(value: unknown): value is BridgeMessage {
  return isOneOf(KINDS, value);
}

function check(parsed: Parsed): BridgeCheck {
  const fault = judge(parsed, KINDS, FROM_AGENT);
  return fault ?? { ok: true, message: parsed.value as unknown as BridgeMessage };
}
