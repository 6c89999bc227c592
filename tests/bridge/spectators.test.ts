import { describe, expect, test } from 'vitest';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { settle, type TestAgent, TestWorld } from '../fixtures/bridge-world.ts';

const REFUSAL = { code: 'tool_unavailable', retryable: false };
const watch = (world: TestWorld, request = {}) => world.open({ spectate: true, ...request });

describe('B8: a spectator', () => {
  test('B8: sees the catalogue, hears events and sees what the sensors see', async () => {
    const world = new TestWorld([tool('wave'), tool('body', { class: 'sensor', snapshot: true, run: () => ({ x: 3 }) })]);
    const spectator = watch(world, { event_subscriptions: ['tick', 'agent_message'] });
    expect(spectator.init.tools.map(({ id }) => id)).toEqual(['wave', 'body', 'cancel_call']);
    expect(spectator.heard('tick')).toMatchObject([{ tick: 0, snapshot: { sensors: { body: { x: 3 } } } }]);
    world.mira.emit('agent_message', { from: 'player', text: 'hello' });
    expect(spectator.heard('agent_message')).toEqual([{ from: 'player', text: 'hello' }]);
  });

  test.each([
    ['wave', {}],
    ['nothing_like_it', {}],
    ['cancel_call', { call_id: 'x' }],
    ['decide', { ask_id: 'x', tool: 'wave', input: {} }],
  ])('B8: calls nothing: %s is refused, and says why', (id, input) => {
    const { tool: wave, runs } = held('wave');
    const world = new TestWorld([wave]);
    const spectator = watch(world);
    const call = spectator.call(id, input);
    expect(spectator.result(call)).toMatchObject({ ok: false, error: REFUSAL, meta: { reason: 'spectator' } });
    expect(runs).toEqual([]);
    // D1: the same call again has the same outcome.
    spectator.call(id, input, call);
    expect(spectator.resultsOf(call)).toHaveLength(2);
  });

  test('B4, B6: takes no place, is no driver, and no in-page driver steps back for it', () => {
    const world = new TestWorld([tool('wave')]);
    const told: string[] = [];
    world.mira.on('driver', (driver) => told.push(driver));
    const driver = world.openYielding();
    watch(world);
    expect(world.bridge.characters()[0]).toMatchObject({ sessions: 0, driver: 'builtin' });
    expect(driver.output(driver.call('wave'))).toEqual({});
    expect(driver.heard('state_change')).toEqual([]);
    expect(told).toEqual(['builtin']);
    expect(world.open().refusal).toBeUndefined();
    expect(watch(world).refusal).toBeUndefined();
    expect(world.bridge.characters()[0]).toMatchObject({ sessions: 1, driver: 'agent' });
  });

  test('B7: does not make a lost agent give way', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    world.clock.pass(5_000);
    expect(watch(world).refusal).toBeUndefined();
    expect(world.resume(agent).refusal).toBeUndefined();
  });

  test("E2: barrier 'all' does not wait for it", async () => {
    const { tool: walk, runs } = held('walk');
    const world = new TestWorld([walk], { tickMode: 'event', barrier: 'all' });
    watch(world);
    world.open().call('walk');
    expect(runs).toHaveLength(1);
  });

  test('D18: hears a question, cannot answer it, and nobody waits for it', async () => {
    const world = new TestWorld([tool('wave')]);
    const spectator = watch(world);
    const question = { prompt: 'Wave?', tools: ['wave'], deadlineMs: 1_000, fallback: { tool: 'wave', input: {} } };
    const alone = world.mira.ask(question);
    world.clock.pass(0);
    await settle();
    expect(await alone).toMatchObject({ by: 'fallback' });
    expect(spectator.heard('state_change')).toMatchObject([{ kind: 'decision' }]);
    world.open();
    let by = '';
    void world.mira.ask(question).then((decision) => {
      by = decision.by;
    });
    world.clock.pass(999);
    await settle();
    expect(by).toBe('');
    world.clock.pass(1);
    await settle();
    expect(by).toBe('fallback');
  });

  test('C5: comes back and goes on where it was; a resume that asks to watch takes no session that drives', () => {
    const world = new TestWorld();
    const spectator = watch(world);
    spectator.send({ type: 'heartbeat' });
    spectator.handler.closed(false);
    world.mira.emit('agent_message', { from: 'player', text: 'meanwhile' });
    expect(world.bridge.sessions()).toHaveLength(1);
    const back = world.resume(spectator, { spectate: true });
    expect(back.heard('agent_message')).toEqual([{ from: 'player', text: 'meanwhile' }]);
    const agent = world.open();
    expect(world.resume(agent, { spectate: true }).refusal?.error.code).toBe('session_expired');
    expect(agent.closings).toEqual([]);
  });

  test('C8: ends with its character as every session does', () => {
    const world = new TestWorld();
    const spectator = watch(world);
    world.mira.remove('gone home');
    expect(spectator.farewells).toMatchObject([{ reason: 'gone home' }]);
  });

  test('G2: sees no more than its capabilities let an agent see', () => {
    const world = new TestWorld([tool('wave'), tool('spy', { requiresCapability: 'spying' })], { defaultCapabilities: [] });
    const seen = (agent: TestAgent) => agent.init.tools.map(({ id }) => id);
    expect(seen(watch(world))).toEqual(['wave', 'cancel_call']);
    expect(seen(watch(world, { capabilities: ['spying'] }))).toEqual(['wave', 'spy', 'cancel_call']);
  });

  test('B8: there are sixteen at most unless the character says otherwise; who lost the connection gives way at once', () => {
    const world = new TestWorld();
    const watching = Array.from({ length: 16 }, () => watch(world));
    expect(watching.every(({ refusal }) => refusal === undefined)).toBe(true);
    expect(watch(world).refusal).toMatchObject({ error: { code: 'tool_unavailable', retryable: true }, absent: false });
    const [first] = watching;
    first?.send({ type: 'heartbeat' });
    first?.handler.closed(false);
    expect(watch(world).refusal).toBeUndefined();
    expect(world.bridge.sessions()).toHaveLength(16);

    world.add('shy', [], { maxSpectators: 0 });
    expect(watch(world, { character: 'shy' }).refusal?.error.message).toContain('no room for another spectator');
    expect(() => world.add('odd', [], { maxSpectators: -1 })).toThrow('maxSpectators');
  });
});
