import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonCopy, NotJson } from '../../src/bridge/json-copy.ts';

/** The depth at which an output stands in its message. */
const copy = (value: unknown) => jsonCopy(value, 2);

describe('D14: a copy of what a game hands over', () => {
  test('D14: JSON is copied as it is, at every depth', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const copied = copy(value);
        // -0 is 0 in JSON.
        expect(JSON.stringify(copied)).toBe(JSON.stringify(value));
        expect(JSON.parse(JSON.stringify(copied))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 150 },
    );
  });

  test('D14: whatever comes in, JSON comes out or NotJson is thrown', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        let copied: unknown;
        try {
          copied = copy(value);
        } catch (error) {
          expect(error).toBeInstanceOf(NotJson);
          return;
        }
        expect(JSON.parse(JSON.stringify(copied))).toEqual(normalised(copied));
        // What passes is what JSON itself would have made of it.
        expect(JSON.stringify(copied)).toBe(JSON.stringify(value));
      }),
      { numRuns: 400 },
    );
  });

  test('D14: nothing is shared with the original', () => {
    const original = { list: [{ x: 1 }] };
    const copied = copy(original) as typeof original;
    original.list[0]!.x = 2;
    original.list.push({ x: 3 });
    expect(copied).toEqual({ list: [{ x: 1 }] });
  });

  test('D14: undefined members are left out, undefined items and holes are null', () => {
    const holes = [undefined, 1];
    holes[3] = 2;
    expect(copy({ a: undefined, b: holes })).toEqual({ b: [null, 1, null, 2] });
  });

  test('D14: toJSON speaks for its object', () => {
    expect(copy({ at: new Date(0), v: { toJSON: () => ({ x: 1 }) } })).toEqual({ at: '1970-01-01T00:00:00.000Z', v: { x: 1 } });
  });

  test('D14: a member called __proto__ is a member', () => {
    const copied = copy(JSON.parse('{"__proto__":{"admin":true}}')) as { admin?: boolean };
    expect(copied.admin).toBeUndefined();
    expect(JSON.stringify(copied)).toBe('{"__proto__":{"admin":true}}');
  });

  test('D14: objects without a prototype are plain', () => {
    expect(copy(Object.assign(Object.create(null), { x: 1 }))).toEqual({ x: 1 });
  });

  test.each<[string, unknown, string]>([
    ['NaN', { at: { x: Number.NaN } }, '/at/x is NaN'],
    ['an infinity', { list: [1, Number.NEGATIVE_INFINITY] }, '/list/1 is -Infinity'],
    ['a BigInt', { n: 1n }, '/n is a bigint'],
    ['a function', { run: () => 1 }, '/run is a function'],
    ['a symbol', { s: Symbol('s') }, '/s is a symbol'],
    ['a class instance', { sprite: new (class Sprite {})() }, '/sprite is a Sprite'],
    ['a Set', { tags: new Set() }, '/tags is a Set'],
    ['a name that pointers escape', { 'a/b~': Number.NaN }, '/a~1b~0 is NaN'],
    ['itself', Number.NaN, 'it is NaN'],
    ['nothing', undefined, 'it is a undefined'],
  ])('D14: %s is refused by pointer', (_what, value, message) => {
    expect(() => copy(value)).toThrow(new NotJson(message));
  });

  test('D14, A2: more than a message may hold is refused, soon', () => {
    expect(copy('x'.repeat(1_048_574))).toHaveLength(1_048_574);
    expect(() => copy('x'.repeat(1_048_575))).toThrow(/1048576 bytes/);
    const zeros = new Array(524_287).fill(0);
    expect(JSON.stringify(copy(zeros))).toHaveLength(1_048_575);
    expect(() => copy([...zeros, 0])).toThrow(/1048576 bytes/);
    expect(() => copy({ ['x'.repeat(600_000)]: 1, ['y'.repeat(600_000)]: 1 })).toThrow(/1048576 bytes/);
    expect(() => copy(new Array(2 ** 32 - 1))).toThrow(/1048576 bytes/);
  });

  test('D14, A2: 63 levels below the message itself are the most', () => {
    const nested = (levels: number): unknown => (levels === 1 ? [] : [nested(levels - 1)]);
    expect(copy(nested(63))).toEqual(nested(63));
    expect(() => copy(nested(64))).toThrow(/64 levels/);
  });
});

/** As JSON gives it back: 0 for -0. */
function normalised(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value !== 'object' || value === null) return value;
  return JSON.parse(JSON.stringify(value));
}
