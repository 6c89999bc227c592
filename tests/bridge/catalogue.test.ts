import { describe, expect, test } from 'vitest';
import { tool } from '../fixtures/bridge-tools.ts';
import { type TestAgent, TestWorld } from '../fixtures/bridge-world.ts';

const updatesOf = (agent: TestAgent) => agent.heartbeats.filter((heartbeat) => heartbeat.manifest_update);

/** Its text without what tells one message from another. */
const manifest = ({ protocol: _p, type: _t, session_id: _s, message_id: _m, ...members }: object & Record<string, unknown>) =>
  JSON.stringify(members);

describe('D5, C3: an unchanged catalogue', () => {
  const tools = () => [
    tool('walk', { limits: { calls_per_minute: 5 }, maxAgeTicks: 3 }),
    tool('look', { class: 'sensor', snapshot: true, capability: 'vision' }),
    tool('hum', { class: 'generator', capability: 'sound', requiresCapability: 'voice' }),
  ];

  test('D5: 1,000 flips of availability, and no manifest_update: the snapshot tells', async () => {
    let open = true;
    const world = new TestWorld([tool('door', { available: () => open || 'locked' }), tool('wave')]);
    const agent = world.open({
      event_subscriptions: ['tick'],
      agent_model: { class: 'edge_small', expected_full_response_ms: 0 },
    });
    const { init } = agent;
    for (let n = 0; n < 1_000; n++) {
      open = !open;
      const failed = agent.result(agent.call('door')).error;
      expect(failed?.message).toBe(open ? undefined : 'locked');
      await world.frame();
    }
    const said = agent.heard('tick').map((payload) => (payload.snapshot as { available: object }).available);
    expect(said.slice(1)).toEqual(Array.from({ length: 1_000 }, (_, n) => (n % 2 === 0 ? { door: 'locked' } : {})));
    // 100 s have passed, so its heartbeats have come: plain ones.
    expect(agent.heartbeats.length).toBe(10);
    expect(updatesOf(agent)).toEqual([]);
    agent.send({ type: 'manifest_request' });
    const again = agent.messages.at(-1);
    expect(again).toMatchObject({ type: 'session_init' });
    expect(manifest(again as never)).toBe(manifest(init as never));
  });

  test('B2, C2, C5: it is the same to the byte at every opening, request, resume and after a new body', () => {
    const world = new TestWorld(tools(), { mira: { maxSessions: 2 } });
    const agent = world.open();
    const first = manifest(agent.init as never);
    expect(manifest(world.open().init as never)).toBe(first);
    agent.send({ type: 'manifest_request' });
    expect(manifest(agent.messages.at(-1) as never)).toBe(first);
    agent.handler.closed(false);
    const back = world.resume(agent);
    expect(manifest(back.init as never)).toBe(first);
    world.mira.unbind();
    world.add('mira', tools(), { default: true, maxSessions: 2 });
    world.clock.pass(5_000);
    expect(updatesOf(back)).toEqual([]);
    back.send({ type: 'session_resume' });
    expect(manifest(back.messages.at(-1) as never)).toBe(first);
    // Another world, and another run of the same game.
    expect(manifest(new TestWorld(tools()).open().init as never)).toBe(first);
  });

  test('C3: a manifest_update lists what is as it was with the same bytes in the same order', () => {
    const world = new TestWorld(tools());
    const agent = world.open();
    const before = agent.init.tools;
    world.mira.setTools([...tools(), tool('wave')]);
    world.clock.pass(1_000);
    world.mira.setTools(tools());
    world.clock.pass(1_000);
    const [more, same] = updatesOf(agent).map(({ manifest_update }) => manifest_update);
    expect(more?.tools.map(({ id }) => id)).toEqual(['walk', 'look', 'hum', 'wave', 'cancel_call']);
    expect(manifest(same as never)).toBe(manifest(agent.init as never));
    expect(JSON.stringify(more?.tools.filter(({ id }) => id !== 'wave'))).toBe(JSON.stringify(before));
  });

  test('C3: setting the same tools, or others and back within a second, is no change', () => {
    const world = new TestWorld(tools());
    const agent = world.open();
    world.clock.pass(1_000);
    for (let n = 0; n < 50; n++) {
      world.mira.setTools(tools());
      world.clock.pass(100);
    }
    world.mira.setTools(tools());
    world.clock.pass(1_000);
    expect(updatesOf(agent)).toEqual([]);
  });
});

describe('B2, A2: a catalogue that fits into a message', () => {
  const LIMIT = 1_000_000;
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
  /** Two tools whose entries take so many bytes together. */
  const pair = (total: number, letter = 'x') => {
    const make = (fill: string) => [tool('one', { description: fill }), tool('two')];
    const empty = bytes(new TestWorld(make('x')).open().init.tools.slice(0, 2)) - 1;
    const width = bytes(letter) - '""'.length;
    const count = Math.floor((total - empty) / width);
    return make(letter.repeat(count) + 'x'.repeat(total - empty - count * width));
  };

  test.each(['x', 'ä', '🐺'])('B2: tools of 1,000,000 bytes together are listed whole, written with %s', (letter) => {
    const world = new TestWorld(pair(LIMIT, letter), { world: { name: 'w'.repeat(1_000) } });
    const agent = world.open();
    expect(bytes(agent.init.tools.slice(0, 2))).toBe(LIMIT);
    void world.mira.ask({ prompt: 'x', tools: ['one'], deadlineMs: 1_000, fallback: { tool: 'one', input: {} } });
    expect(updatesOf(agent)).toHaveLength(1);
  });

  test.each(['x', 'ä'])('B2: one byte more is refused when they are set, and nothing has changed; written with %s', (letter) => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    const tooMuch = pair(LIMIT + 1, letter);
    const refusal = /character '(mira|tam)'.* 1000001 bytes.* 1000000 .*fewer tools/;
    for (const set of [
      () => world.mira.setTools(tooMuch),
      () => world.add('mira', tooMuch, { default: true }),
      () => world.add('tam', tooMuch),
    ]) {
      expect(set).toThrow(TypeError);
      expect(set).toThrow(refusal);
    }
    world.clock.pass(1_000);
    expect(updatesOf(agent)).toEqual([]);
    expect(agent.output(agent.call('wave'))).toEqual({});
    expect(world.bridge.characters().map(({ id }) => id)).toEqual(['mira']);
  });

  test('B2, D10: what a squad adds counts too', () => {
    expect(() => new TestWorld(pair(LIMIT), { mira: { units: () => [] } })).toThrow(/bytes/);
  });
});
