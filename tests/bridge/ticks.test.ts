import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { held, type LooseSpec, tool } from '../fixtures/bridge-tools.ts';
import { TestWorld } from '../fixtures/bridge-world.ts';

const everyTick = { event_subscriptions: ['tick'], agent_model: { class: 'edge_small', expected_full_response_ms: 0 } } as const;
const ticking = () => ({ event_subscriptions: [...everyTick.event_subscriptions], agent_model: everyTick.agent_model });
/** The snapshot within a tick's payload or a result's meta. */
const snapshotOf = (holder: JsonObject | undefined) =>
  holder?.snapshot as { available: JsonObject; sensors: JsonObject; omitted?: string[] };
const ticksOf = (payloads: JsonObject[]) => payloads.map((payload) => payload.tick);

describe('E1: fixed', () => {
  test('E1: a call that arrived since the last tick starts at the next', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum], { tickMode: 'fixed' });
    const agent = world.open();
    expect(agent.init.tick_mode).toBe('fixed');
    agent.call('hum');
    await world.frame(99);
    await world.frame(0);
    expect(runs).toHaveLength(0);
    await world.frame(1);
    world.bridge.startDue();
    expect(runs).toHaveLength(1);
    expect(runs[0]?.context.tick).toBe(1);
  });

  test('E1: calls start before the world steps, in the order they came, across sessions and characters', async () => {
    const order: string[] = [];
    const note = tool('note', {
      input: { type: 'object', properties: { text: { type: 'string' } } },
      run: ({ text }) => void order.push(String(text)),
    });
    const world = new TestWorld([note], { tickMode: 'fixed', mira: { maxSessions: 2 } });
    world.add('tam', [note]);
    const [one, two, tam] = [world.open(), world.open(), world.open({ character: 'tam' })];
    tam.call('note', { text: 'a' });
    two.call('note', { text: 'b' });
    one.call('note', { text: 'c' });
    tam.call('note', { text: 'd' });
    world.bridge.advance(100);
    expect(order).toEqual([]);
    world.bridge.startDue();
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  test('E1: a tick comes every 1/rate s of world time, however the frames fall', () => {
    const world = new TestWorld([], { tickMode: 'fixed', tickRateHz: 4 });
    for (let n = 0; n < 10; n++) world.bridge.advance(70);
    expect(world.bridge.tick).toBe(2);
    world.bridge.advance(50);
    expect(world.bridge.tick).toBe(3);
  });

  test('E1: sums of frame times lose no tick by rounding', () => {
    const world = new TestWorld([], { tickRateHz: 10 });
    for (let n = 0; n < 60; n++) world.bridge.advance(1_000 / 60);
    expect(world.bridge.tick).toBe(10);
  });

  test('E1: missed ticks are caught up, five at once; the rest is dropped and counted', () => {
    const world = new TestWorld();
    const agent = world.open(ticking());
    world.bridge.advance(500);
    expect([world.bridge.tick, world.bridge.droppedTicks]).toEqual([5, 0]);
    world.bridge.advance(800);
    expect([world.bridge.tick, world.bridge.droppedTicks]).toEqual([10, 3]);
    world.bridge.advance(100);
    expect([world.bridge.tick, world.bridge.droppedTicks]).toEqual([11, 3]);
    expect(ticksOf(agent.heard('tick'))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('E1: what was started at one tick is not started again at the next', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum], { tickMode: 'fixed' });
    world.open().call('hum');
    for (let n = 0; n < 5; n++) await world.frame();
    expect(runs).toHaveLength(1);
  });

  test('D5, C8: a call that waited for its tick meets the world of that tick', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum], { tickMode: 'fixed' });
    const agent = world.open();
    const id = agent.call('hum');
    world.mira.unbind();
    await world.frame();
    await world.frame();
    expect(agent.result(id).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    expect(runs).toEqual([]);
  });
});

describe('E3: hybrid', () => {
  test('E3: a call starts at once, in the turn in which it arrived', () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum]).open();
    agent.call('hum');
    expect(runs).toHaveLength(1);
  });

  test('E3: a handler that answers at once is answered in the same turn', () => {
    const agent = new TestWorld([tool('wave')]).open();
    expect(agent.output(agent.call('wave'))).toEqual({});
  });
});

describe('E4: tick events', () => {
  test('E4: the first follows session_init at once where subscribed, and nobody else gets any', async () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    const agent = world.open(ticking());
    const other = world.open();
    expect(agent.heard('tick')).toEqual([{ tick: 0, time_ms: 0, dt_ms: 0, snapshot: { available: {}, sensors: {} } }]);
    await world.frame();
    expect(agent.heard('tick')).toHaveLength(2);
    expect(other.events).toEqual([]);
  });

  test('E4: it tells tick, world time and the length of a tick', async () => {
    const world = new TestWorld([], { tickRateHz: 20 });
    const agent = world.open(ticking());
    await world.frame(50);
    await world.frame(50);
    expect(agent.heard('tick').at(-1)).toMatchObject({ tick: 2, time_ms: 100, dt_ms: 50 });
    expect(agent.events.at(-1)?.meta).toMatchObject({ tick: 2 });
  });

  test('E4: snapshot.available maps what is not available now to why, built-ins aside', () => {
    let open = false;
    const world = new TestWorld([tool('door', { available: () => open || 'locked' }), tool('wave')], { mira: { maxSessions: 2 } });
    const agent = world.open(ticking());
    open = true;
    world.bridge.advance(100);
    world.mira.setPaused(true);
    const late = world.open(ticking());
    world.mira.setPaused(false);
    world.mira.unbind();
    world.bridge.advance(100);
    const available = [...agent.heard('tick'), ...late.heard('tick')].map((payload) => snapshotOf(payload).available);
    expect(available.slice(0, 2)).toEqual([{ door: 'locked' }, {}]);
    for (const nothing of available.slice(2)) expect(Object.keys(nothing)).toEqual(['door', 'wave']);
    expect(available.map(({ wave }) => wave !== undefined && String(wave).includes('paused'))).toEqual([false, false, false, true, false]);
  });

  test('E4, E6: no tick comes while the character stands still, and none of its time_ms is lost by that', () => {
    const world = new TestWorld();
    world.add('tam');
    const [agent, other] = [world.open(ticking()), world.open({ ...ticking(), character: 'tam' })];
    world.bridge.advance(200);
    world.mira.setPaused(true);
    world.bridge.advance(300);
    world.mira.setPaused(false);
    world.bridge.advance(100);
    const told = (by: typeof agent) => by.heard('tick').map(({ tick, time_ms }) => [tick, time_ms]);
    expect(told(agent)).toEqual([
      [0, 0],
      [1, 200],
      [2, 200],
      [6, 300],
    ]);
    expect(told(other).at(-1)).toEqual([6, 600]);
  });

  test('E4, B6: to a suspended driver nothing is available', () => {
    const world = new TestWorld([tool('wave')]);
    const driver = world.openYielding(ticking());
    world.open();
    world.bridge.advance(100);
    expect(Object.keys(snapshotOf(driver.heard('tick').at(-1)).available)).toEqual(['wave']);
  });

  test('E4: snapshot.sensors holds the outputs of snapshot sensors by id', () => {
    const world = new TestWorld([
      tool('body', { class: 'sensor', snapshot: true, run: () => ({ hp: 3 }) }),
      tool('smell', { class: 'sensor', run: () => ({ smoke: true }) }),
    ]);
    const agent = world.open(ticking());
    expect(agent.heard('tick')[0]?.snapshot).toEqual({ available: {}, sensors: { body: { hp: 3 } } });
  });

  test('E4: they run at most once a tick for all sessions, and only when some session gets the tick', () => {
    let runs = 0;
    const body = tool('body', { class: 'sensor', snapshot: true, run: () => ({ runs: ++runs }) });
    const world = new TestWorld([body], { mira: { maxSessions: 3 } });
    world.open();
    world.bridge.advance(300);
    expect(runs).toBe(0);
    const [one, two] = [world.open(ticking()), world.open(ticking())];
    expect(runs).toBe(1);
    world.bridge.advance(100);
    expect(runs).toBe(2);
    expect(one.heard('tick').at(-1)).toEqual(two.heard('tick').at(-1));
  });

  test("B1, E4: a result's snapshot is the tick's: its sensors run once a tick, what is available is as of now", () => {
    let x = 0;
    const world = new TestWorld(
      [
        tool('where', { class: 'sensor', snapshot: true, run: () => ({ x }) }),
        tool('step', { run: () => void x++, available: () => x < 2 || 'too far' }),
      ],
      { mira: { maxSessions: 2 } },
    );
    const agent = world.open({ observe: true });
    const step = () => snapshotOf(agent.result(agent.call('step')).meta as JsonObject);
    expect(step()).toEqual({ available: {}, sensors: { where: { x: 1 } } });
    expect(step()).toEqual({ available: { step: 'too far' }, sensors: { where: { x: 1 } } });
    world.bridge.advance(100);
    expect(step()).toEqual({ available: { step: 'too far' }, sensors: { where: { x: 2 } } });
    expect(agent.output(agent.call('where'))).toEqual({ x: 2 });
  });

  test('E4: a new body or new tools are sensed anew within the same tick', () => {
    const body = (hp: number) => tool('body', { class: 'sensor', snapshot: true, run: () => ({ hp }) });
    const world = new TestWorld([body(1)]);
    const agent = world.open({ observe: true });
    const sensed = () => snapshotOf(agent.result(agent.call('nope')).meta as JsonObject).sensors;
    expect(sensed()).toEqual({ body: { hp: 1 } });
    world.mira.setTools([body(2)]);
    expect(sensed()).toEqual({ body: { hp: 2 } });
    world.mira.unbind();
    expect(sensed()).toEqual({});
    world.add('mira', [body(3)], { default: true });
    expect(sensed()).toEqual({ body: { hp: 3 } });
  });

  test('E4: sensors stand under D3, D4 and D5 of each session', () => {
    const sensor = (id: string, more: LooseSpec = {}) => tool(id, { class: 'sensor', snapshot: true, run: () => ({}), ...more });
    const world = new TestWorld(
      [sensor('body'), sensor('radar', { requiresCapability: 'map' }), sensor('mind'), sensor('nose', { available: () => 'a cold' })],
      {
        mira: { maxSessions: 3 },
        policyFor: ({ principal }) =>
          principal === 'bound' ? { allows: ({ id }) => id !== 'mind' || 'private', needsApproval: () => false } : undefined,
      },
    );
    const sensed = (principal: string, capabilities: string[]) =>
      Object.keys(snapshotOf(world.open({ ...ticking(), principal, capabilities }).events[0]?.payload).sensors);
    expect(sensed('free', ['map'])).toEqual(['body', 'radar', 'mind']);
    expect(sensed('free', [])).toEqual(['body', 'mind']);
    expect(sensed('bound', [])).not.toContain('mind');
  });

  test('E4: beyond 256 KiB together sensors are left out by name, and smaller ones still come', () => {
    const sensor = (id: string, bytes: number) =>
      tool(id, { class: 'sensor', snapshot: true, run: () => ({ t: 'x'.repeat(bytes - '{"t":""}'.length) }) });
    const world = new TestWorld([sensor('a', 200_000), sensor('b', 62_145), sensor('c', 62_144), sensor('d', 1_000)]);
    const snapshot = snapshotOf(world.open(ticking()).heard('tick')[0]);
    expect(Object.keys(snapshot.sensors)).toEqual(['a', 'c']);
    expect(snapshot.omitted).toEqual(['b', 'd']);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('blind');
      },
    ],
    ['answers later', async () => ({ hp: 3 })],
    ['rejects', () => Promise.reject(new Error('blind'))],
    ['answers no object', () => 7],
    ['misses its schema', () => ({ hp: 'full' })],
  ])('E4: a sensor that %s is left out by name', async (_what, run) => {
    const output = { type: 'object', properties: { hp: { type: 'number' } } };
    const world = new TestWorld([
      tool('body', { class: 'sensor', snapshot: true, output, run }),
      tool('good', { class: 'sensor', snapshot: true }),
    ]);
    const agent = world.open(ticking());
    await world.frame();
    for (const payload of agent.heard('tick'))
      expect(payload.snapshot).toEqual({ available: {}, sensors: { good: {} }, omitted: ['body'] });
  });

  test('E4: a sensor that waits is left behind without harm', async () => {
    const world = new TestWorld([
      tool('body', {
        class: 'sensor',
        snapshot: true,
        run: async (_input, context) => {
          await context.sleep(10);
          context.progress({ never: true });
        },
      }),
    ]);
    const agent = world.open(ticking());
    await world.frame();
    await world.frame();
    expect(agent.heard('state_change')).toEqual([]);
  });

  test('E4: only the newest unsent tick is kept for a session', async () => {
    const world = new TestWorld();
    const agent = world.open(ticking());
    agent.handler.hold(true);
    for (let n = 0; n < 5; n++) await world.frame();
    expect(ticksOf(agent.heard('tick'))).toEqual([0]);
    agent.handler.hold(false);
    expect(ticksOf(agent.heard('tick'))).toEqual([0, 5]);
    expect(agent.events.at(-1)?.meta?.dropped).toBeUndefined();
  });
});

describe('E5: ticks come no faster than the model answers', () => {
  const heardIn = async (model: object, seconds: number) => {
    const world = new TestWorld([], { tickRateHz: 20 });
    const agent = world.open({ event_subscriptions: ['tick'], ...model });
    for (let n = 0; n < seconds * 20; n++) await world.frame(50);
    return ticksOf(agent.heard('tick'));
  };

  test.each([
    ['edge_small', 250],
    ['edge_medium', 500],
    ['cloud_medium', 1_500],
    ['cloud_large', 4_000],
  ] as const)('E5: %s gets one every %i ms', async (name, ms) => {
    expect(await heardIn({ agent_model: { class: name } }, 8)).toEqual(Array.from({ length: 8_000 / ms + 1 }, (_, n) => (n * ms) / 50));
  });

  test('E5: who declares nothing counts as cloud_medium', async () => {
    expect(await heardIn({}, 3)).toEqual([0, 30, 60]);
  });

  test('E5: expected_full_response_ms says it better, and 0 is every tick', async () => {
    expect(await heardIn({ agent_model: { class: 'cloud_large', expected_full_response_ms: 120 } }, 1)).toEqual([0, 3, 6, 9, 12, 15, 18]);
    expect(await heardIn({ agent_model: { class: 'cloud_large', expected_full_response_ms: 0 } }, 1)).toHaveLength(21);
  });
});
