import type { Json } from '../base/json.ts';
import { LIMITS } from './limits.ts';

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
