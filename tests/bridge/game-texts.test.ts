import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { ToolError } from '../../src/bridge/index.ts';
import { checkBridgeMessage } from '../../src/protocol/index.ts';
import { type LooseSpec, tool } from '../fixtures/bridge-tools.ts';
import { settle, TestWorld, type TestWorldOptions } from '../fixtures/bridge-world.ts';

const ticking = { event_subscriptions: ['tick' as const], agent_model: { class: 'edge_small' as const, expected_full_response_ms: 0 } };
const nested = (levels: number): JsonObject => (levels === 1 ? {} : { in: nested(levels - 1) });
const sensor = (id: string, more: LooseSpec) => tool(id, { class: 'sensor', snapshot: true, ...more });

/** The texts that an agent got, as they are on the wire. */
function texts(world: TestWorld, request: Parameters<TestWorld['open']>[0] = ticking) {
  const agent = world.open(request);
  const sent: string[] = [];
  const { send } = agent.port;
  agent.port.send = (text) => {
    sent.push(text);
    send(text);
  };
  return { agent, sent };
}

/** The newest snapshot. */
async function snapshotOf(tools: ReturnType<typeof tool>[], mira: TestWorldOptions['mira'] = {}) {
  const world = new TestWorld(tools, { mira });
  const { agent, sent } = texts(world);
  await world.frame(100);
  // Longer than a message would not have been taken by the agent; the room for it is far less.
  expect(sent.at(-1)?.length).toBeLessThan(600_000);
  return agent.heard('tick').at(-1)?.snapshot as JsonObject;
}

describe('E4, A2: a snapshot fits into its message, and says what it leaves out', () => {
  test('E4: texts of tools that are not available have 256 KiB together; the others are named', async () => {
    const tools = Array.from({ length: 1_000 }, (_, n) => tool(`t${n}`, { available: () => 'é'.repeat(5_000) }));
    const { available, omitted } = (await snapshotOf(tools)) as { available: object; omitted: string[] };
    expect(Object.keys(available).length).toBeGreaterThan(20);
    expect(Object.keys(available).length + omitted.length).toBe(1_000);
  });

  test('E4: names that have no room either are counted', async () => {
    const tools = Array.from({ length: 900 }, (_, n) => tool(`t${n}_${'x'.repeat(400)}`, { available: () => 'shut' }));
    const snapshot = (await snapshotOf(tools)) as { available: object; omitted?: string[]; more_omitted: number };
    expect(Object.keys(snapshot.available).length + (snapshot.omitted?.length ?? 0) + snapshot.more_omitted).toBe(900);
  });

  test('E4, D10: units of a squad that have no room are counted', async () => {
    const units = Array.from({ length: 20_000 }, (_, n) => `wolf_${n}`);
    const snapshot = (await snapshotOf([tool('howl')], { units: () => units })) as { units: object; omitted_units: number };
    expect(Object.keys(snapshot.units).length).toBeGreaterThan(1_000);
    expect(Object.keys(snapshot.units).length + snapshot.omitted_units).toBe(20_000);
  });

  test.each([
    ['character', 60, {}],
    ['squad', 58, { units: () => ['wolf_1'] }],
  ] as const)('A2: a sensor of a %s may nest %i levels deep; a deeper one is left out', async (_what, levels, mira) => {
    const tools = [sensor('fits', { run: () => nested(levels) }), sensor('deep', { run: () => nested(levels + 1) })];
    const snapshot = await snapshotOf(tools, mira);
    const view = 'units' in mira ? (snapshot.units as { wolf_1: JsonObject }).wolf_1 : snapshot;
    expect(Object.keys(view.sensors as object)).toEqual(['fits']);
    expect(view.omitted).toEqual(['deep']);
    const call = (depth: number) => tool('call', { run: () => nested(depth) });
    const agent = new TestWorld([call(63)]).open();
    expect(agent.result(agent.call('call')).ok).toBe(true);
  });
});

describe('A2: whatever a game says fits into a message', () => {
  const long = 'é'.repeat(2_000_000);

  test('D13: the words of a throw, of a ToolError however it was changed, and of verify and available', async () => {
    const changed = Object.assign(new ToolError('timeout', 'x', 'yes' as never), { message: long });
    const world = new TestWorld([
      tool('throws', { run: () => Promise.reject(new Error(long)) }),
      tool('chooses', { run: () => Promise.reject(changed) }),
      tool('verifies', { verify: () => long }),
      tool('waits', { available: () => long }),
    ]);
    const { agent, sent } = texts(world, {});
    for (const id of ['throws', 'chooses', 'verifies', 'waits']) agent.call(id);
    await settle();
    expect(agent.results).toHaveLength(4);
    for (const text of sent) {
      expect(checkBridgeMessage(text).ok).toBe(true);
      expect(text.length).toBeLessThan(10_000);
    }
  });

  test('C7: the reason of a session’s end', () => {
    const world = new TestWorld([tool('wave')]);
    const { agent, sent } = texts(world);
    world.mira.remove(long);
    expect(agent.farewells).toHaveLength(1);
    expect(sent.at(-1)?.length).toBeLessThan(10_000);
    expect(agent.closings[0]?.reason.length).toBeLessThan(10_000);
  });
});

describe('A1: no lone surrogate of a game’s reaches an agent', () => {
  test('outputs, events, progress, questions, reasons and the catalogue carry U+FFFD in its place', async () => {
    const lone = 'a\ud83d';
    const world = new TestWorld(
      [
        tool('wave', {
          description: lone,
          run: (_input, context) => {
            context.progress({ lone });
            return { lone, [lone]: [lone] };
          },
        }),
        tool('fails', { run: () => Promise.reject(new Error(`${'x'.repeat(4_095)}😀`)) }),
        tool('shut', { available: () => lone }),
        sensor('see', { run: () => ({ lone }) }),
      ],
      { mira: { description: lone } },
    );
    const { agent, sent } = texts(world, { ...ticking, event_subscriptions: ['tick', 'audio'] });
    for (const id of ['wave', 'fails', 'shut']) agent.call(id);
    world.mira.emit('audio', { lone });
    const asked = world.mira.ask({
      prompt: lone,
      tools: ['wave'],
      state: { lone },
      deadlineMs: 1_000,
      fallback: { tool: 'wave', input: {} },
    });
    await world.frame(100);
    world.mira.remove(lone);
    await expect(asked).rejects.toMatchObject({ code: 'tool_unavailable' });
    expect(sent.length).toBeGreaterThan(6);
    for (const text of sent) expect(text).not.toMatch(/\\ud83d|\p{Surrogate}/u);
    expect(JSON.stringify(agent.init)).not.toContain('\\ud83d');
    expect(agent.results[0]?.output ?? agent.results[1]?.output).toEqual({ lone: 'a\ufffd', 'a\ufffd': ['a\ufffd'] });
    expect(world.bridge.characters()).toEqual([]);
  });
});
