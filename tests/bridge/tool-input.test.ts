import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { dropUndeclared } from '../../src/bridge/tool-input.ts';
import { compileSchema } from '../../src/schema/index.ts';

const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } };

describe('D6: without strict_input undeclared members are dropped', () => {
  test.each<[string, JsonObject, Json, Json]>([
    ['at the root', point, { x: 1, z: 2 }, { x: 1 }],
    ['all of them, where none is declared', { type: 'object', properties: {} }, { a: 1 }, {}],
    ['at every depth', { properties: { at: point } }, { at: { x: 1, z: 2 }, b: 3 }, { at: { x: 1 } }],
    ['in items', { properties: { way: { type: 'array', items: point } } }, { way: [{ x: 1, z: 2 }, 7] }, { way: [{ x: 1 }, 7] }],
    [
      'in prefixItems and the items after them',
      { properties: { way: { prefixItems: [point, true], items: point } } },
      { way: [{ z: 1 }, { z: 2 }, { z: 3 }] },
      { way: [{}, { z: 2 }, {}] },
    ],
    [
      'below a member of an open object',
      { properties: { at: point }, additionalProperties: true },
      { at: { z: 1 }, b: 2 },
      { at: {}, b: 2 },
    ],
    ['also when named like a prototype’s', point, JSON.parse('{"__proto__":{"x":1},"constructor":1,"toString":2,"x":3}'), { x: 3 }],
    [
      'below a member, where a combinator says nothing of it',
      { properties: { at: point }, anyOf: [{ required: ['at'] }, { required: ['id'] }] },
      { at: { x: 1, z: 2 }, id: 'a' },
      { at: { x: 1 }, id: 'a' },
    ],
  ])('D6: %s', (_where, schema, value, expected) => {
    const dropped = dropUndeclared(value, schema);
    expect(dropped).toEqual(expected);
    expect(Object.getPrototypeOf(dropped)).toBe(Object.prototype);
  });

  test.each<[string, JsonObject, Json]>([
    ['lists no properties', { type: 'object' }, { a: 1 }],
    ['says what else may be there', { ...point, additionalProperties: { type: 'string' } }, { x: 1, a: 'b' }],
    ['closes itself', { ...point, additionalProperties: false }, { a: 1 }],
    ['has patternProperties', { ...point, patternProperties: { '^n': true } }, { n1: 1, m: 2 }],
    ['has unevaluatedProperties', { ...point, unevaluatedProperties: false }, { z: 1 }],
    ['has allOf', { ...point, allOf: [{ properties: { z: true } }] }, { x: 1, z: 2 }],
    ['has anyOf', { ...point, anyOf: [{ required: ['z'] }, true] }, { z: 2 }],
    ['has oneOf', { ...point, oneOf: [{ properties: { z: true } }] }, { z: 2 }],
    ['has not', { ...point, not: { required: ['q'] } }, { z: 2 }],
    ['has if', { ...point, if: { required: ['z'] } }, { z: 2 }],
    ['has dependentSchemas', { ...point, dependentSchemas: { x: { required: ['z'] } } }, { x: 1, z: 2 }],
    ['has $ref', { ...point, $ref: '#/$defs/more', $defs: { more: {} } }, { z: 2 }],
    [
      'describes a member in a branch too',
      { properties: { at: point }, allOf: [{ properties: { at: { properties: { z: true } } } }] },
      { at: { z: 1 } },
    ],
    ['refers elsewhere in a branch', { properties: { at: point }, allOf: [{ $ref: '#/$defs/more' }] }, { at: { z: 1 } }],
    ['describes the items in a branch too', { properties: { way: { items: point, allOf: [{ items: {} }] } } }, { way: [{ z: 1 }] }],
    ['is true', true as never, { a: 1 }],
  ])('D6: nothing is dropped where a schema %s', (_what, schema, value) => {
    expect(dropUndeclared(value, schema)).toEqual(value);
  });

  test('D6: what was declared is never lost, nor changed, and the rest goes', () => {
    const names = ['a', 'b', 'c', '__proto__', 'x/y'];
    const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant<JsonObject>({ type: 'integer' }),
        fc.dictionary(fc.constantFrom(...names), tie('schema')).map((properties): JsonObject => ({ type: 'object', properties })),
        tie('schema').map((items): JsonObject => ({ type: 'array', items })),
      ),
    }));
    /** A value that satisfies the schema, with noise that it does not declare; and the same without the noise. */
    const sample = (of: JsonObject, noise: boolean): Json => {
      if (of.type === 'integer') return 7;
      if (of.type === 'array') return [sample(of.items as JsonObject, noise), sample(of.items as JsonObject, noise)];
      const members = Object.entries(of.properties as JsonObject).map(([key, part]) => [key, sample(part as JsonObject, noise)]);
      return Object.fromEntries(noise ? [['noise', [1]], ...members, ['toString', 'noise']] : members);
    };
    fc.assert(
      fc.property(schema, (of) => {
        const clean = sample(of, false);
        expect(dropUndeclared(sample(of, true), of)).toEqual(clean);
        expect(dropUndeclared(clean, of)).toEqual(clean);
        expect(compileSchema(of, { strict: true })(clean)).toEqual([]);
        const noisy = sample(of, true);
        const same = JSON.stringify(noisy) === JSON.stringify(clean);
        expect(compileSchema(of, { strict: true })(noisy).length === 0).toBe(same);
      }),
      { numRuns: 100 },
    );
  });
});
