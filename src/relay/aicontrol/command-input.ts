import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { CatalogueTool } from '../../protocol/index.ts';
import { RpcError } from './rpc.ts';

/** W13: what a command's own fields must be, where the protocol says. */
const FIELD_TYPES: Readonly<Record<string, 'integer' | 'string' | 'boolean'>> = {
  x: 'integer',
  y: 'integer',
  screenX: 'integer',
  screenY: 'integer',
  intArg: 'integer',
  stringArg: 'string',
  append: 'boolean',
};

const OBSERVED_TICK = 'observed_tick';

/**
 * W11, W13: takes an `act`'s params apart.
 * @throws {RpcError} invalidParams
 */
export function readCommand(params: JsonObject): { type: string; append: boolean; fields: JsonObject } {
  const { type, append = false, ...fields } = params;
  if (typeof type !== 'string' || type === '') throw new RpcError('invalidParams', 'type must be a string that is not empty');
  for (const [name, expected] of Object.entries(FIELD_TYPES)) {
    const value = params[name];
    const fits = expected === 'integer' ? Number.isInteger(value) : typeof value === expected;
    if (value !== undefined && !fits)
      throw new RpcError('invalidParams', `${name} must be ${expected === 'integer' ? 'an' : 'a'} ${expected}`);
  }
  return { type, append: append as boolean, fields };
}

/** W19: a command's fields as input of a tool. What the tool's schema does not know passes as it is: the bridge judges it. */
export function toolInput(tool: CatalogueTool, fields: JsonObject, observedTick: number | undefined): JsonObject {
  const known = declared(tool.input_schema);
  const input: JsonObject = {};
  const renamed: [string, Json][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const target = known.has(name) ? name : targetOf(name, tool, known);
    if (target === name) setOwn(input, name, value);
    else renamed.push([target, value]);
  }
  // What the client calls by the tool's own name comes first.
  for (const [name, value] of renamed) if (!Object.hasOwn(input, name)) setOwn(input, name, value);
  if (observedTick !== undefined && known.has(OBSERVED_TICK) && !Object.hasOwn(input, OBSERVED_TICK)) input[OBSERVED_TICK] = observedTick;
  return input;
}

/** The tool's property that a field which is no property by itself stands for; the field's own name when there is none. */
function targetOf(name: string, tool: CatalogueTool, known: ReadonlyMap<string, Json>): string {
  const snake = snakeCase(name);
  if (known.has(snake)) return snake;
  const withoutId = snakeCase(name.replace(/Id$/, ''));
  if (withoutId !== snake && known.has(withoutId)) return withoutId;
  return (name === 'stringArg' ? onlyRequiredString(tool.input_schema, known) : undefined) ?? name;
}

function onlyRequiredString({ required }: JsonObject, known: ReadonlyMap<string, Json>): string | undefined {
  const strings = Array.isArray(required)
    ? required.filter((name): name is string => {
        const schema = typeof name === 'string' ? known.get(name) : undefined;
        return isObject(schema) && schema.type === 'string';
      })
    : [];
  return strings.length === 1 ? strings[0] : undefined;
}

/** The properties that a schema declares, in its alternatives too. */
function declared(schema: Json | undefined, found: Map<string, Json> = new Map()): Map<string, Json> {
  if (!isObject(schema)) return found;
  if (isObject(schema.properties))
    for (const [name, each] of Object.entries(schema.properties)) if (!found.has(name)) found.set(name, each);
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) for (const part of parts) declared(part, found);
  }
  return found;
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A member named `__proto__` is one like any other. */
function setOwn(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
