import { CLOSE_CODES, utf8Bytes } from '../protocol/index.ts';

/** A WebSocket close reason has room for so many bytes of UTF-8. */
const REASON_BYTES = 123;

/** The codes that the WebSocket standard keeps for itself, up to the last registered one; and those that never stand in a frame. */
const STANDARD = { first: 1000, last: 1014, unsendable: [1004, CLOSE_CODES.noCode, CLOSE_CODES.abnormal] as readonly number[] };

/** The codes that libraries and applications may choose. */
const FREE = { first: 3000, last: 4999 };

const isFree = (code: number): boolean => code >= FREE.first && code <= FREE.last;

/** What a page may close a WebSocket with; for anything else it says that the end is not a clean one (AICC C4). */
export const pageCode = (code: number): number => (code === CLOSE_CODES.normal || isFree(code) ? code : CLOSE_CODES.unclean);

/** The same for Node, where all that may stand in a close frame can be said. */
export const sendableCode = (code: number): number =>
  (code >= STANDARD.first && code <= STANDARD.last && !STANDARD.unsendable.includes(code)) || isFree(code) ? code : CLOSE_CODES.unclean;

/** The beginning of a text that fits into a WebSocket close frame. */
export function closeReason(reason: string): string {
  let text = reason.slice(0, REASON_BYTES);
  while (utf8Bytes(text) > REASON_BYTES) text = text.slice(0, -1);
  return text;
}
