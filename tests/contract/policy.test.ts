import fc from 'fast-check';
import { policyFor } from 'phaser-aicc/contract';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { ToolFacts } from '../../src/bridge/policy.ts';
import { type ContractTerms, termsOf } from '../../src/contract/node.ts';
import { compileSchema } from '../../src/schema/index.ts';
import { AT, localOffer, VECTORS } from './vectors.ts';

const terms = (more: Partial<ContractTerms> = {}): ContractTerms => ({ ...termsOf(VECTORS.offer, true), ...more });
const policy = (more: Partial<ContractTerms> = {}) => policyFor(terms(more) as unknown as JsonObject, AT);
const tool = (more: Partial<ToolFacts> = {}): ToolFacts => ({
  id: 'move_to',
  class: 'actuator',
  capability: 'locomotion',
  output: { type: 'object' },
  dataClass: undefined,
  ...more,
});
const sensor = (more: Partial<ToolFacts> = {}) => tool({ id: 'look', class: 'sensor', capability: 'vision', ...more });

describe('T0: terms', () => {
  test('are what of an offer rules the game, and plain JSON', () => {
    expect(JSON.parse(JSON.stringify(terms()))).toEqual({
      version: 1,
      interactionId: VECTORS.contract.interactionId,
      contractHash: VECTORS.contractHash,
      allowedActions: ['move_to', 'say', 'expression'],
      prohibitedActions: ['attack'],
      allowedData: ['public', 'position'],
      prohibitedData: ['private_notes'],
      approvals: ['give'],
      endsAt: Date.parse('2098-12-31T00:00:00Z'),
      endsBy: 'deadline',
      completionConditions: ['all_lanterns_lit'],
      cancellationConditions: ['player_left'],
      retentionDays: 7,
      capabilities: ['locomotion', 'speech'],
    });
  });

  test('T15: a local offer grants nothing that stands outside its contract', () => {
    expect(termsOf(localOffer(), false).capabilities).toEqual([]);
  });

  test.each(Object.keys(terms()))('without %s they are not understood, and nothing is played under them', (name) => {
    const { [name as 'version']: _gone, ...rest } = terms();
    expect(() => policyFor(rest as unknown as JsonObject, AT)).toThrow(/must be of the same version/);
  });
});

describe('T9: actions', () => {
  test('listed by id or by capability may be used, all others not', () => {
    expect(policy().allows(tool())).toBe(true);
    expect(policy().allows(tool({ id: 'wave', capability: 'expression' }))).toBe(true);
    expect(policy().allows(tool({ id: 'dig', capability: 'manipulation' }))).toBe("the contract does not allow 'dig'");
    expect(policy().allows(tool({ id: 'sing', class: 'generator', capability: 'speech' }))).toBe("the contract does not allow 'sing'");
    expect(policy({ allowedActions: [] }).allows(tool())).toBe("the contract does not allow 'move_to'");
  });

  test('a prohibition counts more, by id or by capability', () => {
    expect(policy({ prohibitedActions: ['move_to'] }).allows(tool())).toBe("the contract prohibits 'move_to'");
    expect(policy({ prohibitedActions: ['locomotion'] }).allows(tool())).toBe("the contract prohibits 'move_to'");
  });

  test('a sensor needs no listing', () => {
    expect(policy({ allowedActions: [] }).allows(sensor())).toBe(true);
  });

  test('T11: a person is asked for what is named, by id or by capability', () => {
    expect(policy().needsApproval(tool({ id: 'give' }))).toBe(true);
    expect(policy({ approvals: ['locomotion'] }).needsApproval(tool())).toBe(true);
    expect(policy().needsApproval(tool())).toBe(false);
  });
});

describe('T12, T13: the end', () => {
  test('T12: comes at the deadline or when the offer ends, whichever is first', () => {
    expect(policy().deadline).toEqual({
      inMs: Date.parse('2098-12-31T00:00:00Z') - AT,
      reason: "expired: the contract's deadline is reached",
    });
    const early = termsOf(localOffer({}, { expiresAt: '2026-06-01T00:00:01Z' }), false);
    expect(policyFor(early as unknown as JsonObject, AT).deadline).toEqual({ inMs: 1000, reason: 'expired: the session offer has ended' });
    expect(policyFor(early as unknown as JsonObject, AT + 5000).deadline?.inMs).toBe(0);
  });

  test('T13: comes with a condition, which is said', () => {
    expect(policy().endedBy?.('all_lanterns_lit')).toBe('completed: all_lanterns_lit');
    expect(policy().endedBy?.('player_left')).toBe('cancelled: player_left');
    expect(policy().endedBy?.('rain')).toBeUndefined();
  });
});

describe('T10: data classes', () => {
  const notes = { type: 'string', 'x-data-class': 'private_notes' };
  const output = {
    type: 'object',
    properties: {
      at: { type: 'object', 'x-data-class': 'position', properties: { x: { type: 'number' } } },
      notes,
      health: { type: 'number', 'x-data-class': 'health' },
      bag: { type: 'array', items: { type: 'object', properties: { item: { type: 'string' }, notes }, required: ['item', 'notes'] } },
      letters: { type: 'array', items: notes, minItems: 1 },
    },
    required: ['at', 'notes', 'bag', 'letters'],
    additionalProperties: false,
  };
  const seen = { at: { x: 1 }, notes: 'psst', health: 3, bag: [{ item: 'oil', notes: 'mine' }], letters: ['dear'] };

  test('what is prohibited, or not allowed, goes; the schema goes along', () => {
    const look = sensor({ output });
    expect(policy().allows(look)).toBe(true);
    expect(policy().redact?.(look, seen)).toEqual({ at: { x: 1 }, bag: [{ item: 'oil' }], letters: [] });
    expect(policy().outputSchema?.(look)).toEqual({
      type: 'object',
      properties: {
        at: output.properties.at,
        bag: { type: 'array', items: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] } },
        letters: { type: 'array', items: {} },
      },
      required: ['at', 'bag', 'letters'],
      additionalProperties: false,
    });
    expect(JSON.stringify(policy().outputSchema?.(look))).not.toContain('private_notes');
    expect(policy().isSensitive?.(look)).toBe(true);
  });

  test('where nothing is forbidden, nothing is touched', () => {
    const open = policy({ allowedData: ['position', 'health', 'private_notes'], prohibitedData: [] });
    const look = sensor({ output });
    expect(open.redact?.(look, seen)).toBe(seen);
    expect(open.outputSchema?.(look)).toBe(output);
    expect(open.isSensitive?.(look)).toBe(false);
  });

  test('undeclared is public: allowed unless prohibited, also by an empty list', () => {
    for (const allowedData of [[], ['position']]) expect(policy({ allowedData }).mayTell?.(undefined)).toBe(true);
    expect(policy({ allowedData: [] }).mayTell?.('position')).toBe(false);
    const closed = policy({ prohibitedData: ['public'] });
    expect(closed.mayTell?.(undefined)).toBe(false);
    expect(closed.allows(sensor())).toBe("the contract keeps what 'look' senses back");
    expect(closed.redact?.(tool(), { ok: true })).toEqual({});
    expect(closed.allows(sensor({ dataClass: 'position' }))).toBe(true);
  });

  test('prohibited counts more than allowed', () => {
    expect(policy({ allowedData: ['position'], prohibitedData: ['position'] }).mayTell?.('position')).toBe(false);
  });

  test.each([
    ['by its class', sensor({ dataClass: 'private_notes' })],
    ['by its schema', sensor({ output: { type: 'object', 'x-data-class': 'private_notes' } })],
    ['by one of several classes', sensor({ output: { type: 'object', 'x-data-class': ['public', 'private_notes'] } })],
    ['by a schema beside it', sensor({ output: { type: 'object', allOf: [{ 'x-data-class': 'private_notes' }] } })],
    ['by a class that is no text', sensor({ output: { type: 'object', 'x-data-class': 7 } })],
    ['because its schema leads somewhere unknown', sensor({ output: { type: 'object', $ref: 'other.json' } })],
  ])('a tool that is forbidden as a whole, %s, senses and tells nothing', (_how, facts) => {
    expect(policy().allows(facts)).toBe("the contract keeps what 'look' senses back");
    expect(policy().redact?.(facts, { any: 'thing' })).toEqual({});
    expect(policy().outputSchema?.(facts)).toEqual({ type: 'object' });
    expect(policy().isSensitive?.(facts)).toBe(true);
    expect(policy().allows({ ...facts, id: 'move_to', class: 'actuator' })).toBe(true);
  });

  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['patterns', { patternProperties: { '^n': notes } }, { n1: 'a', m: 1 }, { m: 1 }],
    ['additional members', { properties: { a: { type: 'number' } }, additionalProperties: notes }, { a: 1, b: 'x' }, { a: 1 }],
    ['references', { properties: { n: { $ref: '#/$defs/n' }, m: {} }, $defs: { n: notes } }, { n: 'a', m: 1 }, { m: 1 }],
    ['a reference with odd characters', { properties: { n: { $ref: '#/$defs/a~1b%20c' } }, $defs: { 'a/b c': notes } }, { n: 'a' }, {}],
    [
      'references in a ring',
      { properties: { next: { $ref: '#' }, n: notes } },
      { n: 'a', next: { n: 'b', next: {} } },
      { next: { next: {} } },
    ],
    ['alternatives', { anyOf: [{ properties: { n: notes } }, { properties: { m: {} } }] }, { n: 'a', m: 1 }, { m: 1 }],
    ['conditions', { if: { properties: { m: {} } }, else: { properties: { n: notes } } }, { n: 'a', m: 1 }, { m: 1 }],
    ['dependent schemas', { dependentSchemas: { m: { properties: { n: notes } } } }, { n: 'a', m: 1 }, { m: 1 }],
    ['first items', { properties: { l: { prefixItems: [notes, {}] } } }, { l: ['a', 'b', 'c'] }, { l: ['b', 'c'] }],
    [
      'a member called __proto__',
      JSON.parse(`{"properties":{"__proto__":${JSON.stringify(notes)},"m":{}}}`),
      JSON.parse('{"__proto__":"a","m":1}'),
      { m: 1 },
    ],
  ])('are found in %s', (_where, schema, whole, left) => {
    const facts = sensor({ output: { type: 'object', ...schema } });
    const redacted = policy().redact?.(facts, whole);
    expect(redacted).toEqual(left);
    expect(Object.keys(redacted as object)).toEqual(Object.keys(left));
    const told = policy().outputSchema?.(facts) as JsonObject;
    expect(compileSchema(told)(redacted)).toEqual([]);
    expect(JSON.stringify(told)).not.toContain('private_notes');
  });

  const schemas = fc.letrec<{ schema: JsonObject }>((tie) => {
    const marked = (schema: fc.Arbitrary<JsonObject>) =>
      fc
        .tuple(schema, fc.constantFrom(undefined, undefined, 'position', 'private_notes', 'health'))
        .map(([each, dataClass]) => (dataClass ? { ...each, 'x-data-class': dataClass } : each) as JsonObject);
    const names = ['a', 'b', 'c'];
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'schema' },
        marked(fc.constantFrom<JsonObject>({ type: 'string' }, { type: 'number' })),
        marked(tie('schema').map((items) => ({ type: 'array', items, maxItems: 2 }))),
        marked(
          fc
            .tuple(fc.dictionary(fc.constantFrom(...names), tie('schema'), { minKeys: 1 }), fc.boolean(), fc.boolean())
            .map(([properties, required, open]) => ({
              type: 'object',
              properties,
              ...(required && { required: Object.keys(properties), minProperties: Object.keys(properties).length }),
              ...(!open && { additionalProperties: false }),
            })),
        ),
      ),
    };
  }).schema;

  /** A value of the schema, made of its members; each text names the classes on the way to it. */
  function exampleOf(schema: JsonObject, classes: string[]): JsonObject[string] {
    const own = typeof schema['x-data-class'] === 'string' ? [...classes, schema['x-data-class']] : classes;
    if (schema.type === 'string') return own.join(' ');
    if (schema.type === 'number') return 1;
    if (schema.type === 'array') return [exampleOf(schema.items as JsonObject, own), exampleOf(schema.items as JsonObject, own)];
    return Object.fromEntries(
      Object.entries(schema.properties as JsonObject).map(([name, each]) => [name, exampleOf(each as JsonObject, own)]),
    );
  }

  test('whatever the schema: nothing forbidden is told, and what is told conforms to the schema that is told', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('p', 'q', 'r'), schemas, { minKeys: 1 }), (properties) => {
        const facts = sensor({ output: { type: 'object', properties, required: Object.keys(properties) } });
        const whole = exampleOf(facts.output, []) as JsonObject;
        expect(compileSchema(facts.output)(whole)).toEqual([]);
        const told = policy().redact?.(facts, whole);
        expect(JSON.stringify(told)).not.toMatch(/private_notes|health/);
        expect(compileSchema(policy().outputSchema?.(facts) as JsonObject)(told)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('T10: a class anywhere in a schema counts', () => {
  const secret = { type: 'string', 'x-data-class': 'private_notes' };
  const inside: [string, JsonObject, JsonObject][] = [
    ['not', { not: secret }, { a: 'psst' }],
    ['propertyNames', { propertyNames: secret }, { a: { psst: 1 } }],
    ['contentSchema', { contentMediaType: 'application/json', contentSchema: secret }, { a: '"psst"' }],
    ['items as a list', { items: [secret] as never }, { a: ['psst'] }],
    ['additionalItems', { items: [{}] as never, additionalItems: secret }, { a: [1, 'psst'] }],
    ['dependencies', { dependencies: { b: { properties: { b: secret } } } }, { a: { b: 'psst' } }],
    ['prefixItems', { prefixItems: [{}, secret] }, { a: [1, 'psst'] }],
    ['contains', { contains: secret }, { a: ['psst'] }],
    ['unevaluatedItems', { unevaluatedItems: secret }, { a: ['psst'] }],
    ['unevaluatedProperties', { unevaluatedProperties: secret }, { a: { b: 'psst' } }],
    ['additionalProperties', { additionalProperties: secret }, { a: { b: 'psst' } }],
    ['patternProperties', { patternProperties: { '^b': secret } }, { a: { b: 'psst' } }],
    ['dependentSchemas', { dependentSchemas: { b: { properties: { b: secret } } } }, { a: { b: 'psst' } }],
    ['then', JSON.parse(JSON.stringify({ if: {}, THEN: secret }).replace('THEN', 'then')), { a: 'psst' }],
    ['else', { if: false, else: secret }, { a: 'psst' }],
    ['a reference', { $ref: '#/$defs/secret' }, { a: 'psst' }],
    ['a reference within not', { not: { anyOf: [{ $ref: '#/$defs/secret' }] } }, { a: 'psst' }],
    ['a reference into an unknown keyword', { $ref: '#/elsewhere/secret' }, { a: 'psst' }],
    ['an anchor', { $ref: '#secret' }, { a: 'psst' }],
    ['a reference of an inner base', { $id: 'urn:other', $ref: '#/$defs/secret', $defs: { secret: {} } }, { a: 'psst' }],
    ['an unknown keyword', { elsewhere: { deep: [secret] } }, { a: 'psst' }],
  ];

  test.each(inside)('%s: it is kept back where its class is prohibited, and told where it is not', (_name, a, output) => {
    const schema = { type: 'object', properties: { a }, $defs: { secret }, elsewhere: { secret } } as unknown as JsonObject;
    // A keyword that nobody knows stands for the whole.
    const facts = sensor({ output: schema });
    const kept = policy();
    expect(JSON.stringify(kept.redact?.(facts, output))).not.toContain('psst');
    expect(kept.isSensitive?.(facts)).toBe(true);
    const within = { type: 'object', properties: { a }, $defs: { secret } } as unknown as JsonObject;
    expect(JSON.stringify(policy().redact?.(sensor({ output: within }), output))).not.toContain('psst');
    const open = policy({ allowedData: ['private_notes'], prohibitedData: [] });
    if (!JSON.stringify(a).includes('$')) expect(open.redact?.(sensor({ output: within }), output)).toEqual(output);
  });

  test('names that objects have from the start are classes, actions and members like any other', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const schema = JSON.parse(
        `{"type":"object","properties":{"a":{"x-data-class":"${name}"},"${name}":{"x-data-class":"private_notes"}}}`,
      );
      const output = JSON.parse(`{"a":1,"${name}":2,"b":3}`);
      expect(policy().redact?.(sensor({ output: schema }), output)).toEqual({ b: 3 });
      expect(policy({ allowedData: [name] }).redact?.(sensor({ output: schema }), output)).toEqual({ a: 1, b: 3 });
      expect(policy().allows(tool({ id: name, capability: name }))).toBe(`the contract does not allow '${name}'`);
      expect(policy().endedBy?.(name)).toBeUndefined();
    }
  });
});
