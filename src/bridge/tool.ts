import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { checkOptions, type OptionKind } from '../base/check-options.ts';
import { isObject, type JsonObject, wellFormed } from '../base/json.ts';
import { AiccError, ERROR_CODES, type ErrorCode, LIMITS, type Reason, TOOL_CLASSES, type ToolClass } from '../protocol/index.ts';
import { compileSchema, completeSchema } from '../schema/index.ts';
import { DEFAULT_CAPABILITY, RESERVED_CAPABILITIES } from './capabilities.ts';
import { jsonCopy } from './json-copy.ts';
import type { ToolContext } from './tool-context.ts';

/** What `run` gets: the type that a literal schema describes; any object where the schema is not known to the compiler. */
export type ToolInput<I> = [I] extends [undefined]
  ? Record<string, never>
  : JSONSchema extends I
    ? JsonObject
    : I extends JSONSchema
      ? FromSchema<I>
      : never;

/** What a busy lane does with a new call (AICC D10). */
export type OnBusy = 'preempt' | 'queue' | 'reject';
const ON_BUSY: readonly OnBusy[] = ['preempt', 'queue', 'reject'];
const LIMIT_NAMES = ['calls_per_minute', 'calls_per_session'];

/** What a developer writes about a tool. `C` is the context that the host gives to it (the plugin adds body and scene). */
export interface ToolSpec<I extends JSONSchema | undefined, C> {
  /** Lowercase snake_case, unique in a character's catalogue. */
  id: string;
  /** A sensor reads, an actuator acts, a generator makes content. */
  class: ToolClass;
  /** A reserved capability name that it belongs to (AICC G1). Default by class: proprioception, manipulation, prop. */
  capability?: string;
  /** What it does and any side effect, for the agent to read. */
  description: string;
  /** JSON Schema 2020-12 of the input object, `as const`. Default: no members. */
  input?: I;
  /** JSON Schema 2020-12 of the output object. Default: any object. */
  output?: object;
  /** A sensor whose output is part of every tick's snapshot; it must answer at once and need no input (AICC E4). */
  snapshot?: boolean;
  /** The part of the body it needs; calls of one lane exclude each other (AICC D10). Default: none. */
  lane?: string;
  /** Default `preempt`. */
  onBusy?: OnBusy;
  /** World milliseconds from the handler's start. Default 30,000 (AICC D12). */
  timeoutMs?: number;
  /** Adds a required `observed_tick` to the input; a decision made on an older tick is refused as stale (AICC D8). */
  maxAgeTicks?: number;
  /** AICC D7, wall time. */
  limits?: {
    /** Calls of one principal within 60 s. */
    calls_per_minute?: number;
    /** Calls of one session; under a contract of one interaction. */
    calls_per_session?: number;
  };
  /** A capability that the session must hold (AICC D3). */
  requiresCapability?: string;
  /** The data class of its whole output, for contracts (OpenClasp T10); single fields: `x-data-class` in `output`. Default: public. */
  dataClass?: string;
  /** Refuse undeclared input members instead of dropping them (AICC D6). Default false. */
  strictInput?: boolean;
  /** `true`, or why not now and what would be valid (AICC D5). */
  available?(context: C): true | string;
  /** Does it. The return value is the output; `undefined` counts as `{}`. */
  run(input: ToolInput<I>, context: C): unknown;
  /** Asked after `run`: did it really happen? A sentence makes the call fail (AICC D13). */
  verify?(input: ToolInput<I>, context: C): true | string;
}

/** A tool as one value: the catalogue, the checks and the docs derive from it. Made by `defineTool`. */
export interface Tool {
  /** Its name in the catalogue. */
  readonly id: string;
  /** Whether it reads, acts or makes content. */
  readonly class: ToolClass;
  /** What it does, for the agent to read. */
  readonly description: string;
}

/** A tool with its defaults filled in; what the bridge works with. */
export interface ToolDefinition extends Tool {
  readonly capability: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly snapshot: boolean;
  readonly lane: string | undefined;
  readonly onBusy: OnBusy;
  readonly timeoutMs: number;
  readonly maxAgeTicks: number | undefined;
  readonly limits: { calls_per_minute?: number; calls_per_session?: number } | undefined;
  readonly requiresCapability: string | undefined;
  readonly dataClass: string | undefined;
  readonly strictInput: boolean;
  available?(context: ToolContext): true | string;
  run(input: JsonObject, context: ToolContext): unknown;
  verify?(input: JsonObject, context: ToolContext): true | string;
}

/** Thrown by a handler to choose the code of the failure, whether trying again can help, and why it failed (AICC D13, D15). */
export class ToolError extends AiccError {
  /**
   * @param retryable default: what the code says
   * @param reason one word for code to act on, like `locked`; default: the code
   * @throws TypeError for a code that AICC does not have, or a reason that is no lowercase word
   */
  constructor(code: ErrorCode, message: string, retryable?: boolean, reason?: Reason) {
    if (!Object.hasOwn(ERROR_CODES, code))
      throw new TypeError(`ToolError: code must be one of ${Object.keys(ERROR_CODES).join(', ')}, not '${String(code)}'`);
    if (reason !== undefined && !isWord(reason)) {
      throw new TypeError(`ToolError: reason must be a lowercase word like "locked" or "out_of_reach", not '${String(reason)}'`);
    }
    super(code, String(message), retryable, reason);
  }
}

/** Where a schema stands in the deepest message that lists it: a heartbeat's `manifest_update`. */
const SCHEMA_DEPTH = 5;
const TOOL_ID = /^[a-z][a-z0-9_]*$/;

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 64 && TOOL_ID.test(value);
}
const SPEC: Record<keyof ToolSpec<undefined, never>, OptionKind> = {
  id: 'any',
  class: 'any',
  capability: 'string',
  description: 'any',
  input: 'any',
  output: 'any',
  snapshot: 'boolean',
  lane: 'string',
  onBusy: 'string',
  timeoutMs: 'number',
  maxAgeTicks: 'number',
  limits: 'object',
  requiresCapability: 'string',
  dataClass: 'string',
  strictInput: 'boolean',
  available: 'function',
  run: 'any',
  verify: 'function',
};

/** `defineTool` with the context type of one host. */
export type DefineTool<C> = <const I extends JSONSchema | undefined = undefined>(spec: ToolSpec<I, C>) => Tool;

/**
 * Makes a tool out of its description.
 * @throws TypeError when the description cannot work; the message names the tool and what to change.
 */
export const defineTool: DefineTool<ToolContext> = (spec) => {
  const wrong = (what: string): never => {
    throw new TypeError(`defineTool('${String(spec?.id)}'): ${what}`);
  };
  checkOptions(`defineTool('${String(spec?.id)}')`, spec ?? null, SPEC);
  if (typeof spec.id !== 'string' || !TOOL_ID.test(spec.id))
    wrong('id must be lowercase snake_case and begin with a letter, like "move_to"');
  if (!TOOL_CLASSES.includes(spec.class)) wrong(`class must be one of ${TOOL_CLASSES.join(', ')}`);
  if (typeof spec.description !== 'string' || spec.description === '')
    wrong('description must be a sentence that tells an agent what the tool does');
  if (typeof spec.run !== 'function') wrong('run must be a function (input, context) => output');
  const input = objectSchema(spec.input ?? { type: 'object', properties: {} }, 'input', wrong);
  const output = objectSchema(spec.output ?? { type: 'object' }, 'output', wrong);
  const capability = spec.capability ?? DEFAULT_CAPABILITY[spec.class];
  if (!RESERVED_CAPABILITIES[spec.class].includes(capability)) {
    wrong(`capability must be one of ${RESERVED_CAPABILITIES[spec.class].join(', ')} for class '${spec.class}', not '${capability}'`);
  }
  if (spec.snapshot && spec.class !== 'sensor') wrong('snapshot is for sensors');
  const requiresInput = spec.maxAgeTicks !== undefined || (Array.isArray(input.required) && input.required.length > 0);
  if (spec.snapshot && requiresInput) wrong('a snapshot sensor must not require input, nor have maxAgeTicks');
  if (spec.onBusy !== undefined && !ON_BUSY.includes(spec.onBusy)) wrong(`onBusy must be one of ${ON_BUSY.join(', ')}`);
  for (const [name, value] of Object.entries(spec.limits ?? {})) {
    if (!LIMIT_NAMES.includes(name)) wrong(`limits may have ${LIMIT_NAMES.join(' and ')}, not '${name}'`);
    if (!Number.isInteger(value) || value < 1) wrong(`limits.${name} must be a whole number of at least 1`);
  }
  const definition: ToolDefinition = {
    id: spec.id,
    class: spec.class,
    description: wellFormed(spec.description),
    capability,
    input,
    output,
    snapshot: spec.snapshot ?? false,
    lane: spec.lane,
    onBusy: spec.onBusy ?? 'preempt',
    timeoutMs: spec.timeoutMs ?? LIMITS.toolMs,
    maxAgeTicks: spec.maxAgeTicks,
    limits: spec.limits && { ...spec.limits },
    requiresCapability: spec.requiresCapability,
    dataClass: spec.dataClass,
    strictInput: spec.strictInput ?? false,
    // The bridge hands over nothing but what satisfied `input`, so the type that came from it holds.
    run: (value, context) => spec.run(value as never, context),
  };
  if (spec.available) definition.available = (context) => spec.available!(context);
  if (spec.verify) definition.verify = (value, context) => spec.verify!(value as never, context);
  return Object.freeze(definition);
};

function objectSchema(schema: unknown, name: string, wrong: (what: string) => never): JsonObject {
  if (!isObject(schema)) return wrong(`${name} must be a JSON Schema object`);
  let copy: JsonObject;
  try {
    copy = jsonCopy(schema, SCHEMA_DEPTH) as JsonObject;
  } catch (error) {
    return wrong(`${name} must be plain JSON that fits into a message: ${(error as Error).message}`);
  }
  if (copy.type !== undefined && copy.type !== 'object') return wrong(`${name} must have type: 'object' at its root`);
  try {
    compileSchema(copy);
    return completeSchema({ ...copy, type: 'object' });
  } catch (error) {
    return wrong(`${name}: ${(error as Error).message}`);
  }
}
