import { isObject, type Json, type JsonObject } from '../base/json.ts';

const COMBINATORS = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', '$ref', '$dynamicRef'];
const OPEN_ENDS = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'];
const REFERENCES = ['$ref', '$dynamicRef'];
const ITEMS = ['items', 'prefixItems', 'unevaluatedItems'];

const has = (schema: JsonObject, keywords: string[]) => keywords.some((keyword) => Object.hasOwn(schema, keyword));

/**
 * How input members that a schema does not declare are treated without `strict_input` (AICC D6; with it, compiling is strict):
 * a copy of `value` without the members that `schema` leaves out. Where it uses combinators or says what else may be there, all its members
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
