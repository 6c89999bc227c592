import { isObject, type JsonObject } from '../base/json.ts';
import { type BridgeMessage, PROTOCOL, type ToolResult, type WireError } from '../protocol/index.ts';
import type { CallFailure } from './errors.ts';

const isError = (value: unknown): value is WireError =>
  isObject(value) && typeof value.code === 'string' && typeof value.message === 'string' && value.message !== '';

/** What each message must have for the session to use it; the bridge answers for the rest. */
const REQUIRED: Record<BridgeMessage['type'], (message: JsonObject) => boolean> = {
  session_init: (message) => Array.isArray(message.tools) && isObject(message.world),
  session_close: () => true,
  // Nothing more, so that a result that is wrong in another way still ends its call.
  tool_result: (message) => typeof message.call_id === 'string',
  event: (message) => typeof message.topic === 'string' && isObject(message.payload),
  error: (message) => isError(message.error),
  heartbeat: (message) => message.manifest_update === undefined || isObject(message.manifest_update),
};

/**
 * Reads one message from a bridge. Only what the SDK builds on is checked, which keeps schema validators out of a page's bundle.
 * @returns the message, or an `Error` that says what is wrong with it.
 */
export function readBridgeMessage(text: string): BridgeMessage | Error {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Error(`the bridge sent something that is not JSON: ${excerpt(text)}`);
  }
  if (!isObject(value)) return new Error(`the bridge sent JSON that is not an object: ${excerpt(text)}`);
  if (value.protocol !== PROTOCOL)
    return new Error(`the bridge speaks ${JSON.stringify(value.protocol)}, not ${PROTOCOL}: ${excerpt(text)}`);
  const type = value.type as BridgeMessage['type'];
  if (!Object.hasOwn(REQUIRED, type))
    return new Error(`the bridge sent a message of a type that only agents send, or none: ${excerpt(text)}`);
  if (typeof value.session_id !== 'string' || typeof value.message_id !== 'string' || !REQUIRED[type](value)) {
    return new Error(`the bridge sent a ${type} that lacks what AICC requires: ${excerpt(text)}`);
  }
  return value as unknown as BridgeMessage;
}

/** What a call came to: its output, or why there is none. */
export function outcomeOf(result: ToolResult): { output: JsonObject } | { error: CallFailure } {
  const { ok, output = {}, error, meta } = result;
  if (ok === true && isObject(output)) return { output };
  if (ok === false && isError(error)) {
    const reason = typeof meta?.reason === 'string' ? meta.reason : error.code;
    return { error: { ...error, retryable: error.retryable === true, reason } };
  }
  return {
    error: { code: 'internal_error', message: 'the bridge sent a result that is neither an output nor an error', retryable: false },
  };
}

function excerpt(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
