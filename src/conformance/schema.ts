import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import aicc from '../protocol/aicc.schema.json' with { type: 'json' };
import type { JsonObject } from './messages.ts';

/** A judge of its own, not the one of the bridge that is tested. A game's schemas may have an `$id` that another game's have too. */
const newAjv = () => new Ajv2020({ strict: false, validateFormats: false, logger: false });

const FROM_BRIDGE = ['session_init', 'session_close', 'tool_result', 'event', 'error', 'heartbeat'];

const messages = newAjv().addSchema(aicc, 'aicc');

/** What speaks against a value as an AICC message from a bridge; undefined: nothing. */
export function messageProblem(value: unknown): string | undefined {
  const { type } = value as { type?: unknown };
  const isKnown = typeof type === 'string' && FROM_BRIDGE.includes(type);
  if (!isKnown) return `no bridge sends the type ${JSON.stringify(type)}`;
  return problem(messages.getSchema(`aicc#/$defs/${type}`) as ValidateFunction, value);
}

/** What speaks against a value by a tool's own schema, or against that itself; undefined: nothing. */
export function schemaProblem(schema: JsonObject, value: unknown): string | undefined {
  try {
    return problem(newAjv().compile(schema), value);
  } catch (error) {
    return `the schema cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function problem(validate: ValidateFunction, value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || '/'} ${error?.message}`;
}
