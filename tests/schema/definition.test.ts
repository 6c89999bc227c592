import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { compileSchema } from '../../src/schema/index.ts';
import { tool } from '../fixtures/bridge-tools.ts';

const SCHEMA = 'must be a schema: an object, true or false, not';

describe('a schema that cannot work is refused when it is compiled', () => {
  test.each<[string, Json, string]>([
    ['no schema at all', 7, `/ ${SCHEMA} 7`],
    [
      'an unknown type',
      { properties: { y: { type: 'strin' } } },
      '/properties/y/type must be one of string, number, integer, boolean, object, array, null, or an array of them, not "strin"',
    ],
    ['an unknown type in a list', { type: ['string', 'any'] }, '/type must be one of'],
    ['no type in a list', { type: [] }, '/type must be one of'],
    ['a type that is no name', { type: null }, '/type must be one of'],
    ['properties that are a list', { properties: ['x'] }, '/properties must be an object of schemas, not ["x"]'],
    ['a property that is no schema', { properties: { 'a/b': 'string' } }, `/properties/a~1b ${SCHEMA} "string"`],
    ['required as a flag', { properties: { x: { required: true } } }, '/properties/x/required must be an array of strings, not true'],
    ['required with a number', { required: ['a', 1] }, '/required must be an array of strings, not ["a",1]'],
    ['dependentRequired', { dependentRequired: { a: 'b' } }, '/dependentRequired must be an object of arrays of strings'],
    ['a bad pattern', { properties: { id: { pattern: '(' } } }, '/properties/id/pattern must be a regular expression, as with the flag u'],
    ['a pattern that is no text', { pattern: 1 }, '/pattern must be a regular expression, as with the flag u'],
    [
      'a bad patternProperties',
      { patternProperties: { '[': true } },
      '/patternProperties must be an object of schemas by a regular expression',
    ],
    ['a negative length', { items: { minLength: -1 } }, '/items/minLength must be a whole number of at least 0, not -1'],
    ['half an item', { maxItems: 1.5 }, '/maxItems must be a whole number of at least 0, not 1.5'],
    ['minContains', { minContains: '1' }, '/minContains must be a whole number of at least 0, not "1"'],
    ['a bound that is a text', { minimum: '3' }, '/minimum must be a number, not "3"'],
    ['the old exclusiveMinimum', { minimum: 3, exclusiveMinimum: true }, '/exclusiveMinimum must be a number, not true'],
    ['multiples of nothing', { multipleOf: 0 }, '/multipleOf must be a number above 0, not 0'],
    ['uniqueItems', { uniqueItems: 'yes' }, '/uniqueItems must be true or false, not "yes"'],
    ['enum', { enum: 'a' }, '/enum must be an array, not "a"'],
    ['the old list of items', { items: [{ type: 'number' }] }, `/items ${SCHEMA} [{"type":"number"}]`],
    ['no branch', { anyOf: [] }, '/anyOf must be an array of at least one schema, not []'],
    ['a branch that is no schema', { allOf: [true, null] }, `/allOf/1 ${SCHEMA} null`],
    ['a then without an if', { else: 1 }, `/else ${SCHEMA} 1`],
    ['a bad schema in $defs', { $defs: { a: { type: 'x' } } }, '/$defs/a/type must be one of'],
    ['a bad schema in a combinator', { not: { contains: { minLength: null } } }, '/not/contains/minLength must be a whole number'],
    [
      'a $ref to nothing',
      { properties: { x: { $ref: '#/$defs/none' } } },
      '/properties/x/$ref must be the address of a schema in this document, not "#/$defs/none"',
    ],
    ['a $ref to no schema', { $ref: '#/required', required: ['a'] }, `/required ${SCHEMA} ["a"]`],
    ['a $ref to a broken schema', { $ref: '#/definitions/a', definitions: { a: { type: 'x' } } }, '/definitions/a/type must be one of'],
    ['a $ref to a prototype', { $ref: '#/constructor' }, '/$ref must be the address of'],
    ['a $ref to an unknown anchor', { $ref: '#there' }, '/$ref must be the address of'],
    ['a $ref that is no text', { $ref: 1 }, '/$ref must be the address of a schema in this document, not 1'],
    [
      'a remote $ref',
      { $ref: 'https://example.com/a.json' },
      '/$ref must be the address of a schema in this document, not "https://example.com/a.json"',
    ],
    ['a $ref that is no address', { $ref: 'https://' }, '/$ref must be the address of'],
    ['a $ref with a bad escape', { $ref: '#/%zz' }, '/$ref must be the address of'],
    ['an $id with a fragment', { $id: '#a' }, '/$id must be an address without fragment, not "#a"'],
    ['an $id that is no address', { $id: 'https://' }, '/$id must be an address without fragment, not "https://"'],
    ['an $anchor with a #', { $anchor: '#a' }, '/$anchor must be a name, not "#a"'],
    ['$dynamicRef', { $dynamicRef: '#a' }, '/$dynamicRef must be left out, for it is not supported'],
    ['$dynamicAnchor', { $defs: { a: { $dynamicAnchor: 'a' } } }, '/$defs/a/$dynamicAnchor must be left out, for it is not supported'],
    ['$vocabulary', { $vocabulary: {} }, '/$vocabulary must be left out, for it is not supported'],
    [
      'another dialect',
      { $schema: 'https://example.com/mine' },
      '/$schema must be a draft of json-schema.org, not "https://example.com/mine"',
    ],
  ])('%s', (_what, schema, message) => {
    let thrown: unknown;
    try {
      compileSchema(schema);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(TypeError);
    expect((thrown as Error).message.slice(0, message.length)).toBe(message);
  });

  test.each<[string, Json, string]>([
    ['itself', { $ref: '#' }, '/'],
    ['itself by a branch', { properties: { x: { anyOf: [{ type: 'null' }, { $ref: '#/properties/x' }] } } }, '/properties/x'],
    ['one that leads back', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } }, '/$defs/a'],
    ['itself by what it must not be', { not: { $ref: '#' } }, '/'],
    ['itself by a condition', { if: true, else: { $ref: '#' } }, '/'],
    ['itself by a dependent schema', { dependentSchemas: { a: { $ref: '#' } } }, '/'],
  ])('one that refers to %s without looking into the value', (_what, schema, pointer) => {
    expect(() => compileSchema(schema)).toThrow(`${pointer} must not refer to itself for the same value: a check would never end`);
  });

  test.each<[string, JsonObject]>([
    ['a member', { properties: { x: { $ref: '#' } } }],
    ['an item', { items: { $ref: '#' } }],
    ['two ways to one place', { $defs: { a: { type: 'object' } }, allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }],
  ])('one that refers to itself by %s is fine', (_what, schema) => {
    expect(compileSchema(schema)({ x: {} })).toEqual([]);
  });

  test('what nobody knows is left alone', () => {
    const schema = {
      'x-data-class': 'health',
      format: 'no such',
      title: 1,
      examples: 2,
      contentEncoding: 3,
      definitions: 4,
      dependencies: [],
    };
    expect(compileSchema({ ...schema, $comment: {}, default: {}, readOnly: 'yes', deprecated: 1, nullable: 1 })({ a: 1 })).toEqual([]);
  });

  test('format is an annotation, as the draft has it', () => {
    expect(compileSchema({ format: 'uuid' })('no uuid')).toEqual([]);
  });

  test.each(['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'])('$schema may be %s', ($schema) => {
    expect(compileSchema({ $schema, type: 'string' })('a')).toEqual([]);
  });

  test('a reference finds anchors, embedded documents and places that no keyword knows', () => {
    const check = compileSchema({
      $id: 'https://example.com/root',
      $defs: {
        one: { $anchor: 'here', const: 1 },
        two: { $id: 'other/two', $anchor: 'here', const: 2, $defs: { three: { const: 3 } } },
      },
      unknown: { 'a/b %~': { const: 4 } },
      properties: {
        one: { $ref: '#here' },
        two: { $ref: 'other/two' },
        anchor: { $ref: 'https://example.com/other/two#here' },
        three: { $ref: 'other/two#/$defs/three' },
        four: { $ref: '#/unknown/a~1b%20%25~0' },
      },
    });
    expect(check({ one: 1, two: 2, anchor: 2, three: 3, four: 4 })).toEqual([]);
    expect(check({ one: 0, two: 0, anchor: 0, three: 0, four: 0 })).toEqual([
      '/one must be 1',
      '/two must be 2',
      '/anchor must be 2',
      '/three must be 3',
      '/four must be 4',
    ]);
  });
});

describe('a tool with a schema that cannot work is refused when it is defined', () => {
  test('D6: its input', () => {
    expect(() => tool('x', { input: { properties: { y: { type: 'strin' } } } })).toThrow(
      /^defineTool\('x'\): input: \/properties\/y\/type must be one of /,
    );
  });

  test('D14: its output', () => {
    expect(() => tool('x', { output: { required: 'y' } })).toThrow(
      'defineTool(\'x\'): output: /required must be an array of strings, not "y"',
    );
  });

  test('even one that nests without end', () => {
    const nested = Array.from({ length: 100_000 }).reduce<object>((items) => ({ items }), {});
    const input: Record<string, unknown> = { properties: { nested } };
    expect(() => tool('x', { input })).toThrow(/^defineTool\('x'\): input/);
    input.properties = input;
    expect(() => tool('x', { input })).toThrow("defineTool('x'): input must be plain JSON");
  });
});
