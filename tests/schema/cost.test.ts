import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { compileSchema } from '../../src/schema/index.ts';

// Whatever is slower than it should be here takes minutes or for ever: the test's own limit tells.

const MIB = 1_048_000;
const BLANKS = `${' '.repeat(MIB)}x`;
const at = (x: Json): JsonObject => ({ type: 'object', properties: { x } });
const problems = (schema: Json, value: unknown) => compileSchema(schema)(value);

describe('D6: the cheap keywords come first, and keep the others from looking', () => {
  test.each<[string, JsonObject, unknown, string]>([
    ['maxLength before pattern', { pattern: '\\s+$', maxLength: 100 }, BLANKS, '/x must have at most 100 characters, not 1048001'],
    ['type before pattern', { pattern: '^a', type: 'number' }, 'b', '/x must be number, not string'],
    [
      'maxItems before items',
      { items: { type: 'string', pattern: '\\s+$' }, uniqueItems: true, maxItems: 2 },
      Array(3).fill('b'),
      '/x must have at most 2 items, not 3',
    ],
    [
      'maxProperties before members and names',
      { propertyNames: { pattern: '^a' }, additionalProperties: false, maxProperties: 1 },
      { b: 1, c: 2 },
      '/x must have at most 1 member, not 2',
    ],
  ])('%s, however they are written', (_what, schema, x, problem) => {
    expect(problems(at(schema), { x })).toEqual([problem]);
  });
});

describe('D6: what a pattern sees is bounded', () => {
  test.each<[string, JsonObject, unknown, string]>([
    ['in a text', at({ type: 'string', pattern: '\\s+$' }), { x: BLANKS }, '/x'],
    ['where maxLength allows more', at({ type: 'string', maxLength: 2_000_000, pattern: '\\s+$' }), { x: BLANKS }, '/x'],
    ['where another branch has the maxLength', at({ allOf: [{ maxLength: 5 }, { pattern: '\\s+$' }] }), { x: BLANKS }, '/x'],
    ['in names', { propertyNames: { pattern: '\\s+$' } }, { [BLANKS]: 1 }, '/'],
    ['in patternProperties', { patternProperties: { '\\s+$': true } }, { [BLANKS]: 1 }, '/'],
    ['where it must not match', at({ not: { pattern: '\\s+$' } }), { x: BLANKS }, '/x'],
    ['in many texts together', { items: { pattern: '\\s+$' } }, Array(1_000).fill(`${' '.repeat(1_000)}x`), '/1'],
    ['in three parts that compete', at({ pattern: '^.+@.+\\..+$' }), { x: '@.'.repeat(100) }, '/x'],
  ])('%s', (_what, schema, value, pointer) => {
    const found = problems(schema, value);
    expect(found.at(-1)).toMatch(new RegExp(`^${pointer}\\S* is too long for the pattern`));
  });

  test.each<[string, string, string]>([
    ['^[a-z]+(_[a-z0-9]+)*$', 'the_old_mill_2', 'The'],
    ['^(\\d+,)*\\d+$', '1,22,3', '1,,2'],
    ['^(north|south)+$', 'northsouth', 'northeast'],
    ['^(?:\\[[a-z]*\\])*$', '[a][][bc]', '[a'],
    ['^\\s*\\S[\\s\\S]*$', ' hello there ', '   '],
    ['^.{1,64}$', 'x'.repeat(64), 'x'.repeat(65)],
  ])('an honest pattern works as ever: %s', (pattern, good, bad) => {
    expect(problems({ pattern }, good)).toEqual([]);
    expect(problems({ pattern }, bad)).toHaveLength(1);
  });

  test('a long text passes a pattern that looks at each character once', () => {
    expect(problems({ pattern: '^[a-z ]*$' }, 'all fine '.repeat(100_000))).toEqual([]);
  });

  test.each([
    '^(a+)+$',
    '(a|a)*b',
    '^(a|aa)+$',
    '^([a-zA-Z0-9]+)*$',
    '(.*)*x',
    '^(\\w+\\s?)*$',
    '^(.*a){20}$',
    '(x+x+)+y',
    '^(a?)*$',
    '^((a|b)+)*$',
  ])('one that some texts keep busy for ever is refused with its schema: %s', (pattern) => {
    const words = /must be a regular expression, .* in which no repeated group matches one text in several ways, as in \(a\+\)\+, not/;
    expect(() => compileSchema(at({ pattern }))).toThrow(words);
    expect(() => compileSchema({ patternProperties: { [pattern]: true } })).toThrow(/in which no repeated group/);
  });
});

describe('D6: a check ends when there is enough to tell', () => {
  test('half a million wrong items are not all put into words', () => {
    const found = problems({ items: { type: 'string' } }, Array(500_000).fill(7));
    expect(found).toHaveLength(11);
    expect(found.at(-1)).toBe('and more');
    expect(
      problems({ propertyNames: { maxLength: 1 } }, Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`n${n}`, 1]))),
    ).toHaveLength(11);
  });

  test('half a million right items pass', () => {
    expect(problems({ items: { type: 'array', items: { type: 'integer' } } }, Array(260_000).fill([7]))).toEqual([]);
  });

  test('branches that look into the same member again and again are cut short', () => {
    const branch = { type: 'object', properties: { next: { $ref: '#' } }, required: ['op'] };
    const deep = Array.from({ length: 60 }).reduce<Json>((next) => ({ op: 1, next }), 7);
    const found = problems({ anyOf: [{ const: null }, branch, { ...branch, minProperties: 1 }] }, deep);
    expect(found).toEqual([expect.stringMatching(/^(\/next)+ is more than can be checked$/)]);
  });

  test('a large object is not compared with plain values', () => {
    const large = Array(100_000).fill({ a: 'x' });
    const anyOf = Array.from({ length: 2_000 }, (_, n) => ({ const: n }));
    expect(problems({ anyOf }, large)).toHaveLength(1);
  });
});

describe('D6: numbers are those that JSON can carry', () => {
  test.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])('%d is neither number nor integer', (x) => {
    expect(problems(at({ type: 'number' }), { x })).toEqual([`/x must be number, not ${x}`]);
    expect(problems(at({ type: ['integer', 'null'] }), { x })).toEqual([`/x must be integer or null, not ${x}`]);
  });

  test('an integer is one that no reader rounds: beyond 2^53 it is refused', () => {
    expect(problems(at({ type: 'integer' }), { x: Number.MAX_SAFE_INTEGER })).toEqual([]);
    expect(problems(at({ type: 'integer' }), JSON.parse('{"x":9007199254740993}'))).toEqual([
      '/x must be integer, not 9007199254740992, which is beyond ±9007199254740991',
    ]);
    expect(problems(at({ type: 'number' }), { x: 1e300 })).toEqual([]);
  });
});
