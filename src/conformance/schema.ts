import { type Schema, Validator } from '@cfworker/json-schema';
import aicc from '../protocol/aicc.schema.json' with { type: 'json' };
import type { JsonObject } from './messages.ts';

const { $defs } = aicc;
const validators = new Map(
  Object.keys($defs).map((name) => [name, new Validator({ $defs, $ref: `#/$defs/${name}` } as Schema, '2020-12')]),
);

/** What speaks against a value as an AICC message from a bridge; undefined: nothing. */
export function messageProblem(value: unknown): string | undefined {
  const { type } = value as { type?: unknown };
  const validator = typeof type === 'string' && FROM_BRIDGE.includes(type) ? validators.get(type) : undefined;
  return validator === undefined ? `no bridge sends the type ${JSON.stringify(type)}` : problem(validator, value);
}

/** What speaks against a value by a tool's own schema; undefined: nothing. */
export function schemaProblem(schema: JsonObject, value: unknown): string | undefined {
  return problem(new Validator(schema as Schema, '2020-12'), value);
}

const FROM_BRIDGE = ['session_init', 'session_close', 'tool_result', 'event', 'error', 'heartbeat'];

function problem(validator: Validator, value: unknown): string | undefined {
  const { errors, valid } = validator.validate(value);
  if (valid) return undefined;
  const last = errors.at(-1);
  return last === undefined ? 'it does not satisfy the schema' : `${last.instanceLocation}: ${last.error}`;
}
