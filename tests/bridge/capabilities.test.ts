import { describe, expect, test } from 'vitest';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { TestWorld } from '../fixtures/bridge-world.ts';

const RESERVED = {
  sensor: ['vision', 'hearing', 'proprioception', 'inventory', 'map', 'screen'],
  actuator: ['locomotion', 'manipulation', 'combat', 'expression', 'control'],
  generator: ['speech', 'sound', 'image', 'prop'],
} as const;

describe('G1: the capabilities of a catalogue', () => {
  test('G1: an empty catalogue still has control, for cancel_call', () => {
    expect(new TestWorld().open().init.capabilities).toEqual({ sensors: [], actuators: ['control'], generators: [] });
  });

  test('G1: an undeclared tool belongs by its class', () => {
    const world = new TestWorld([tool('a', { class: 'sensor' }), tool('b'), tool('c', { class: 'generator' })]);
    expect(world.open().init.capabilities).toEqual({
      sensors: ['proprioception'],
      actuators: ['manipulation', 'control'],
      generators: ['prop'],
    });
  });

  test('G1: every reserved name of every class can be declared and is listed once', () => {
    const tools = Object.entries(RESERVED).flatMap(([name, capabilities]) =>
      capabilities.flatMap((capability) =>
        [1, 2].map((n) => tool(`${name}_${capability}_${n}`, { class: name as keyof typeof RESERVED, capability })),
      ),
    );
    expect(new TestWorld(tools).open().init.capabilities).toEqual({
      sensors: RESERVED.sensor,
      actuators: RESERVED.actuator,
      generators: RESERVED.generator,
    });
  });

  test("G1: only the session's own catalogue counts", () => {
    const world = new TestWorld([tool('shoot', { capability: 'combat', requiresCapability: 'weapons' })]);
    expect(world.open({ capabilities: [] }).init.capabilities.actuators).toEqual(['control']);
  });
});

describe('G2: what a session holds', () => {
  const shoot = () => held('shoot', { requiresCapability: 'combat' });
  const sees = (world: TestWorld, request = {}) => world.open(request).init.tools.some((entry) => entry.id === 'shoot');

  test('G2: by default everything', () => {
    const { tool: gun, runs } = shoot();
    const agent = new TestWorld([gun]).open();
    agent.call('shoot');
    expect([...(runs[0]?.context.session.capabilities ?? [])]).toEqual(['combat']);
  });

  test("G2: an anonymous session holds the world's defaultCapabilities", () => {
    expect(sees(new TestWorld([shoot().tool], { defaultCapabilities: [] }))).toBe(false);
    expect(sees(new TestWorld([shoot().tool], { defaultCapabilities: ['combat'] }))).toBe(true);
  });

  test('G2: a token’s grant takes the place of the default', () => {
    expect(sees(new TestWorld([shoot().tool], { defaultCapabilities: ['combat'] }), { capabilities: ['speech'] })).toBe(false);
    expect(sees(new TestWorld([shoot().tool], { defaultCapabilities: [] }), { capabilities: ['combat'] })).toBe(true);
  });
});
