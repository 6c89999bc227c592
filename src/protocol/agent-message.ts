import { wellFormed } from '../base/json.ts';
import { isUuid } from '../base/uuid.ts';
import { callContent } from './call-content.ts';
import { heartbeat, manifest_request, session_close, session_resume, tool_call } from './generated/agent-message.js';
import { type Fault, isOneOf, judge } from './judge.ts';
import type { AGENT_MESSAGE_TYPES, AgentMessage } from './messages.ts';
import { checkShape, type Parsed, parseMessage } from './parse.ts';
import type { Validate } from './schema-error.ts';

/** A malformed `tool_call` whose `call_id` can be read: its caller is owed a result (AICC A7). */
export interface RefusedCall {
  /** The call's own id, which its result repeats. */
  call_id: string;
  /** The session's id, where it is a UUID. */
  session_id?: string;
  /** The message's id, where it is a UUID. */
  message_id?: string;
  /** As `callContent` gives it for a good call; '' when the input cannot be compared. */
  content: string;
}

/** A valid agent message, or why it was refused and what is owed for it. */
export type AgentCheck =
  | {
      /** Tells a valid message from a fault. */
      ok: true;
      /** The message. */
      message: AgentMessage;
    }
  | (Fault & {
      /** The call that must be answered with a result (AICC A7). */
      call?: RefusedCall;
    });

const KINDS: Readonly<Record<(typeof AGENT_MESSAGE_TYPES)[number], Validate>> = {
  session_resume,
  session_close,
  manifest_request,
  tool_call,
  heartbeat,
};
const FROM_BRIDGE = ['session_init', 'tool_result', 'event', 'error'];

/** Checks what an agent sent, in the order of AICC A3 up to and including the schema (not the session id, C1). Never throws. */
export function checkAgentMessage(text: string): AgentCheck {
  return check(parseMessage(text));
}

/** `checkAgentMessage` for a message that is parsed already. */
export function checkAgentValue(value: unknown): AgentCheck {
  return check(checkShape(value));
}

/** The schema alone: is this a message that an agent may send (AICC A6)? */
export function isAgentMessage(value: unknown): value is AgentMessage {
  return isOneOf(KINDS, value);
}

function check(parsed: Parsed): AgentCheck {
  const fault = judge(parsed, KINDS, FROM_BRIDGE);
  if (fault === undefined) return { ok: true, message: parsed.value as unknown as AgentMessage };
  const call = fault.fatal ? undefined : readCall(parsed);
  return call === undefined ? fault : { ...fault, call };
}

function readCall(parsed: Parsed): RefusedCall | undefined {
  const { value } = parsed;
  if (value?.type !== 'tool_call' || typeof value.call_id !== 'string' || value.call_id === '') return undefined;
  // A result repeats it, and the game link carries nothing that is no Unicode.
  if (wellFormed(value.call_id) !== value.call_id) return undefined;
  return {
    call_id: value.call_id,
    ...(isUuid(value.session_id) ? { session_id: value.session_id } : undefined),
    ...(isUuid(value.message_id) ? { message_id: value.message_id } : undefined),
    content: parsed.ok ? callContent(value.tool, value.input) : '',
  };
}
