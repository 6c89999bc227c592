import { utf8Bytes } from '../protocol/index.ts';

/** A WebSocket close reason has room for so many bytes of UTF-8. */
const REASON_BYTES = 123;

/** The beginning of a text that fits into a WebSocket close frame. */
export function closeReason(reason: string): string {
  let text = reason.slice(0, REASON_BYTES);
  while (utf8Bytes(text) > REASON_BYTES) text = text.slice(0, -1);
  return text;
}
