import { pointerToken, wellFormed } from './json.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;
/** Characters of a pointer that an error repeats. */
const SHOWN = 200;
const BAD_NUMBER = 'a finite number: NaN and numbers as large as 1e999 are refused';
const BAD_TEXT = 'Unicode text: it has half of a surrogate pair';

interface Flaw {
  /** Undefined: it nests too deep. */
  what: string | undefined;
  pointer: string;
}

/**
 * Finds what a value that `JSON.parse` accepted must not hold if it is to be passed on: more than `depth` levels, a number that is not finite
 * (`1e999` is JSON, and Infinity when parsed), or half of a surrogate pair, which is no Unicode and which strict readers refuse.
 * @param whole names the value in the sentence: `the message`
 * @returns one sentence with the JSON pointer, itself well-formed text; undefined when all is well
 */
export function flawOf(value: unknown, depth: number, whole: string): string | undefined {
  const flaw = find(value, depth);
  if (flaw === undefined) return undefined;
  if (flaw.what === undefined) return `${whole} must nest at most ${depth} objects and arrays deep`;
  return `${wellFormed(flaw.pointer.slice(0, SHOWN)) || whole} must be ${flaw.what}`;
}

/** Allocates nothing while all is well: every message is looked at. Recursion ends with the depth. */
function find(value: unknown, room: number): Flaw | undefined {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? { what: BAD_TEXT, pointer: '' } : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { what: BAD_NUMBER, pointer: '' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (room === 0) return { what: undefined, pointer: '' };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const flaw = find(value[index], room - 1);
      if (flaw) return below(flaw, String(index));
    }
    return undefined;
  }
  for (const name in value) {
    const flaw = find(name, room) ?? find((value as Record<string, unknown>)[name], room - 1);
    if (flaw) return below(flaw, name);
  }
  return undefined;
}

function below({ what, pointer }: Flaw, name: string): Flaw {
  return { what, pointer: `/${pointerToken(name)}${pointer}` };
}
