import { isObject, type JsonObject } from '../base/json.ts';
import { AiccError, fitsMessage, LIMITS, PROTOCOL, type Topic, utf8Bytes } from '../protocol/index.ts';
import { jsonCopy } from './json-copy.ts';
import type { Outcome } from './outcome.ts';

/** Results and events as text, put together from parts that are JSON already, so that a payload for many sessions is serialised once. */

/** A payload stands at this depth of its message. */
const PAYLOAD_DEPTH = 2;

const head = (type: string, sessionId: string, messageId: string) =>
  `{"protocol":"${PROTOCOL}","type":"${type}","session_id":"${sessionId}","message_id":"${messageId}",`;

/** A message's text without its `seq`, which it gets when it is first sent (AICC D15). Plain text, so that it keeps no outcome alive. */
export interface Unnumbered {
  /** Ends inside `meta`, after a member. */
  readonly before: string;
  readonly after: string;
}

export function numbered({ before, after }: Unnumbered, seq: number, dropped: number): string {
  return `${before},"seq":${seq}${dropped > 0 ? `,"dropped":${dropped}` : ''}${after}`;
}

/** `payload` is JSON text. */
export function eventText(sessionId: string, messageId: string, topic: Topic, payload: string, tick: number): Unnumbered {
  return { before: `${head('event', sessionId, messageId)}"topic":"${topic}","payload":${payload},"meta":{"tick":${tick}`, after: '}}' };
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

/** D1: stands in for an outcome that more than 8 MiB of waiting results have pushed out. */
export const NOT_KEPT: Outcome = {
  ok: false,
  error: new AiccError('execution_failed', 'the call has ended, but its result is no longer kept: too much waited to be sent'),
};

/** D14: too large for one message: first the snapshot is left out, then the output becomes `internal_error`. `meta` has a member at least. */
export function resultText(
  sessionId: string,
  messageId: string,
  callId: string,
  toolId: string,
  outcome: Outcome,
  meta: JsonObject,
  snapshot: string | undefined,
  greatestSeq: number,
): Unnumbered {
  const body = outcome.ok
    ? `"ok":true,"output":${JSON.stringify(outcome.output)}`
    : `"ok":false,"error":${JSON.stringify(outcome.error.toWire())}`;
  const start = `${head('tool_result', sessionId, messageId)}"call_id":${JSON.stringify(callId)},`;
  const openMeta = `,"meta":${JSON.stringify(meta).slice(0, -1)}`;
  const before = `${start}${body}${openMeta}`;
  const room = LIMITS.messageBytes - `,"seq":${greatestSeq}`.length;
  if (snapshot !== undefined) {
    const after = `,"snapshot":${snapshot}}}`;
    if (fitsMessage(before + after, room)) return { before, after };
  }
  if (fitsMessage(before, room - 2)) return { before, after: '}}' };
  const error = new AiccError('internal_error', `tool '${toolId}' returned more than fits into a message of ${LIMITS.messageBytes} bytes`);
  const failure = JSON.stringify({ ...meta, reason: error.reason }).slice(0, -1);
  return { before: `${start}"ok":false,"error":${JSON.stringify(error.toWire())},"meta":${failure}`, after: '}}' };
}
