import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { compileSchema } from '../../src/schema/index.ts';

/** Few names and small numbers, so that schemas and values often meet. */
const name = fc.constantFrom('a', 'b', 'c', 'a/b');
const number = fc.constantFrom(0, 1, 2, 3, -1, 0.5, 1.5);
const count = fc.constantFrom(0, 1, 2, 3);
const text = fc.constantFrom('', 'a', 'ab', 'abc', '🦊', 'b1');
const pattern = fc.constantFrom('^a', 'b$', '^.$', '[0-9]', '🦊');
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
const map = <T>(key: fc.Arbitrary<string>, member: fc.Arbitrary<T>, minKeys: number, maxKeys: number) =>
  fc.dictionary(key, member, { minKeys, maxKeys, noNullPrototype: true });

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof<fc.Arbitrary<Json>[]>(number, text, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    map(name, tie('value'), 0, 4),
  ),
}));

const { schema, object } = fc.letrec<{ schema: Json; some: Json[]; object: JsonObject }>((tie) => {
  const schema = tie('schema');
  const keywords: Record<string, fc.Arbitrary<Json>> = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, comparator: (one, other) => JSON.stringify(one) === JSON.stringify(other) }),
    const: value,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: fc.constantFrom(0.5, 1, 2),
    minLength: count,
    maxLength: count,
    pattern,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    prefixItems: tie('some'),
    items: schema,
    minProperties: count,
    maxProperties: count,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    dependentRequired: map(name, fc.uniqueArray(name, { maxLength: 2 }), 0, 2),
    properties: map(name, schema, 1, 3),
    patternProperties: map(pattern, schema, 1, 2),
    additionalProperties: schema,
    propertyNames: schema,
    dependentSchemas: map(name, schema, 1, 2),
    allOf: tie('some'),
    anyOf: tie('some'),
    oneOf: tie('some'),
    not: schema,
    $ref: fc.constantFrom('#/$defs/leaf', '#/$defs/tree', '#list'),
  };
  const alone = fc
    .constantFrom(...Object.keys(keywords))
    .chain((key) => (keywords[key] as fc.Arbitrary<Json>).map((part) => [[key, part]]));
  const together = fc
    .constantFrom(['if', 'then', 'else'], ['contains', 'minContains', 'maxContains'])
    .chain((keys) =>
      fc.tuple(...keys.map((key) => (/C/.test(key) ? count : schema))).map((parts) => keys.map((key, at) => [key, parts[at] as Json])),
    );
  const keyword = fc.oneof({ arbitrary: alone, weight: 9 }, together);
  return {
    some: fc.array(schema, { minLength: 1, maxLength: 3 }),
    object: fc.array(keyword, { minLength: 1, maxLength: 5 }).map((entries) => comparable(Object.fromEntries(entries.flat()))),
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.oneof<fc.Arbitrary<Json>[]>(
        fc.boolean(),
        type.map((of) => ({ type: of })),
      ),
      tie('object'),
    ),
  };
});

/** ajv takes `contains` beside `prefixItems` as satisfied by an empty list. */
function comparable(schema: JsonObject): JsonObject {
  const { prefixItems: _left, ...rest } = schema;
  return Object.hasOwn(schema, 'contains') ? rest : schema;
}

const $defs: JsonObject = {
  leaf: { type: ['string', 'integer'], maximum: 2 },
  tree: { type: 'object', properties: { a: { $ref: '#/$defs/tree' }, b: { $ref: '#/$defs/leaf' } } },
  list: { $anchor: 'list', prefixItems: [{ type: 'number' }], items: { anyOf: [{ $ref: '#list' }, { type: 'string' }] }, type: 'array' },
};

/** The verdicts of ajv on one schema and its parts. Its own bookkeeping of unevaluated members is off, for it counts failed branches. */
function judge(): (schema: Json | undefined, value: Json) => boolean {
  const checks = new Map<unknown, (value: Json) => unknown>();
  return (schema, value) => {
    let check = checks.get(schema);
    if (check === undefined) {
      const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, ownProperties: true });
      ajv.opts.unevaluated = false;
      check = ajv.compile(isObject(schema) ? { ...structuredClone(schema), $defs } : (schema as boolean));
      checks.set(schema, check);
    }
    return check(value) === true;
  };
}

/** The names or indexes of a value that a schema evaluates, as the draft defines it: those of all that hold. */
function evaluated(schema: Json | undefined, value: Json, holds: ReturnType<typeof judge>): string[] {
  if (!isObject(schema) || !holds(schema, value)) return [];
  const part = (keyword: string) => schema[keyword] as JsonObject;
  const parts = (keyword: string) => (schema[keyword] ?? []) as Json[];
  const same = [...parts('allOf'), ...parts('anyOf'), ...parts('oneOf'), schema.if];
  if (schema.if !== undefined) same.push(holds(schema.if, value) ? schema.then : schema.else);
  if (schema.$ref !== undefined) same.push($defs[String(schema.$ref).replace(/.*[/#]/, '')]);
  const keys = isObject(value) || Array.isArray(value) ? Object.keys(value) : [];
  for (const [key, dependent] of Object.entries(part('dependentSchemas') ?? {}))
    if (isObject(value) && keys.includes(key)) same.push(dependent);
  const deeper = same.flatMap((other) => evaluated(other, value, holds));
  if (Array.isArray(value)) {
    const matching = schema.contains === undefined ? [] : keys.filter((index) => holds(schema.contains, value[Number(index)] as Json));
    return [...deeper, ...matching, ...(schema.items === undefined ? keys.slice(0, parts('prefixItems').length) : keys)];
  }
  const patterns = Object.keys(part('patternProperties') ?? {}).map((each) => new RegExp(each, 'u'));
  const named = keys.filter((key) => Object.hasOwn(part('properties') ?? {}, key) || patterns.some((each) => each.test(key)));
  return [...deeper, ...(schema.additionalProperties === undefined ? named : keys)];
}

const values = fc.array(value, { minLength: 10, maxLength: 10 });
const RUNS = { seed: 202_012, numRuns: 150 };

describe('verdicts are those of ajv', () => {
  test('on random schemas and values', () => {
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(object, values, (schema, some) => {
        const holds = judge();
        const check = compileSchema({ ...schema, $defs });
        for (const one of some) {
          const valid = holds(schema, one);
          seen[`${valid}`]++;
          expect({ schema, value: one, valid: check(one).length === 0 }).toEqual({ schema, value: one, valid });
        }
      }),
      RUNS,
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(RUNS.numRuns);
  });

  test('and those of the draft on what they leave unevaluated', () => {
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(object, schema, values, (whole, unevaluated, some) => {
        const holds = judge();
        const check = compileSchema({ ...whole, unevaluatedProperties: unevaluated, unevaluatedItems: unevaluated, $defs });
        for (const one of some) {
          if (!holds(whole, one)) continue;
          const spoken = evaluated(whole, one, holds);
          const left = typeof one === 'object' && one !== null ? Object.entries(one).filter(([key]) => !spoken.includes(key)) : [];
          const valid = left.every(([, member]) => holds(unevaluated, member));
          seen[`${valid}`]++;
          expect({ whole, unevaluated, value: one, valid: check(one).length === 0 }).toEqual({ whole, unevaluated, value: one, valid });
        }
      }),
      RUNS,
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(RUNS.numRuns / 2);
  });
});
