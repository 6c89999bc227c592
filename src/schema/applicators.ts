import { isObject, type Json, type JsonObject, pointerToken } from '../base/json.ts';
import { ADDRESS, isAny, isString, type Keyword, NOWHERE, type Place } from './keyword.ts';
import { compilePattern, EXPRESSION } from './pattern.ts';
import { type Check, keysOf, type Run } from './run.ts';
import { typeOf } from './values.ts';

const isSchemas = (part: Json) => Array.isArray(part) && part.length > 0;
const SCHEMAS = 'an array of at least one schema';

const one = (make: (place: Place, part: Json) => Check | Check[] | undefined): Keyword => [
  isAny,
  '',
  (part: Json, place) => make(place, part),
];
const list = (make: (parts: Json[], place: Place) => Check | Check[]): Keyword => [isSchemas, SCHEMAS, make];
const map = (make: (names: string[], place: Place) => Check | Check[] | undefined): Keyword => [
  isObject,
  'an object of schemas',
  (part: JsonObject, place) => make(Object.keys(part), place),
];
const unsupported: Keyword = [() => false, 'left out, for it is not supported'];

/** Checks those members or items for which `pick` has a check; with `rest` only those that nothing has spoken about. */
const each =
  (type: string, pick: (key: never, run: Run) => Check | undefined | false, rest = false): Check =>
  (value, run, from) => {
    if (typeOf(value) !== type) return true;
    const seen = rest ? run.evaluated(value, from) : undefined;
    let ok = true;
    for (const key of keysOf(value as object)) {
      const check = !seen?.has(key) && pick(key as never, run);
      if (!check || run.below(check, value as object, key)) continue;
      if (run.quiet) return false;
      ok = false;
    }
    return ok;
  };

const alternatives = (keyword: string, words: string, fits: (matches: number) => boolean): Keyword =>
  list((parts, place) => {
    const checks = parts.map((_, index) => place.same(keyword, index));
    return (value, run) => {
      const matches = checks.filter((check) => run.attempt(check, value)).length;
      if (fits(matches)) return true;
      // No branch tells which members there may be.
      run.markAll(value);
      return run.refuse(() => ` must match ${words} of ${JSON.stringify(parts)}, not ${matches}`, value);
    };
  });

/** The applicator vocabularies of JSON Schema 2020-12. What looks at the members that others leave comes last. */
export const APPLICATORS: Readonly<Record<string, Keyword>> = {
  $schema: [(part: Json) => isString(part) && (part as string).includes('//json-schema.org/'), 'a draft of json-schema.org'],
  $id: [
    (part: Json) => isString(part) && /^[^#]*#?$/.test(part as string) && new URL(part as string, NOWHERE),
    'an address without fragment',
    (id: string, place) => void place.name(id),
  ],
  $anchor: [
    (part: Json) => isString(part) && /^[a-z_][-.\w]*$/i.test(part as string),
    'a name',
    (name: string, place) => void place.name(`#${name}`),
  ],
  $dynamicRef: unsupported,
  $dynamicAnchor: unsupported,
  $vocabulary: unsupported,
  $defs: map((names, place) => names.map((name) => place.part('$defs', name)) && undefined),
  propertyNames: one((place, part) => {
    const check = place.part('propertyNames');
    const say = (name: string) => `/${pointerToken(name)} must have a name that matches ${JSON.stringify(part)}`;
    return (value, run) =>
      !isObject(value) || Object.keys(value).filter((name) => !run.attempt(check, name) && !run.refuse(say, name)).length === 0;
  }),
  properties: map((names, place) => {
    const checks = new Map(names.map((name) => [name, place.part('properties', name)]));
    return each('object', (name) => checks.get(name));
  }),
  patternProperties: [
    (part: Json) => isObject(part) && Object.keys(part).map(compilePattern),
    `an object of schemas by ${EXPRESSION}`,
    (part: JsonObject, place) =>
      Object.keys(part).map((text) => {
        const pattern = compilePattern(text);
        const check = place.part('patternProperties', text);
        return each('object', (name, run) => pattern.test(name, run) && check);
      }),
  ],
  additionalProperties: one((place) => {
    const { properties = {}, patternProperties = {} } = place.schema as Record<string, JsonObject>;
    const patterns = Object.keys(patternProperties).map(compilePattern);
    const check = place.part('additionalProperties');
    return each('object', (name, run) => !Object.hasOwn(properties, name) && !patterns.some((pattern) => pattern.test(name, run)) && check);
  }),
  prefixItems: list((parts, place) => {
    const checks = parts.map((_, index) => place.part('prefixItems', index));
    return each('array', (index) => checks[index]);
  }),
  items: one((place) => {
    const first = ((place.schema.prefixItems ?? []) as Json[]).length;
    const check = place.part('items');
    return each('array', (index) => index >= first && check);
  }),
  contains: one((place, part) => {
    const check = place.part('contains');
    const { minContains: least = 1, maxContains: most = Number.POSITIVE_INFINITY } = place.schema as Record<string, number>;
    return (value, run) => {
      if (!Array.isArray(value)) return true;
      const matches = value.filter((item, index) => run.attempt(check, item) && run.mark(value, index)).length;
      if (matches >= least && matches <= most) return true;
      const wanted = matches < least ? `least ${least}` : `most ${most}`;
      return run.refuse(() => ` must have at ${wanted}, not ${matches}, of items that match ${JSON.stringify(part)}`, value);
    };
  }),
  $ref: [
    (part: Json) => isString(part) && new URL(part as string, NOWHERE) && decodeURI(part as string),
    ADDRESS,
    (reference: string, place) => place.refer(reference),
  ],
  dependentSchemas: map((names, place) =>
    names.map((name) => {
      const check = place.same('dependentSchemas', name);
      return (value, run) => !isObject(value) || !Object.hasOwn(value, name) || check(value, run, 0);
    }),
  ),
  allOf: list((parts, place) => parts.map((_, index) => place.same('allOf', index))),
  anyOf: alternatives('anyOf', 'at least one', (matches) => matches > 0),
  oneOf: alternatives('oneOf', 'exactly one', (matches) => matches === 1),
  not: one((place, part) => {
    const check = place.same('not');
    return (value, run) => !run.attempt(check, value) || run.refuse(() => ` must not match ${JSON.stringify(part)}`, value);
  }),
  if: one((place) => {
    const condition = place.same('if');
    const [yes, no] = ['then', 'else'].map((keyword) => (Object.hasOwn(place.schema, keyword) ? place.same(keyword) : undefined));
    return (value, run) => (run.attempt(condition, value) ? yes : no)?.(value, run, 0) ?? true;
  }),
  // Without an `if` these say nothing, but must be schemas all the same.
  ...Object.fromEntries(['then', 'else'].map((keyword) => [keyword, one((place) => void place.part(keyword))])),
  unevaluatedProperties: one((place) => each('object', left(place, 'unevaluatedProperties'), true)),
  unevaluatedItems: one((place) => each('array', left(place, 'unevaluatedItems'), true)),
};

function left(place: Place, keyword: string): () => Check {
  const check = place.part(keyword);
  return () => check;
}
