import type { Json, JsonObject } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';

/**
 * The two ways of treating input members that a schema does not declare (AICC D6): `dropUndeclared` removes them,
 * `strictSchema` makes the schema refuse them.
 */

const COMBINATORS = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', '$ref', '$dynamicRef'];
const OPEN_ENDS = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'];
const REFERENCES = ['$ref', '$dynamicRef'];
const ITEMS = ['items', 'prefixItems', 'unevaluatedItems'];

const has = (schema: JsonObject, keywords: string[]) => keywords.some((keyword) => Object.hasOwn(schema, keyword));

/**
 * A copy of `value` without the members that `schema` leaves out. Where it uses combinators or says what else may be there, all its members
 * are kept; and what a branch of a combinator describes too is kept whole.
 */
export function dropUndeclared(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value;
  const others = branches(schema);
  if (has(schema, REFERENCES) || others.some((branch) => has(branch, REFERENCES))) return value;
  if (Array.isArray(value)) {
    if (others.some((branch) => has(branch, ITEMS))) return value;
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    return value.map((item, index) => dropUndeclared(item, index < first.length ? first[index] : schema.items));
  }
  if (!isObject(value) || !isObject(schema.properties)) return value;
  const { properties } = schema;
  const closed = !has(schema, COMBINATORS) && !has(schema, OPEN_ENDS);
  const kept = Object.entries(value).filter(([key]) => !closed || Object.hasOwn(properties, key));
  const alone = (key: string) => Object.hasOwn(properties, key) && !others.some((branch) => describes(branch, key));
  return Object.fromEntries(kept.map(([key, member]) => [key, alone(key) ? dropUndeclared(member, properties[key]) : member]));
}

/** Every schema that speaks about the same value by way of a combinator. */
function branches(schema: JsonObject): JsonObject[] {
  const direct = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'].flatMap((keyword) => {
    const part = schema[keyword];
    const isMap = keyword === 'dependentSchemas' && isObject(part);
    return Array.isArray(part) ? part : isMap ? Object.values(part) : [part];
  });
  return direct.filter(isObject).flatMap((branch) => [branch, ...branches(branch)]);
}

function describes(schema: JsonObject, key: string): boolean {
  return has(schema, OPEN_ENDS) || (isObject(schema.properties) && Object.hasOwn(schema.properties, key));
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
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return isObject(part) ? tighten(part, true) : part;
    case 'prefixItems':
      return Array.isArray(part) ? part.map((schema) => (isObject(schema) ? tighten(schema, true) : schema)) : part;
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(part) ? part.map((schema) => (isObject(schema) ? tighten(schema, false) : schema)) : part;
    case 'then':
    case 'else':
      return isObject(part) ? tighten(part, false) : part;
    // `if`, `not` and `contains` only ask: refusing there would answer something else.
    default:
      return part;
  }
}

function mapValues(members: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([key, schema]) => [key, isObject(schema) ? change(schema) : schema]));
}
