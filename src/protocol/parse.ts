import { isObject, type Json, type JsonObject, wellFormed } from '../base/json.ts';
import { flawOf } from '../base/json-flaw.ts';
import { LIMITS } from './limits.ts';
import { describeValue } from './schema-error.ts';

/** `value` is there too when the text is a JSON object with a flaw somewhere in it: its ids can still be answered to. */
export type Parsed = { ok: true; value: JsonObject } | { ok: false; problem: string; value?: JsonObject };

/** The first steps of AICC A3: JSON, an object, at most 64 deep, finite numbers, Unicode. `problem` is one sentence. Never throws. */
export function parseMessage(text: string): Parsed {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `the message must be one JSON object, but it is not JSON: ${wellFormed((error as Error).message)}` };
  }
  return checkShape(value);
}

/** The same for text that somebody else has parsed already. */
export function checkShape(value: unknown): Parsed {
  if (!isObject(value)) return { ok: false, problem: `the message must be a JSON object, got ${describeValue(value)}` };
  const problem = flawOf(value, LIMITS.messageDepth, 'the message');
  return problem === undefined ? { ok: true, value } : { ok: false, problem, value };
}
