import { AiccError, fitsMessage, type JsonObject, LIMITS, PROTOCOL, type Topic, utf8Bytes } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';
import type { Outcome } from './call.ts';
import { jsonCopy } from './json-copy.ts';

/** Results and events as text, put together from parts that are JSON already, so that a payload for many sessions is serialised once. */

/** A payload stands at this depth of its message. */
const PAYLOAD_DEPTH = 2;

const head = (type: string, sessionId: string, messageId: string) =>
  `{"protocol":"${PROTOCOL}","type":"${type}","session_id":"${sessionId}","message_id":"${messageId}",`;

/** `payload` and the snapshot in `meta` are JSON text. */
export function eventText(sessionId: string, messageId: string, topic: Topic, payload: string, meta: JsonObject): string {
  return `${head('event', sessionId, messageId)}"topic":"${topic}","payload":${payload},"meta":${JSON.stringify(meta)}}`;
}

/**
 * What game code puts into an event, as JSON text.
 * @param from the function that it called, for the error
 * @throws TypeError for a payload that is no JSON object or does not fit into a message
 */
export function payloadText(payload: unknown, from: string): string {
  const copy = jsonCopy(payload, PAYLOAD_DEPTH);
  if (!isObject(copy)) throw new TypeError(`${from}: payload must be an object`);
  const text = JSON.stringify(copy);
  if (utf8Bytes(text) > LIMITS.eventBytes) throw new TypeError(`${from}: payload must be at most ${LIMITS.eventBytes} bytes of JSON`);
  return text;
}

/** D14: too large for one message: first the snapshot is left out, then the output becomes `internal_error`. */
export function resultText(
  sessionId: string,
  messageId: string,
  callId: string,
  toolId: string,
  outcome: Outcome,
  meta: JsonObject,
  snapshot: string | undefined,
): string {
  const body = outcome.ok
    ? `"ok":true,"output":${JSON.stringify(outcome.output)}`
    : `"ok":false,"error":${JSON.stringify(outcome.error.toWire())}`;
  const start = `${head('tool_result', sessionId, messageId)}"call_id":${JSON.stringify(callId)},`;
  const plainMeta = JSON.stringify(meta);
  const text = `${start}${body},"meta":${plainMeta}}`;
  if (snapshot !== undefined) {
    const whole = `${start}${body},"meta":${plainMeta.slice(0, -1)},"snapshot":${snapshot}}}`;
    if (fitsMessage(whole)) return whole;
  }
  if (fitsMessage(text)) return text;
  const error = new AiccError('internal_error', `tool '${toolId}' returned more than fits into a message of ${LIMITS.messageBytes} bytes`);
  return `${start}"ok":false,"error":${JSON.stringify(error.toWire())},"meta":${JSON.stringify({ ...meta, reason: error.reason })}}`;
}
