import { describe, expect, test } from 'vitest';
import { tool } from '../fixtures/bridge-tools.ts';
import { TestWorld } from '../fixtures/bridge-world.ts';

const ticking = { event_subscriptions: ['tick' as const], agent_model: { class: 'edge_small' as const, expected_full_response_ms: 0 } };

/** Counts what a world of so many sessions costs at a tick. */
async function tickOf(sessions: number) {
  const asked = { available: 0, allowed: 0 };
  const tools = Array.from({ length: 100 }, (_, n) =>
    tool(`tool_${n}`, {
      requiresCapability: `skill_${n}`,
      available: () => {
        asked.available++;
        return 'not yet';
      },
    }),
  );
  const world = new TestWorld(tools, {
    mira: { maxSessions: sessions },
    policyFor: () => ({
      allows: () => {
        asked.allowed++;
        return true;
      },
      needsApproval: () => false,
    }),
  });
  const agents = Array.from({ length: sessions }, () => world.open(ticking));
  const opening = { ...asked };
  asked.available = 0;
  asked.allowed = 0;
  await world.frame(100);
  expect(agents.every((agent) => agent.heard('tick').length === 2)).toBe(true);
  return { opening, tick: asked };
}

describe('E4: what a tick costs', () => {
  test('E4, D5: what is available is asked once a tick, however many sessions get it, and a contract not at all', async () => {
    expect((await tickOf(1)).tick).toEqual({ available: 100, allowed: 0 });
    expect((await tickOf(20)).tick).toEqual({ available: 100, allowed: 0 });
  });

  test('D3, T15: an opening asks the contract of a tool a few times, however many tools require a capability', async () => {
    expect((await tickOf(1)).opening.allowed).toBeLessThanOrEqual(2 * 100);
  });

  test('E4, D5: a tool whose availability depends on who asks is asked for each session', async () => {
    const world = new TestWorld([tool('gate', { available: ({ session }) => `not for ${session.principal}` })], {
      mira: { maxSessions: 2 },
    });
    const agents = ['alice', 'bob'].map((principal) => world.open({ ...ticking, principal }));
    await world.frame(100);
    expect(agents.map((agent) => agent.heard('tick').at(-1)?.snapshot)).toEqual([
      { available: { gate: 'not for alice' }, sensors: {} },
      { available: { gate: 'not for bob' }, sensors: {} },
    ]);
  });

  test('E4, D5: between two ticks it is asked anew', async () => {
    let open = false;
    const world = new TestWorld([tool('gate', { available: () => open || 'shut' })]);
    const agent = world.open(ticking);
    await world.frame(100);
    expect(agent.result(agent.call('gate')).ok).toBe(false);
    open = true;
    expect(agent.result(agent.call('gate')).ok).toBe(true);
    await world.frame(100);
    expect(agent.heard('tick').at(-1)?.snapshot).toEqual({ available: {}, sensors: {} });
  });
});

describe('B4, B7: who comes and goes among many', () => {
  test('B7: of lost sessions the one that was lost first gives way, and no more than needed', () => {
    const world = new TestWorld([tool('wave')], { mira: { maxSessions: 3 } });
    const agents = Array.from({ length: 3 }, () => world.open());
    for (const agent of agents) agent.call('wave');
    for (const at of [1, 0, 2]) {
      agents[at]?.handler.closed(false);
      world.clock.pass(1_000);
    }
    expect(world.open().refusal?.error.code).toBe('tool_unavailable');
    world.clock.pass(3_000);
    expect(world.open().refusal).toBeUndefined();
    expect(world.resume(agents[1]!).refusal?.error.code).toBe('session_expired');
    expect(world.resume(agents[0]!).refusal).toBeUndefined();
    expect(world.bridge.character('mira')?.sessions).toBe(3);
  });

  test('B4: a refusal names fifty characters of many at most', () => {
    const world = new TestWorld();
    for (let n = 0; n < 200; n++) world.add(`wolf_${n}`);
    const message = world.open({ character: 'bear' }).refusal?.error.message ?? '';
    expect(message).toContain('there are: mira, wolf_0,');
    expect(message).toContain('wolf_48 and more)');
    expect(message).not.toContain('wolf_49');
    expect(world.open({ character: 'bear', characters: ['wolf_7', 'nobody'] }).refusal?.error.message).toContain('(there are: wolf_7)');
  });

  test('onChange tells which characters have changed', async () => {
    const world = new TestWorld();
    world.add('tam');
    await Promise.resolve();
    const told: string[][] = [];
    world.bridge.onChange((changed) => told.push([...changed]));
    world.open();
    await Promise.resolve();
    world.open({ character: 'tam' });
    world.mira.remove();
    await Promise.resolve();
    expect(told).toEqual([['mira'], ['tam', 'mira']]);
    expect([world.bridge.character('mira'), world.bridge.defaultCharacter]).toEqual([undefined, undefined]);
  });
});
