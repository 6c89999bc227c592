import aicc from '../protocol/aicc.schema.json' with { type: 'json' };
import { compileSchema, type SchemaCheck } from '../schema/index.ts';
import type { JsonObject } from './messages.ts';

const { $defs } = aicc;
const checks = new Map(
  Object.keys($defs).map((name): [string, SchemaCheck] => [name, compileSchema({ $defs, $ref: `#/$defs/${name}` } as JsonObject)]),
);

/** What speaks against a value as an AICC message from a bridge; undefined: nothing. */
export function messageProblem(value: unknown): string | undefined {
  const { type } = value as { type?: unknown };
  const check = typeof type === 'string' && FROM_BRIDGE.includes(type) ? checks.get(type) : undefined;
  return check === undefined ? `no bridge sends the type ${JSON.stringify(type)}` : check(value)[0];
}

/** What speaks against a value by a tool's own schema, or against that itself; undefined: nothing. */
export function schemaProblem(schema: JsonObject, value: unknown): string | undefined {
  try {
    return compileSchema(schema)(value)[0];
  } catch (error) {
    return `the schema cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const FROM_BRIDGE = ['session_init', 'session_close', 'tool_result', 'event', 'error', 'heartbeat'];
