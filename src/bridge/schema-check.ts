import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { JsonObject } from '../protocol/index.ts';
import { pointerToken } from '../protocol/json.ts';

/** Every way in which a value misses a schema, as phrases like `/target must be string, not number`; empty when it satisfies it. Never throws. */
export type SchemaCheck = (value: unknown) => string[];

/** Keywords whose errors only say that something below them failed; the something is listed too. */
const WRAPPERS = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
  'allOf',
  'if',
  '$ref',
]);
/** Keywords whose branches' own errors would contradict each other. */
const ALTERNATIVES = new Set(['anyOf', 'oneOf', 'not', 'contains']);
const MOST_PROBLEMS = 10;

/** Compiles a tool's schema (JSON Schema 2020-12) without `eval`, so that it works under a strict CSP. */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const validator = new Validator(schema as Schema, '2020-12', false);
  return (value) => {
    try {
      const result = validator.validate(value);
      return result.valid ? [] : phrases(result.errors);
    } catch (error) {
      return [`the schema itself cannot be used (${error instanceof Error ? error.message : String(error)})`];
    }
  };
}

function phrases(errors: OutputUnit[]): string[] {
  const alternatives = errors.filter((error) => ALTERNATIVES.has(error.keyword));
  const insideAlternative = (error: OutputUnit) =>
    alternatives.some((parent) => error !== parent && error.keywordLocation.startsWith(`${parent.keywordLocation}/`));
  const leaves = errors.filter((error) => !WRAPPERS.has(error.keyword) && !insideAlternative(error));
  const found = [...new Set((leaves.length > 0 ? leaves : errors).map(phrase))];
  return found.length > MOST_PROBLEMS ? [...found.slice(0, MOST_PROBLEMS), `${found.length - MOST_PROBLEMS} more`] : found;
}

function phrase(error: OutputUnit): string {
  const at = decodeURIComponent(error.instanceLocation.slice(1));
  if (error.keyword === 'false') return `${at || '/'} is not declared`;
  const missing = /^Instance does not have required property "(.*)"\.$/s.exec(error.error)?.[1];
  if (missing !== undefined) return `${at}/${pointerToken(missing)} is required`;
  const type = /^Instance type "(.*)" is invalid\. Expected "(.*)"\.$/.exec(error.error);
  if (type) return `${at || '/'} must be ${type[2]?.replaceAll('", "', ' or ')}, not ${type[1]}`;
  const allowed = /^Instance does not match any of (.*)\.$/s.exec(error.error)?.[1];
  if (allowed !== undefined) return `${at || '/'} must be one of ${allowed}`;
  return `${at || '/'}: ${error.error.replace(/\.$/, '')}`;
}
