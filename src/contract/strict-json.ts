import type { Json } from '../base/json.ts';
import { flawOf } from '../base/json-flaw.ts';
import { LIMITS } from '../protocol/index.ts';

export type StrictJson = { ok: true; value: Json } | { ok: false; problem: string };

/** A JSON text's strings, and what opens, closes and separates; the rest says nothing about names. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;
const MAX_SHOWN = 60;

/**
 * Parses what is to be signed or hashed: beyond JSON, no object may have a name twice (readers would differ about which counts), no text may hold
 * half of a surrogate pair, every number is finite, and nothing nests more than 64 deep. `problem` is one sentence. Never throws.
 */
export function parseStrict(text: string): StrictJson {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `it is not JSON: ${(error as Error).message}` };
  }
  const flaw = flawOf(value, LIMITS.messageDepth, 'it');
  if (flaw !== undefined) return { ok: false, problem: flaw };
  const repeated = repeatedName(text);
  if (repeated !== undefined)
    return { ok: false, problem: `it has the name ${JSON.stringify(repeated.slice(0, MAX_SHOWN))} twice in one object` };
  return { ok: true, value };
}

/** The first name that an object of a valid JSON text has twice. */
function repeatedName(text: string): string | undefined {
  // The names of each open object; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') {
      open.push(new Set());
      isName = true;
    } else if (token === '[') {
      open.push(undefined);
      isName = false;
    } else if (token === '}' || token === ']') {
      open.pop();
      isName = false;
    } else if (token === ',') {
      isName = open.at(-1) !== undefined;
    } else if (token === ':') {
      isName = false;
    } else if (isName) {
      const names = open.at(-1) as Set<string>;
      const name = JSON.parse(token) as string;
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}
