import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { compileSchema } from '../../src/schema/index.ts';
import { ifThen } from '../fixtures/bridge-tools.ts';

const problems = (schema: Json, value: unknown) => compileSchema(schema)(value);
const at = (name: string, schema: Json): JsonObject => ({ properties: { [name]: schema } });

describe('D6: what is wrong is said by pointer', () => {
  test.each<[string, JsonObject, Json, string[]]>([
    ['a wrong type', at('x', { type: 'number' }), { x: 'a' }, ['/x must be number, not string']],
    ['one of several types', at('x', { type: ['number', 'null'] }), { x: 'a' }, ['/x must be number or null, not string']],
    ['no whole number', at('x', { type: 'integer' }), { x: 1.5 }, ['/x must be integer, not number']],
    ['null', at('x', { type: 'object' }), { x: null }, ['/x must be object, not null']],
    ['an array', { type: 'object' }, [], ['/ must be object, not array']],
    ['only the type, where that is wrong', at('x', { type: 'string', enum: ['a'] }), { x: 1 }, ['/x must be string, not number']],
    ['a missing member', { required: ['x', 'y'] }, {}, ['/x is required', '/y is required']],
    ['a missing member below', at('at', { required: ['x'] }), { at: {} }, ['/at/x is required']],
    ['a dependent member', { dependentRequired: { a: ['b'] } }, { a: 1 }, ['/b is required where "a" is given']],
    ['a value out of a list', at('how', { enum: ['walk', 'run'] }), { how: 'fly' }, ['/how must be one of ["walk","run"]']],
    ['another value', at('how', { const: { a: [1] } }), { how: { a: [2] } }, ['/how must be {"a":[1]}']],
    ['an undeclared member', { ...at('x', true), additionalProperties: false }, { y: 1 }, ['/y is not declared']],
    ['an unevaluated member', { allOf: [at('x', true)], unevaluatedProperties: false }, { y: 1 }, ['/y is not declared']],
    ['a forbidden member', at('x', false), { x: 1 }, ['/x is not allowed']],
    ['an item', at('way', { items: { type: 'number' } }), { way: [1, 'b', 3] }, ['/way/1 must be number, not string']],
    ['an item too many', at('way', { prefixItems: [true], items: false }), { way: [1, 2] }, ['/way/1 is not allowed']],
    ['too little', at('x', { minimum: 3 }), { x: 1 }, ['/x must be at least 3, not 1']],
    ['too much', at('x', { maximum: 10 }), { x: 12 }, ['/x must be at most 10, not 12']],
    ['just too little', at('x', { exclusiveMinimum: 3 }), { x: 3 }, ['/x must be more than 3, not 3']],
    ['just too much', at('x', { exclusiveMaximum: 3 }), { x: 3 }, ['/x must be less than 3, not 3']],
    ['no multiple', at('x', { multipleOf: 0.5 }), { x: 0.75 }, ['/x must be a multiple of 0.5, not 0.75']],
    ['a short text', at('name', { minLength: 2 }), { name: '🦊' }, ['/name must have at least 2 characters, not 1']],
    ['a long text', at('name', { maxLength: 1 }), { name: 'abc' }, ['/name must have at most 1 character, not 3']],
    ['a pattern', at('id', { pattern: '^[a-z]+$' }), { id: 'A1' }, ['/id must match the pattern ^[a-z]+$']],
    ['too few items', at('way', { minItems: 2 }), { way: [1] }, ['/way must have at least 2 items, not 1']],
    ['too many items', at('way', { maxItems: 1 }), { way: [1, 2] }, ['/way must have at most 1 item, not 2']],
    [
      'equal items',
      at('way', { uniqueItems: true }),
      { way: [{ a: 1, b: 2 }, 3, { b: 2, a: 1 }] },
      ['/way must not have equal items, like those at 0 and 2'],
    ],
    ['too few members', { minProperties: 1 }, {}, ['/ must have at least 1 member, not 0']],
    ['too many members', { maxProperties: 0 }, { a: 1 }, ['/ must have at most 0 members, not 1']],
    ['a name', { propertyNames: { pattern: '^a' } }, { a: 1, b: 1 }, ['/b must have a name that matches {"pattern":"^a"}']],
    [
      'nothing of a kind',
      at('l', { contains: { const: 1 } }),
      { l: [2] },
      ['/l must have at least 1, not 0, of items that match {"const":1}'],
    ],
    [
      'too much of a kind',
      at('l', { contains: { const: 1 }, maxContains: 1 }),
      { l: [1, 1] },
      ['/l must have at most 1, not 2, of items that match {"const":1}'],
    ],
    ['several at once', { ...at('a', { type: 'string' }), required: ['c'] }, { a: 1 }, ['/c is required', '/a must be string, not number']],
    ['the same twice but once', { allOf: [{ required: ['a'] }], required: ['a'] }, {}, ['/a is required']],
    [
      'names that pointers escape',
      { ...at('a/b', { type: 'string' }), required: ['~'] },
      { 'a/b': 1 },
      ['/~0 is required', '/a~1b must be string, not number'],
    ],
    ['names that addresses escape', at('größe %#', { type: 'string' }), { 'größe %#': 1 }, ['/größe %# must be string, not number']],
    [
      'no branch, in one phrase',
      { anyOf: [{ required: ['x'] }, { required: ['target'] }] },
      {},
      ['/ must match at least one of [{"required":["x"]},{"required":["target"]}], not 0'],
    ],
    [
      'too many branches, in one phrase',
      at('at', { oneOf: [{ type: 'number' }, { const: 1 }] }),
      { at: 1 },
      ['/at must match exactly one of [{"type":"number"},{"const":1}], not 2'],
    ],
    ['what must not be', at('x', { not: { const: 1 } }), { x: 1 }, ['/x must not match {"const":1}']],
    [
      'something behind a $ref',
      { $defs: { n: { type: 'number' } }, ...at('x', { $ref: '#/$defs/n' }) },
      { x: 'a' },
      ['/x must be number, not string'],
    ],
    ['a then', { ...ifThen({ required: ['x'] }, { required: ['y'] }) }, { x: 1 }, ['/y is required']],
    ['an else', { if: { required: ['x'] }, else: { required: ['y'] } }, {}, ['/y is required']],
    ['a dependent schema', { dependentSchemas: { a: at('b', { type: 'string' }) } }, { a: 1, b: 1 }, ['/b must be string, not number']],
  ])('D6: %s', (_what, schema, value, expected) => {
    expect(problems(schema, value)).toEqual(expected);
  });

  test('D6: where no branch fits, no member is called undeclared', () => {
    const schema = { anyOf: [at('a', { const: 1 }), at('b', { const: 1 })], unevaluatedProperties: false };
    expect(problems(schema, { a: 2, b: 2 })).toEqual([expect.stringContaining('must match at least one of')]);
    expect(problems(schema, { a: 1, b: 2 })).toEqual(['/b is not declared']);
  });

  test('D6: what satisfies the schema has no problems', () => {
    const check = compileSchema({ type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] });
    expect(check({ x: 3 })).toEqual([]);
    expect(check({ x: 3.0, more: true })).toEqual([]);
    expect(check({ x: 3.5 })).toHaveLength(1);
    // One check leaves nothing behind for the next.
    expect(check({ x: 3 })).toEqual([]);
  });

  test('D6: ten problems are named, and that there are more', () => {
    const check = compileSchema(at('way', { items: { type: 'number' } }));
    expect(check({ way: Array(10).fill('x') })).toHaveLength(10);
    const found = check({ way: Array(13).fill('x') });
    expect(found).toHaveLength(11);
    expect(found[9]).toBe('/way/9 must be number, not string');
    expect(found[10]).toBe('and more');
  });

  test('D6: however long a name or a list is, a phrase stays short', () => {
    const name = 'n'.repeat(100_000);
    const [long] = problems({ additionalProperties: { type: 'number' } }, { [name]: 'a' });
    expect(long).toBe(`/${'n'.repeat(499)}…`);
    expect(problems({ enum: Array.from({ length: 1_000 }, (_, index) => index) }, 'a')[0]).toMatch(/^\/ must be one of \[0,1,.*…$/);
  });
});

describe('floating point', () => {
  test.each([
    [0.3, 0.1],
    [19.99, 0.01],
    [-1.1, 0.1],
    [4.35, 0.01],
    [12_391_239_123, 1e-8],
    [1e308, 0.5],
    [0, 0.1],
    [1e22, 10],
  ])('%d is a multiple of %d', (value, multipleOf) => {
    expect(problems({ multipleOf }, value)).toEqual([]);
  });

  test.each([
    [0.35, 0.1],
    [0.00751, 0.0001],
    [9_007_199_254_740_991, 2],
    [1e308, 0.123456789],
    [1, 1e308],
    [1e-300, 1],
  ])('%d is no multiple of %d', (value, multipleOf) => {
    expect(problems({ multipleOf }, value)).toHaveLength(1);
  });
});

describe('names like those of a prototype', () => {
  const parsed = (text: string): JsonObject => JSON.parse(text);

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'])('%s is a member like others', (name) => {
    const empty = {};
    const full = parsed(`{"${name}":1}`);
    const of = (schema: string) => compileSchema(parsed(`{${schema.replaceAll('N', name)}}`));
    expect(of('"required":["N"]')(empty)).toEqual([`/${name} is required`]);
    expect(of('"required":["N"]')(full)).toEqual([]);
    expect(of('"properties":{"N":{"type":"string"}}')(empty)).toEqual([]);
    expect(of('"properties":{"N":{"type":"string"}}')(full)).toEqual([`/${name} must be string, not number`]);
    expect(of('"properties":{"N":true},"additionalProperties":false')(full)).toEqual([]);
    expect(of('"properties":{"a":true},"additionalProperties":false')(full)).toEqual([`/${name} is not declared`]);
    expect(of('"allOf":[{"properties":{"N":true}}],"unevaluatedProperties":false')(full)).toEqual([]);
    expect(of('"allOf":[true],"unevaluatedProperties":false')(full)).toEqual([`/${name} is not declared`]);
    expect(of('"dependentRequired":{"N":["b"]}')(empty)).toEqual([]);
    expect(of('"dependentRequired":{"N":["b"]}')(full)).toHaveLength(1);
    expect(of('"dependentSchemas":{"N":false}')(empty)).toEqual([]);
    expect(of('"dependentSchemas":{"N":false}')(full)).toHaveLength(1);
    expect(of('"const":{"N":1}')(full)).toEqual([]);
    expect(of('"const":{"N":1}')(empty)).toHaveLength(1);
    expect(of('"const":{}')(full)).toHaveLength(1);
    expect(of('"$defs":{"N":{"const":1}},"properties":{"N":{"$ref":"#/$defs/N"}}')(full)).toEqual([]);
    expect(of('"N":{"type":"string"}')(full)).toEqual([]);
  });
});

describe('equality', () => {
  test.each<[Json, Json, boolean]>([
    [{ a: 1, b: [2, { c: null }] }, { b: [2, { c: null }], a: 1 }, true],
    [1, 1.0, true],
    [0, -0, true],
    [1, true, false],
    [0, false, false],
    [null, 'null', false],
    ['{"a":1}', { a: 1 }, false],
    ['[1]', [1], false],
    ['1', 1, false],
    [[1, 2], [[1], 2], false],
    [['a,b'], ['a', 'b'], false],
    [{ 'a":1,"b': 1 }, { a: 1, b: 1 }, false],
    [[1, null], [1], false],
    [{}, [], false],
    ['', null, false],
  ])('%j and %j: %s', (one, other, equal) => {
    expect(problems({ const: one }, other).length === 0).toBe(equal);
    expect(problems({ enum: [7, other] }, one).length === 0).toBe(equal);
    expect(problems({ uniqueItems: true }, [one, other]).length > 0).toBe(equal);
  });
});

describe('bounds of a value', () => {
  const deep = (levels: number, inner: Json, wrap: (value: Json) => Json) => Array.from({ length: levels }).reduce(wrap, inner) as Json;

  test('one that nests to the limit of a message is followed to its end, by recursion too', () => {
    const list = compileSchema({ properties: { next: { $ref: '#' }, n: { type: 'number' } } });
    expect(list(deep(63, { n: 1 }, (next) => ({ next })))).toEqual([]);
    expect(list(deep(63, { n: 'a' }, (next) => ({ next })))).toEqual([`${'/next'.repeat(63)}/n must be number, not string`.slice(0, 500)]);
    const nest = { items: { $ref: '#' }, type: ['array', 'null'], uniqueItems: true, unevaluatedItems: false };
    expect(compileSchema(nest)(deep(63, null, (item) => [item]))).toEqual([]);
    expect(compileSchema(nest)(deep(63, 1, (item) => [item]))).toHaveLength(1);
  });

  test('large lists are checked in one go, not item against item', () => {
    const LENGTH = 2_000;
    let looks = 0;
    const item = (index: number) => ({
      get id() {
        looks++;
        return index;
      },
      name: `n${index}`,
    });
    const looksAt = (schema: Json) => {
      looks = 0;
      expect(
        problems(
          schema,
          Array.from({ length: LENGTH }, (_, index) => item(index)),
        ),
      ).toEqual([]);
      return looks / LENGTH;
    };
    const listed = Array.from({ length: LENGTH }, (_, index) => ({ id: index, name: `n${index}` }));
    expect(looksAt({ uniqueItems: true, items: { unevaluatedProperties: false, properties: { id: true, name: true } } })).toBeLessThan(10);
    expect(looksAt({ items: { enum: listed } })).toBeLessThan(10);
  });

  test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1, Symbol('s'), 1n])('what is no JSON makes no throw: %o', (value) => {
    expect(problems({ type: 'object' }, value)).toHaveLength(1);
    expect(problems({ minimum: 1, minLength: 1, required: ['a'], enum: [] }, value).length).toBeGreaterThan(0);
  });
});
