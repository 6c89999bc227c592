import { isObject } from './json.ts';
import { LIMITS } from './limits.ts';
import type { Json, JsonObject } from './messages.ts';
import { describeValue } from './schema-error.ts';

/** `value` is there too when the text is a JSON object and only nests too deep: its ids can still be answered to. */
export type Parsed = { ok: true; value: JsonObject } | { ok: false; problem: string; value?: JsonObject };

/** The first steps of AICC A3: JSON, an object, at most 64 deep. `problem` is one sentence. Never throws. */
export function parseMessage(text: string): Parsed {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `the message must be one JSON object, but it is not JSON: ${(error as Error).message}` };
  }
  return checkShape(value);
}

/** The same for text that somebody else has parsed already. */
export function checkShape(value: unknown): Parsed {
  if (!isObject(value)) return { ok: false, problem: `the message must be a JSON object, got ${describeValue(value)}` };
  if (isWithinDepth(value, LIMITS.messageDepth)) return { ok: true, value };
  return { ok: false, problem: `the message must nest at most ${LIMITS.messageDepth} objects and arrays deep`, value };
}

/** Whether the containers of `value`, itself one of them, nest at most `room` deep. Recursion ends at `room`, however deep the value is. */
export function isWithinDepth(value: Json | undefined, room: number): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (room === 0) return false;
  if (Array.isArray(value)) return value.every((each) => isWithinDepth(each, room - 1));
  for (const key in value) if (!isWithinDepth(value[key], room - 1)) return false;
  return true;
}

/** Bytes of UTF-8 that a text takes on the wire, lone surrogates counted as the replacement character that is sent for them. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // Two units of a pair are four bytes together: the first counted three, so the second adds nothing to its own one.
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at++;
  }
  return bytes;
}

/** Whether a text may travel as one message (AICC A2). */
export function fitsMessage(text: string, limit: number = LIMITS.messageBytes): boolean {
  return text.length * 3 <= limit || (text.length <= limit && utf8Bytes(text) <= limit);
}
