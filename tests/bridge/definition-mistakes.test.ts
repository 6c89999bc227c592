import { describe, expect, test } from 'vitest';
import { createBridge } from '../../src/bridge/index.ts';
import { type LooseSpec, tool } from '../fixtures/bridge-tools.ts';
import { TestWorld } from '../fixtures/bridge-world.ts';

const published = (input: object) => new TestWorld([tool('act', { input })]).open().init.tools[0]?.input_schema;
const number = { type: 'number' };

describe('B2: models get a type wherever the schema tells one', () => {
  test.each<[string, object, object]>([
    ['an enum of texts', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    ['an enum of several kinds', { enum: ['a', 1, null] }, { type: ['string', 'integer', 'null'], enum: ['a', 1, null] }],
    ['a const', { const: 1.5 }, { type: 'number', const: 1.5 }],
    ['bounds', { minimum: 1 }, { type: 'number', minimum: 1 }],
    ['a pattern', { pattern: '^a' }, { type: 'string', pattern: '^a' }],
    ['items', { items: { enum: [true] } }, { type: 'array', items: { type: 'boolean', enum: [true] } }],
    ['members', { properties: { y: number } }, { type: 'object', properties: { y: number } }],
    ['branches', { anyOf: [{ const: 'a' }, number] }, { anyOf: [{ type: 'string', const: 'a' }, number] }],
    ['nothing told', { description: 'Anything.' }, { description: 'Anything.' }],
  ])('%s', (_what, x, expected) => {
    expect(published({ properties: { x } })).toEqual({ type: 'object', properties: { x: expected } });
  });
});

describe('a mistake in a tool throws where it is written, and says how to mend it', () => {
  test.each<[string, object, string]>([
    ['a misspelled option', { inputs: {} }, "there is no option 'inputs': did you mean 'input'?"],
    ['a time in a string', { timeoutMs: '5' }, "timeoutMs must be a number of at least 0, not '5'"],
    ['a lane that is no name', { lane: 1 }, 'lane must be a string, not 1'],
    [
      'a misspelled keyword',
      { input: { properties: { x: { type: 'number', minimun: 1 } } } },
      "input: /properties/x/minimun is no keyword of JSON Schema: did you mean 'minimum'?",
    ],
    [
      'letters that changed places',
      { input: { properties: { x: number }, requierd: ['x'] } },
      "/requierd is no keyword of JSON Schema: did you mean 'required'?",
    ],
    ['a plural', { input: { propertys: { x: number } } }, "/propertys is no keyword of JSON Schema: did you mean 'properties'?"],
    ['another case', { input: { properties: { x: { type: 'string', maxlength: 5 } } } }, "did you mean 'maxLength'?"],
    [
      'a misspelled data class',
      { output: { properties: { x: { type: 'string', 'x-dataclass': 'private' } } } },
      "output: /properties/x/x-dataclass is no keyword of JSON Schema: did you mean 'x-data-class'?",
    ],
    [
      'a keyword of another dialect',
      { input: { properties: { x: { type: 'string', nullable: true } } } },
      'write type: ["string", "null"]',
    ],
    [
      'members outside of properties, as types alone',
      { input: { depth: 'number' } },
      'input: /depth is no keyword of JSON Schema: members are declared below properties',
    ],
    [
      'members outside of properties',
      { input: { x: { type: 'number' } } },
      'input: /x is no keyword of JSON Schema: members are declared below properties',
    ],
    [
      'a required member that is not declared',
      { input: { properties: { target: { type: 'string' } }, required: ['targt'] } },
      "input: /required names 'targt', which properties does not declare: did you mean 'target'?",
    ],
    [
      'one of a branch',
      { input: { properties: { x: number }, anyOf: [{ required: ['x'] }, { required: ['z'] }] } },
      "/anyOf/1/required names 'z'",
    ],
    [
      'one further down',
      { output: { properties: { at: { properties: { x: number }, required: ['y'] } } } },
      "output: /properties/at/required names 'y'",
    ],
    [
      'a number that is none',
      { input: { properties: { x: { enum: [Number.POSITIVE_INFINITY] } } } },
      'input must be plain JSON that fits into a message: /properties/x/enum/0 is Infinity',
    ],
  ])('%s', (_what, spec, message) => {
    const make = () => tool('act', spec as LooseSpec);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  test.each<[string, object]>([
    [
      'a branch that requires what the whole declares',
      { properties: { x: number, y: number }, anyOf: [{ required: ['x'] }, { required: ['y'] }] },
    ],
    ['a whole that requires what a branch declares', { allOf: [{ properties: { x: number } }], required: ['x'] }],
    ['a map', { additionalProperties: number, required: ['x'] }],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: { properties: { x: number } } }, required: ['x'] }],
    ['what must not be there', { properties: { x: number }, not: { required: ['old'] } }],
    ['words of other tools', { properties: { x: { enum: ['a'], enumNames: ['A'], markdownDescription: 'A', 'x-order': 1, note: 'a' } } }],
    ['members named like keywords', { properties: { type: number, minimun: number, x: number }, required: ['minimun'] }],
  ])('but not %s', (_what, input) => {
    expect(published(input)).toBeDefined();
  });

  test('so does one in the options of a bridge', () => {
    const make = (options?: object) => () => createBridge(options as never);
    expect(make()).toThrow('createBridge: world.name must be a name');
    expect(make({ world: { name: 'w' } })).toThrow('createBridge: clock and newId must be given');
    expect(make({ world: { name: 'w' }, tickratehz: 5 })).toThrow(
      "createBridge: there is no option 'tickratehz': did you mean 'tickRateHz'?",
    );
  });
});
