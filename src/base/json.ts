const LONE_SURROGATES = /\p{Surrogate}/gu;

/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** An object of JSON. */
export type JsonObject = { [key: string]: Json };

/** Whether a parsed value is a JSON object: neither null nor an array. Its members are still to be checked. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member's name as a token of a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The text with U+FFFD in place of every lone surrogate, which JSON would escape and most readers refuse. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, '\ufffd');
}
