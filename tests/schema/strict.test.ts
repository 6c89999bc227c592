import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { compileSchema } from '../../src/schema/index.ts';
import { ifThen } from '../fixtures/bridge-tools.ts';

const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } };
const at = (properties: JsonObject): JsonObject => ({ properties: { at: { type: 'object', properties } } });
const problems = (schema: JsonObject, value: Json) => compileSchema(schema, { strict: true })(value);
const accepts = (schema: JsonObject, value: Json) => problems(schema, value).length === 0;

describe('D6: with strict_input undeclared members are refused', () => {
  test.each<[string, JsonObject, Json, boolean]>([
    ['a declared member', point, { x: 1 }, true],
    ['an undeclared one', point, { x: 1, z: 1 }, false],
    ['an undeclared one below', { properties: { at: point } }, { at: { z: 1 } }, false],
    ['an undeclared one in an item', { properties: { way: { items: point } } }, { way: [{ x: 1 }, { z: 1 }] }, false],
    ['an undeclared one in a prefix item', { properties: { way: { prefixItems: [point] } } }, { way: [{ z: 1 }] }, false],
    ['one of an object without properties', { type: 'object' }, { a: 1 }, false],
    ['one that the schema lets in', { ...point, additionalProperties: { type: 'string' } }, { a: 'b' }, true],
    ['one below what the schema lets in', { ...point, additionalProperties: point }, { a: { z: 1 } }, false],
    ['one by pattern', { ...point, patternProperties: { '^n': point } }, { n1: { x: 1 } }, true],
    ['one below a pattern', { ...point, patternProperties: { '^n': point } }, { n1: { z: 1 } }, false],
    [
      'one of a branch',
      { ...point, anyOf: [{ properties: { z: { type: 'number' } }, required: ['z'] }, { required: ['x'] }] },
      { z: 1 },
      true,
    ],
    ['one of no branch', { ...point, anyOf: [{ properties: { z: true }, required: ['z'] }, { required: ['x'] }] }, { x: 1, q: 1 }, false],
    ['one below a branch', { oneOf: [{ properties: { at: point } }] }, { at: { z: 1 } }, false],
    ['one behind a $ref', { $defs: { point }, properties: { at: { $ref: '#/$defs/point' } } }, { at: { x: 1 } }, true],
    ['an undeclared one behind a $ref', { $defs: { point }, properties: { at: { $ref: '#/$defs/point' } } }, { at: { z: 1 } }, false],
    ['one of then', { ...point, ...ifThen({ required: ['x'] }, { properties: { z: true } }) }, { x: 1, z: 1 }, true],
    ['one of then without its if', { ...point, ...ifThen({ required: ['x'] }, { properties: { z: true } }) }, { y: 1, z: 1 }, false],
    ['one of a dependent schema', { ...point, dependentSchemas: { x: { properties: { z: true } } } }, { x: 1, z: 1 }, true],
    ['a recursive schema that fits', { properties: { next: { $ref: '#' }, n: true } }, { next: { next: { n: 1 } } }, true],
    ['a recursive schema that does not', { properties: { next: { $ref: '#' }, n: true } }, { next: { next: { m: 1 } } }, false],
    ['one of a nested object that a branch repeats', { ...at({ x: true }), allOf: [at({ y: true })] }, { at: { x: 1, y: 2 } }, true],
    ['an undeclared one of it', { ...at({ x: true }), allOf: [at({ y: true })] }, { at: { x: 1, z: 2 } }, false],
    [
      'one of a nested object that only another branch describes',
      { anyOf: [{ ...at({ x: true }), required: ['b'] }, at({ y: true })] },
      { at: { x: 1 } },
      false,
    ],
    [
      'one of an item that contains speaks of too',
      { properties: { l: { items: point, contains: { properties: { x: { const: 1 } } } } } },
      { l: [{ x: 1 }, { y: 1 }] },
      true,
    ],
    [
      'an undeclared one where an object is one of several types',
      { properties: { at: { type: ['object', 'null'] } } },
      { at: { z: 1 } },
      false,
    ],
    ['one that matches no pattern', { patternProperties: { '^n': true } }, { m: 1 }, false],
    [
      'any of a free member',
      { properties: { at: true, by: {}, of: { description: 'free' } } },
      { at: { a: 1 }, by: { b: 1 }, of: { c: 1 } },
      true,
    ],
    ['one evaluated by the schema itself', { properties: { x: true }, unevaluatedProperties: { type: 'number' } }, { x: 1, y: 2 }, true],
    ['one called __proto__', JSON.parse('{"type":"object","properties":{"__proto__":true}}'), JSON.parse('{"__proto__":1}'), true],
    ['an undeclared one called __proto__', point, JSON.parse('{"__proto__":1}'), false],
    ['a const object', { properties: { at: { const: { x: 1 } } } }, { at: { x: 1 } }, true],
  ])('D6: %s', (_what, schema, value, fits) => {
    expect(accepts(schema, value)).toBe(fits);
  });

  test('D6: if and not go on asking what they asked', () => {
    const about = { properties: { at: { properties: { x: { const: 1 } }, required: ['x'] } }, required: ['at'] };
    const at = { at: { ...point } };
    // at.y is declared: it must not make `if` false, nor `not` true.
    expect(accepts({ properties: { ...at, z: true }, ...ifThen(about, { required: ['z'] }) }, { at: { x: 1, y: 2 } })).toBe(false);
    expect(accepts({ properties: at, not: about }, { at: { x: 1, y: 2 } })).toBe(false);
    expect(accepts({ properties: at, not: about }, { at: { x: 2, y: 2 } })).toBe(true);
  });

  test('D6: every undeclared member is named by its pointer, beside what else is wrong', () => {
    const schema = { ...point, properties: { ...point.properties, way: { items: point } } };
    expect(problems(schema, { x: 'a', z: 1, way: [{ x: 1 }, { 'a/b': 1 }] })).toEqual([
      '/x must be number, not string',
      '/z is not declared',
      '/way/1/a~1b is not declared',
    ]);
  });

  test('D6: what the schema itself refuses is not told twice', () => {
    expect(problems({ ...point, additionalProperties: false }, { z: 1 })).toEqual(['/z is not declared']);
  });

  test('D6: large inputs are looked through in one go', () => {
    const way = Array.from({ length: 50_000 }, (_, index) => ({ x: index, y: 1 }));
    expect(problems({ properties: { way: { items: point } } }, { way })).toEqual([]);
  });
});
