import type { JsonObject } from '../base/json.ts';
import { AiccError } from './errors.ts';
import { connect as validate } from './generated/connect.js';
import { LIMITS } from './limits.ts';
import { MODEL_CLASSES, type ModelClass, type ModelDeclaration, TOPICS, type Topic } from './messages.ts';
import { describeSchemaError } from './schema-error.ts';

/** What an agent asks for when it connects (AICC B1). Everything may be left out. */
export interface ConnectRequest {
  /** The world's name. Absent: the only one there is. */
  world?: string;
  /** Absent: the character marked default. */
  character?: string;
  /** How fast the agent's model answers (E5). */
  agent_model?: ModelDeclaration;
  /** Absent: every topic but `tick` (F1). */
  event_subscriptions?: Topic[];
  /** A token, where no header or subprotocol can carry it (B5). */
  token?: string;
  /** A signed session offer (OpenClasp T6). */
  session_offer?: JsonObject;
  /** Every result carries the newest snapshot. */
  observe?: boolean;
  /** Watch without driving (B8). */
  spectate?: boolean;
  /** How long to wait for a character that is not there yet: 0 to 60,000 ms of wall time. */
  wait_ms?: number;
  /** The id of a session to take up again (C5). */
  resume?: string;
  /** The highest `meta.seq` that arrived (C5). */
  last_seq?: number;
}

/** What a connect line or query asks for, or the error to answer with. */
export type ConnectCheck = { ok: true; connect: ConnectRequest } | { ok: false; error: AiccError };

/** Whether a parsed first line means to be a connect line: it has a member `connect`. */
export function isConnectLine(value: JsonObject): boolean {
  return Object.hasOwn(value, 'connect');
}

/** Checks a whole connect line, `{"connect": {…}}`. */
export function checkConnect(value: unknown): ConnectCheck {
  if (validate(value)) return { ok: true, connect: (value as { connect: ConnectRequest }).connect };
  return refuse(describeSchemaError(validate.errors));
}

const PARAMETERS = [
  'world',
  'character',
  'model',
  'first_token_ms',
  'full_response_ms',
  'subscribe',
  'observe',
  'spectate',
  'wait_ms',
] as const;
type Parameter = (typeof PARAMETERS)[number];

const TOKEN_IN_URL = 'a token must not be in the URL: send it as Authorization: Bearer, as a WebSocket subprotocol, or in the connect line';

/**
 * The same from the query of `/agent?world=…&character=…&model=…&first_token_ms=…&full_response_ms=…&subscribe=tick,audio&observe=true&spectate=true&wait_ms=…`.
 * An empty parameter counts as absent, except `subscribe=`, which asks for no topic. A token is refused: URLs end up in logs (B5).
 */
export function connectFromQuery(query: URLSearchParams): ConnectCheck {
  try {
    return { ok: true, connect: readQuery(query) };
  } catch (error) {
    if (error instanceof AiccError) return { ok: false, error };
    throw error;
  }
}

function readQuery(query: URLSearchParams): ConnectRequest {
  for (const name of query.keys()) {
    if (!isParameter(name)) {
      if (/token|auth|bearer/i.test(name)) throw invalid(TOKEN_IN_URL);
      throw invalid(`the query parameter ${JSON.stringify(name.slice(0, 60))} is not known: there are ${PARAMETERS.join(', ')}`);
    }
    if (query.getAll(name).length > 1) throw invalid(`the query parameter ${name} must be given once`);
  }
  const text = (name: Parameter) => query.get(name) || undefined;
  const request: ConnectRequest = {};
  const [world, character, observe] = [text('world'), text('character'), text('observe')];
  if (world !== undefined) request.world = world;
  if (character !== undefined) request.character = character;
  const model = readModel(
    text('model'),
    readMs('first_token_ms', text('first_token_ms')),
    readMs('full_response_ms', text('full_response_ms')),
  );
  if (model !== undefined) request.agent_model = model;
  const subscribe = query.get('subscribe');
  if (subscribe !== null) request.event_subscriptions = subscribe === '' ? [] : subscribe.split(',').map(readTopic);
  if (observe !== undefined) request.observe = readBoolean('observe', observe);
  const spectate = text('spectate');
  if (spectate !== undefined) request.spectate = readBoolean('spectate', spectate);
  const wait = readMs('wait_ms', text('wait_ms'), LIMITS.maxWaitMs);
  if (wait !== undefined) request.wait_ms = wait;
  return request;
}

function readModel(
  name: string | undefined,
  firstToken: number | undefined,
  fullResponse: number | undefined,
): ModelDeclaration | undefined {
  if (name === undefined && firstToken === undefined && fullResponse === undefined) return undefined;
  if (name !== undefined && !(MODEL_CLASSES as readonly string[]).includes(name))
    throw wrong('model', `one of ${MODEL_CLASSES.join(', ')}`, name);
  return {
    class: (name as ModelClass | undefined) ?? 'cloud_medium',
    ...(firstToken === undefined ? undefined : { expected_first_token_ms: firstToken }),
    ...(fullResponse === undefined ? undefined : { expected_full_response_ms: fullResponse }),
  };
}

function readTopic(name: string): Topic {
  if (!(TOPICS as readonly string[]).includes(name)) throw wrong('subscribe', `a list of ${TOPICS.join(', ')} with commas between`, name);
  return name as Topic;
}

function readMs(name: Parameter, text: string | undefined, most: number = Number.MAX_SAFE_INTEGER): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(ms <= most)) throw wrong(name, `whole milliseconds from 0 to ${most}`, text);
  return ms;
}

function readBoolean(name: Parameter, text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw wrong(name, 'true or false', text);
}

function isParameter(name: string): name is Parameter {
  return (PARAMETERS as readonly string[]).includes(name);
}

function wrong(name: Parameter, expected: string, got: string): AiccError {
  return invalid(`the query parameter ${name} must be ${expected}, got ${JSON.stringify(got.slice(0, 60))}`);
}

function invalid(problem: string): AiccError {
  return new AiccError('invalid_input', problem);
}

function refuse(problem: string): ConnectCheck {
  return { ok: false, error: invalid(problem) };
}
