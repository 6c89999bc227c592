import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { AiControlError } from './errors.ts';

/** The response to a request that was refused, or its result. */
export type Response = { result: JsonObject } | { error: AiControlError };

/**
 * Reads one response and checks it against what was asked (AiControl W6).
 * @returns the response, or in one sentence what is wrong with it
 */
export function readResponse(line: string, id: number): Response | string {
  const value = parse(line);
  if (!isObject(value)) return 'the response is no JSON object';
  if (value.jsonrpc !== '2.0') return 'the response is not of jsonrpc "2.0"';
  if ('result' in value === 'error' in value) return 'the response must have exactly one of result and error';
  const { error, result } = value;
  if (error !== undefined) {
    const problem = errorIn(error);
    // A request that could not be read is answered with the id null.
    if (value.id !== id && !(value.id === null && problem instanceof AiControlError)) return wrongId(value.id, id);
    return problem instanceof AiControlError ? { error: problem } : problem;
  }
  if (value.id !== id) return wrongId(value.id, id);
  return isObject(result) ? { result } : 'the response has a result that is no object';
}

/** What each method's result must have, by member. */
const SHAPES: { [method: string]: { [member: string]: (value: Json | undefined) => boolean } } = {
  auth: { authorized: isBoolean },
  ping: { ok: (value) => value === true },
  status: {
    running: isBoolean,
    host: isString,
    port: isInteger,
    queuedCommands: isInteger,
    maxQueuedCommands: isInteger,
    events: isInteger,
    maxEvents: isInteger,
    observationSeq: isInteger,
  },
  observe: { observationSeq: isInteger, observation: isObject },
  events: { latestSeq: isInteger, events: isEventList },
  act: { accepted: (value) => value === true, commandSeq: isInteger },
};

/** What is wrong with a result of this method, in one sentence; undefined: nothing. */
export function problemOfResult(method: string, result: JsonObject): string | undefined {
  const wrong = Object.entries(SHAPES[method] ?? {}).find(([member, fits]) => !fits(result[member]));
  return wrong && `the result of ${method} has a missing or wrong ${wrong[0]}`;
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function errorIn(error: Json): AiControlError | string {
  if (!isObject(error) || !isInteger(error.code) || !isString(error.message)) return 'the response has an error without code or message';
  return new AiControlError(error.code, error.message, error.data);
}

function wrongId(got: Json | undefined, id: number): string {
  return `the response has the id ${JSON.stringify(got)?.slice(0, 60)}, not ${id}`;
}

function isBoolean(value: Json | undefined): value is boolean {
  return typeof value === 'boolean';
}

function isString(value: Json | undefined): value is string {
  return typeof value === 'string';
}

function isInteger(value: Json | undefined): value is number {
  return Number.isSafeInteger(value);
}

function isEventList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((each) => isObject(each) && isInteger(each.seq) && isObject(each.event));
}
