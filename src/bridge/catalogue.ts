import type { CatalogueTool, Json, JsonObject } from '../protocol/index.ts';
import { compileSchema, type SchemaCheck } from './schema-check.ts';
import type { Tool, ToolDefinition } from './tool.ts';
import { dropUndeclared, strictSchema } from './tool-input.ts';

/** The member that the bridge adds to the input of tools with `maxAgeTicks` (AICC D8). */
export const OBSERVED_TICK = 'observed_tick';

/** A tool ready to be listed and called. */
export interface CompiledTool {
  readonly definition: ToolDefinition;
  /** As `session_init` lists it. */
  readonly entry: CatalogueTool;
  /** The checks of AICC D6: what the handler gets, or every problem. */
  checkInput(input: JsonObject): { value: JsonObject; problems: string[] };
  readonly checkOutput: SchemaCheck;
  /** Handled by the bridge itself; skips D3–D5, D7–D10 and E (AICC D17). */
  readonly builtIn: boolean;
}

const compiled = new WeakMap<Tool, CompiledTool>();

/** @throws TypeError for a value that did not come from `defineTool`. */
export function compileTool(tool: Tool): CompiledTool {
  const known = compiled.get(tool);
  if (known) return known;
  if (typeof (tool as Partial<ToolDefinition> | null)?.run !== 'function') {
    throw new TypeError(
      `tools must be made by defineTool or the kit; got ${typeof tool === 'function' ? 'a function (call it first, like vision())' : JSON.stringify(tool)}`,
    );
  }
  const result = compile(tool as ToolDefinition, false);
  compiled.set(tool, result);
  return result;
}

export function compileBuiltIn(tool: Tool): CompiledTool {
  return compile(tool as ToolDefinition, true);
}

function compile(definition: ToolDefinition, builtIn: boolean): CompiledTool {
  const schema = definition.maxAgeTicks === undefined ? definition.input : withObservedTick(definition.input);
  const check = compileSchema(definition.strictInput ? strictSchema(schema) : schema);
  const entry: CatalogueTool = {
    id: definition.id,
    class: definition.class,
    description: definition.description,
    input_schema: schema,
    output_schema: definition.output,
  };
  if (definition.limits) entry.limits = definition.limits;
  if (definition.requiresCapability !== undefined) entry.requires_capability = definition.requiresCapability;
  if (definition.strictInput) entry.strict_input = true;
  return {
    definition,
    entry,
    builtIn,
    checkInput(input) {
      const value = definition.strictInput ? input : (dropUndeclared(input, schema) as JsonObject);
      return { value, problems: check(value) };
    },
    checkOutput: compileSchema(definition.output),
  };
}

function withObservedTick(schema: JsonObject): JsonObject {
  const properties = (schema.properties ?? {}) as JsonObject;
  const required = (schema.required ?? []) as Json[];
  const observed = { type: 'integer', minimum: 0, description: 'The tick of the observation that this decision rests on.' };
  return { ...schema, properties: { ...properties, [OBSERVED_TICK]: observed }, required: [...required, OBSERVED_TICK] };
}

/** The known id closest to a mistyped one, to name in an error (AICC D2). */
export function closestId(wanted: string, known: Iterable<string>): string | undefined {
  let best: { id: string; distance: number } | undefined;
  for (const id of known) {
    const distance = editDistance(wanted.slice(0, 64), id);
    if (best === undefined || distance < best.distance) best = { id, distance };
  }
  return best?.id;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
