import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/bridge/schema-check.ts';
import type { JsonObject } from '../../src/protocol/index.ts';
import { ifThen } from '../fixtures/bridge-tools.ts';

describe('D6: what is wrong is said by pointer', () => {
  test.each<[string, JsonObject, unknown, RegExp[]]>([
    ['a wrong type', { properties: { x: { type: 'number' } } }, { x: 'a' }, [/^\/x must be number, not string$/]],
    ['one of several types', { properties: { x: { type: ['number', 'null'] } } }, { x: 'a' }, [/^\/x must be number or null, not string$/]],
    ['a missing member', { required: ['x', 'y'] }, {}, [/^\/x is required$/, /^\/y is required$/]],
    ['a missing member below', { properties: { at: { required: ['x'] } } }, { at: {} }, [/^\/at\/x is required$/]],
    [
      'a value out of a list',
      { properties: { how: { enum: ['walk', 'run'] } } },
      { how: 'fly' },
      [/^\/how must be one of \["walk","run"\]$/],
    ],
    ['an undeclared member', { properties: { x: true }, additionalProperties: false }, { y: 1 }, [/^\/y is not declared$/]],
    ['an item', { properties: { way: { items: { type: 'number' } } } }, { way: [1, 'b', 3] }, [/^\/way\/1 must be number, not string$/]],
    ['a range', { properties: { x: { minimum: 3 } } }, { x: 1 }, [/^\/x: .*3/]],
    ['a length', { properties: { text: { maxLength: 2 } } }, { text: 'abc' }, [/^\/text: /]],
    ['a pattern', { properties: { id: { pattern: '^[a-z]+$' } } }, { id: 'A1' }, [/^\/id: /]],
    [
      'several at once',
      { properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['c'] },
      { a: 1, b: 2 },
      [/^\/a/, /^\/b/, /^\/c/],
    ],
    [
      'names that pointers escape',
      { properties: { 'a/b': { type: 'string' } }, required: ['~'] },
      { 'a/b': 1 },
      [/^\/a~1b must/, /^\/~0 is required$/],
    ],
    ['names that addresses escape', { properties: { 'größe %#': { type: 'string' } } }, { 'größe %#': 1 }, [/^\/größe %# must be string/]],
    ['no branch', { anyOf: [{ required: ['x'] }, { required: ['target'] }] }, {}, [/^\/: /]],
    ['a branch below', { properties: { at: { oneOf: [{ type: 'string' }, { type: 'null' }] } } }, { at: 1 }, [/^\/at: /]],
    [
      'something behind a $ref',
      { $defs: { n: { type: 'number' } }, properties: { x: { $ref: '#/$defs/n' } } },
      { x: 'a' },
      [/^\/x must be number/],
    ],
    ['a then', { ...ifThen({ required: ['x'] }, { required: ['y'] }) }, { x: 1 }, [/^\/y is required$/]],
  ])('D6: %s', (_what, schema, value, expected) => {
    const problems = compileSchema(schema)(value);
    for (const pattern of expected) expect(problems.filter((problem) => pattern.test(problem))).toHaveLength(1);
    expect(problems).toHaveLength(expected.length);
  });

  test('D6: what satisfies the schema has no problems', () => {
    const check = compileSchema({ type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] });
    expect(check({ x: 3 })).toEqual([]);
    expect(check({ x: 3.0, more: true })).toEqual([]);
    expect(check({ x: 3.5 })).toHaveLength(1);
  });

  test('D6: ten problems are named, and how many more there are', () => {
    const items = { type: 'number' };
    const problems = compileSchema({ properties: { way: { items } } })({ way: Array(13).fill('x') });
    expect(problems).toHaveLength(11);
    expect(problems.at(-1)).toBe('3 more');
  });

  test('a schema that cannot be used makes a problem, no throw', () => {
    for (const schema of [{ $ref: '#/$defs/none' }, { properties: { x: { pattern: '(' } } }]) {
      expect(compileSchema(schema as JsonObject)({ x: 'a' })).toEqual([expect.stringContaining('the schema itself cannot be used')]);
    }
  });
});
