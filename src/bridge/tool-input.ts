import type { Json, JsonObject } from '../protocol/index.ts';

/**
 * The two ways of treating input members that a schema does not declare (AICC D6): `dropUndeclared` removes them,
 * `strictSchema` makes the schema refuse them.
 */

const COMBINATORS = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', '$ref', '$dynamicRef'];
const OPEN_ENDS = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'];

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (schema: JsonObject, keywords: string[]) => keywords.some((keyword) => Object.hasOwn(schema, keyword));

/** A copy of `value` without the members that `schema` leaves out. Where it uses combinators or says what else may be there, all is kept. */
export function dropUndeclared(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    return value.map((item, index) => dropUndeclared(item, index < first.length ? first[index] : schema.items));
  }
  if (!isObject(value) || !isObject(schema.properties)) return value;
  const { properties } = schema;
  const closed = !has(schema, COMBINATORS) && !has(schema, OPEN_ENDS);
  const kept = Object.entries(value).filter(([key]) => !closed || Object.hasOwn(properties, key));
  return Object.fromEntries(
    kept.map(([key, member]) => [key, Object.hasOwn(properties, key) ? dropUndeclared(member, properties[key]) : member]),
  );
}

/** The same schema, but refusing undeclared members at every depth where it does not itself say what else may be there. */
export function strictSchema(schema: JsonObject): JsonObject {
  return tighten(schema, true);
}

/** `own`: whether the schema alone describes its object; a branch of a combinator shares it with the others. */
function tighten(schema: JsonObject, own: boolean): JsonObject {
  const result: JsonObject = {};
  for (const [keyword, part] of Object.entries(schema)) result[keyword] = tightenPart(keyword, part);
  const combined = has(schema, COMBINATORS);
  if (!own || has(schema, OPEN_ENDS) || !(combined || schema.type === 'object' || isObject(schema.properties))) return result;
  // Only `unevaluatedProperties` sees what the branches of a combinator declare.
  result[combined ? 'unevaluatedProperties' : 'additionalProperties'] = false;
  return result;
}

function tightenPart(keyword: string, part: Json): Json {
  switch (keyword) {
    case 'properties':
    case 'patternProperties':
      return isObject(part) ? mapValues(part, (schema) => tighten(schema, true)) : part;
    case '$defs':
    case 'dependentSchemas':
      return isObject(part) ? mapValues(part, (schema) => tighten(schema, false)) : part;
    case 'items':
    case 'contains':
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return isObject(part) ? tighten(part, true) : part;
    case 'prefixItems':
      return Array.isArray(part) ? part.map((schema) => (isObject(schema) ? tighten(schema, true) : schema)) : part;
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(part) ? part.map((schema) => (isObject(schema) ? tighten(schema, false) : schema)) : part;
    case 'not':
    case 'if':
    case 'then':
    case 'else':
      return isObject(part) ? tighten(part, false) : part;
    default:
      return part;
  }
}

function mapValues(members: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([key, schema]) => [key, isObject(schema) ? change(schema) : schema]));
}
