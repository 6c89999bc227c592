import { describe, expect, expectTypeOf, test } from 'vitest';
import { defineTool } from '../../src/bridge/index.ts';
import { type LooseSpec, tool } from '../fixtures/bridge-tools.ts';
import { TestWorld } from '../fixtures/bridge-world.ts';

describe('defineTool', () => {
  test('the input type comes from the schema', () => {
    defineTool({
      id: 'move_to',
      class: 'actuator',
      description: 'Walks.',
      input: {
        type: 'object',
        properties: { x: { type: 'number' }, how: { enum: ['walk', 'run'] } },
        required: ['x'],
        additionalProperties: false,
      } as const,
      run(input) {
        expectTypeOf(input).toEqualTypeOf<{ x: number; how?: 'walk' | 'run' }>();
      },
    });
    defineTool({
      id: 'stop',
      class: 'actuator',
      description: 'Stops.',
      run: (input) => expectTypeOf(input).toEqualTypeOf<Record<string, never>>(),
    });
  });

  test('a tool is a value that cannot be changed afterwards, nor through what it was made of', () => {
    const input = { type: 'object', properties: { n: { type: 'integer' } } };
    const limits = { calls_per_minute: 1 };
    const made = tool('wave', { input, limits });
    input.properties.n.type = 'string';
    limits.calls_per_minute = 99;
    expect(new TestWorld([made]).open().init.tools[0]).toMatchObject({
      input_schema: { properties: { n: { type: 'integer' } } },
      limits: { calls_per_minute: 1 },
    });
    expect(() => Object.assign(made, { id: 'bow' })).toThrow(TypeError);
  });

  test('one tool may serve many characters and worlds', () => {
    const wave = tool('wave');
    for (const world of [new TestWorld([wave]), new TestWorld([wave])]) {
      world.add('tam', [wave]);
      const agent = world.open({ character: 'tam' });
      expect(agent.output(agent.call('wave'))).toEqual({});
    }
  });

  test('schemas without a type are objects', () => {
    const agent = new TestWorld([tool('wave', { input: { properties: {} }, output: { properties: {} } })]).open();
    expect(agent.init.tools[0]).toMatchObject({ input_schema: { type: 'object' }, output_schema: { type: 'object' } });
  });

  const wrong: [string, LooseSpec, RegExp][] = [
    ['a capital letter in the id', { id: 'MoveTo' }, /MoveTo.*snake_case/],
    ['an id that begins with a digit', { id: '3d' }, /snake_case/],
    ['no id', { id: undefined as never }, /snake_case/],
    ['an unknown class', { class: 'magic' as never }, /sensor, actuator, generator/],
    ['no description', { description: '' }, /description/],
    ['no run', { run: undefined as never }, /run must be a function/],
    ['an input that is no schema', { input: [] }, /input must be a JSON Schema object/],
    ['an input of another type', { input: { type: 'string' } }, /input must have type: 'object'/],
    ['an input that is no JSON', { input: { type: 'object', const: 1n } }, /input must be plain JSON/],
    ['an output of another type', { output: { type: 'array' } }, /output must have type: 'object'/],
    ['a capability of another class', { class: 'sensor', capability: 'locomotion' }, /vision, hearing.*'locomotion'/],
    ['an unknown capability', { capability: 'flying' }, /locomotion, manipulation.*'flying'/],
    ['a snapshot that acts', { snapshot: true }, /snapshot is for sensors/],
    [
      'a snapshot that requires input',
      { class: 'sensor', snapshot: true, input: { type: 'object', properties: { r: { type: 'number' } }, required: ['r'] } },
      /must not require input/,
    ],
    ['a snapshot with maxAgeTicks', { class: 'sensor', snapshot: true, maxAgeTicks: 3 }, /must not require input/],
    ['a negative timeout', { timeoutMs: -1 }, /timeoutMs/],
    ['an endless timeout', { timeoutMs: Number.POSITIVE_INFINITY }, /timeoutMs/],
    ['an age that is no number', { maxAgeTicks: Number.NaN }, /maxAgeTicks/],
    ['a limit of zero', { limits: { calls_per_minute: 0 } }, /limits\.calls_per_minute/],
    ['half a call', { limits: { calls_per_session: 1.5 } }, /limits\.calls_per_session/],
    ['an unknown limit', { limits: { calls_per_hour: 5 } as never }, /calls_per_minute and calls_per_session.*'calls_per_hour'/],
    ['an unknown onBusy', { onBusy: 'wait' as never }, /preempt, queue, reject/],
  ];
  /** A schema of so many objects within each other. */
  const nested = (levels: number): object => (levels <= 1 ? {} : { not: nested(levels - 1) });

  test('A2: a schema nests as deep as fits into a session_init and a manifest_update, and no deeper', async () => {
    for (const side of ['input', 'output']) {
      const world = new TestWorld([]);
      const agent = world.open();
      world.mira.setTools([tool('deep', { [side]: nested(60) })]);
      world.clock.pass(1_000);
      expect(agent.heartbeats[0]?.manifest_update?.tools[0]?.id).toBe('deep');
      expect(world.open({ resume: agent.sessionId }).init.tools[0]?.id).toBe('deep');
      for (const levels of [61, 100_000]) {
        let schema: object = {};
        for (let n = 1; n < levels; n++) schema = { not: schema };
        expect(() => tool('deep', { [side]: schema })).toThrow(
          levels === 61
            ? new RegExp(`^defineTool\\('deep'\\): ${side} .* 64 levels of a message`)
            : new RegExp(`^defineTool\\('deep'\\): ${side} must be plain JSON that fits into a message`),
        );
      }
    }
  });

  test.each(wrong)('%s throws and says how to mend it', (_what, spec, message) => {
    const make = () => tool('act', spec);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).toThrow(/^defineTool\('/);
  });
});
