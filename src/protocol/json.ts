import type { JsonObject } from './messages.ts';

/** Whether a parsed value is a JSON object: neither null nor an array. Its members are still to be checked. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member's name as a token of a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
