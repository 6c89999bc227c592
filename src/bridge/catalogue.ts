import type { Json, JsonObject } from '../base/json.ts';
import type { CatalogueTool } from '../protocol/index.ts';
import { compileSchema, type SchemaCheck } from '../schema/index.ts';
import type { Tool, ToolDefinition } from './tool.ts';
import { dropUndeclared } from './tool-input.ts';

/** The member that the bridge adds to the input of tools with `maxAgeTicks` (AICC D8). */
export const OBSERVED_TICK = 'observed_tick';
/** The member that names one of a squad (AICC D10). */
export const UNIT = 'unit';

/** What the bridge makes of an input. */
export interface CheckedInput {
  /** Every way in which it misses the schema; then nothing else counts. */
  problems: string[];
  /** As the handler gets it. */
  value: JsonObject;
  /** The members that the bridge had added to the schema. */
  unit: string | undefined;
  observedTick: number | undefined;
}

/** A tool ready to be listed and called. */
export interface CompiledTool {
  readonly definition: ToolDefinition;
  /** As `session_init` lists it. */
  readonly entry: CatalogueTool;
  /** The checks of AICC D6: what the handler gets, or every problem. */
  checkInput(input: JsonObject): CheckedInput;
  readonly checkOutput: SchemaCheck;
  /** Handled by the bridge itself; skips D3–D5, D7–D10 and E (AICC D17). */
  readonly builtIn: boolean;
}

const single = new WeakMap<Tool, CompiledTool>();
const ofSquads = new WeakMap<Tool, CompiledTool>();

/**
 * @param squad the tool's input gains a required `unit`
 * @throws TypeError for a value that did not come from `defineTool`.
 */
export function compileTool(tool: Tool, squad = false): CompiledTool {
  const compiled = squad ? ofSquads : single;
  const known = compiled.get(tool);
  if (known) return known;
  if (typeof (tool as Partial<ToolDefinition> | null)?.run !== 'function') {
    throw new TypeError(
      `tools must be made by defineTool or the kit; got ${typeof tool === 'function' ? 'a function (call it first, like vision())' : JSON.stringify(tool)}`,
    );
  }
  const result = compile(tool as ToolDefinition, { builtIn: false, squad });
  compiled.set(tool, result);
  return result;
}

export function compileBuiltIn(tool: Tool): CompiledTool {
  return compile(tool as ToolDefinition, { builtIn: true, squad: false });
}

function compile(definition: ToolDefinition, { builtIn, squad }: { builtIn: boolean; squad: boolean }): CompiledTool {
  const added: JsonObject = {};
  if (squad) added[UNIT] = { type: 'string', description: 'Which one of the squad.' };
  if (definition.maxAgeTicks !== undefined) added[OBSERVED_TICK] = OBSERVED_TICK_SCHEMA;
  const schema = withRequired(definition.input, added);
  const check = compileSchema(schema, { strict: definition.strictInput });
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
      const whole = definition.strictInput ? input : (dropUndeclared(input, schema) as JsonObject);
      const problems = check(whole);
      if (problems.length > 0 || Object.keys(added).length === 0)
        return { problems, value: whole, unit: undefined, observedTick: undefined };
      return {
        problems,
        value: Object.fromEntries(Object.entries(whole).filter(([key]) => !Object.hasOwn(added, key))),
        unit: squad ? String(whole[UNIT]) : undefined,
        observedTick: Object.hasOwn(added, OBSERVED_TICK) ? Number(whole[OBSERVED_TICK]) : undefined,
      };
    },
    checkOutput: compileSchema(definition.output),
  };
}

const OBSERVED_TICK_SCHEMA: JsonObject = {
  type: 'integer',
  minimum: 0,
  description: 'The tick of the observation that this decision rests on.',
};

function withRequired(schema: JsonObject, added: JsonObject): JsonObject {
  const names = Object.keys(added);
  if (names.length === 0) return schema;
  const properties = { ...((schema.properties ?? {}) as JsonObject), ...added };
  return { ...schema, properties, required: [...((schema.required ?? []) as Json[]), ...names] };
}
