import type { Json } from '../base/json.ts';

/** Content longer than this is remembered as a fingerprint: 1,024 remembered calls must not mean 1,024 MiB. */
const KEPT = 512;

/**
 * A call's tool and input as a text that is equal for equal calls, whatever the order of members (AICC D1). Short ones are canonical JSON;
 * a long one is its length and a 106-bit hash. Whoever makes two long inputs collide only misleads itself.
 * @param input must nest no deeper than a message may
 */
export function callContent(tool: Json | undefined, input: Json | undefined): string {
  const text = canonical([tool ?? null, input ?? null]);
  return text.length <= KEPT ? text : `${text.length}:${hash(text, 0)}${hash(text, 1)}`;
}

/** JSON with the members of every object in one order. */
function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name] as Json)}`).join()}}`;
}

/** cyrb53, a public-domain mixing hash: 53 bits, in base 36. */
function hash(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36).padStart(11, '0');
}
