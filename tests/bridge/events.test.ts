import { describe, expect, test } from 'vitest';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { TestWorld } from '../fixtures/bridge-world.ts';

const TOPICS = ['collision', 'audio', 'state_change', 'agent_message'] as const;

describe('F1: topics', () => {
  test('F1: by default a session hears all but tick', async () => {
    const world = new TestWorld();
    const agent = world.open();
    for (const topic of TOPICS) world.mira.emit(topic, { kind: topic });
    await world.frame(2_000);
    expect(agent.events.map((event) => event.topic)).toEqual([...TOPICS]);
  });

  test('F1: a session hears what it subscribed to and nothing else', () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    const agent = world.open({ event_subscriptions: ['audio'] });
    const deaf = world.open({ event_subscriptions: [] });
    for (const topic of TOPICS) world.mira.emit(topic, {});
    expect(agent.events.map((event) => event.topic)).toEqual(['audio']);
    expect(deaf.events).toEqual([]);
  });

  test('F1: progress, pauses and changes of control come whether subscribed or not', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const driver = world.openYielding({ event_subscriptions: [] });
    driver.call('hum');
    runs[0]?.context.progress({ verse: 1 });
    world.mira.setPaused(true);
    world.mira.setPaused(true);
    world.mira.setPaused(false);
    const agent = world.open({ event_subscriptions: [] });
    agent.send({ type: 'session_close' });
    expect(driver.heard('state_change').map((payload) => payload.kind)).toEqual([
      'progress',
      'world_paused',
      'world_resumed',
      'control_lost',
      'control_gained',
    ]);
    expect(driver.events.every((event) => event.topic === 'state_change')).toBe(true);
  });

  test("F1: an event of one character does not reach another's sessions", () => {
    const world = new TestWorld();
    const tam = world.add('tam');
    const [mira, other] = [world.open(), world.open({ character: 'tam' })];
    tam.emit('audio', { n: 1 });
    expect(mira.events).toEqual([]);
    expect(other.heard('audio')).toEqual([{ n: 1 }]);
  });

  test('F1: tick is not for games to raise, nor is any other topic', () => {
    const world = new TestWorld();
    expect(() => world.mira.emit('tick' as never, {})).toThrow(TypeError);
    expect(() => world.mira.emit('smell' as never, {})).toThrow(/collision, audio, state_change, agent_message/);
  });
});

describe('F2: payloads and meta', () => {
  test('F2: the payload comes as given, to every session, with tick and seq', async () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    const agents = [world.open(), world.open()];
    await world.frame(300);
    const payload = { kind: 'speech', from: 'old_tam', text: 'Good evening — „Mira“ 🏮', distance: 12.5, bearing: -0.5, loudness: 1 };
    world.mira.emit('audio', payload);
    for (const agent of agents) {
      expect(agent.events[0]?.payload).toEqual(payload);
      expect(agent.events[0]?.meta).toEqual({ tick: 3, seq: 1 });
    }
    expect(agents[0]?.events[0]?.message_id).not.toBe(agents[1]?.events[0]?.message_id);
  });

  test('F2: what the game changes afterwards does not reach those who wait', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.handler.hold(true);
    const payload = { kind: 'score', points: 1 };
    world.mira.emit('state_change', payload);
    payload.points = 2;
    agent.handler.hold(false);
    expect(agent.heard('state_change')).toEqual([{ kind: 'score', points: 1 }]);
  });

  test('F2: meta.tick is the tick of the event, however late it is sent', async () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.handler.hold(true);
    world.mira.emit('audio', {});
    await world.frame(500);
    agent.handler.hold(false);
    expect(agent.events[0]?.meta?.tick).toBe(0);
  });

  test.each([
    ['an array', []],
    ['null', null],
    ['a string', 'boo'],
    ['a BigInt', { n: 1n }],
    ['NaN', { n: Number.NaN }],
    ['a sprite', { sprite: new (class Sprite {})() }],
    ['a cycle', cycle()],
    ['more than 1,000,000 bytes', { text: 'x'.repeat(999_990) }],
    ['more than a message holds', { text: 'x'.repeat(2_000_000) }],
  ])('F2: emit throws for %s and sends nothing', (_what, payload) => {
    const world = new TestWorld();
    const agent = world.open();
    expect(() => world.mira.emit('audio', payload as never)).toThrow(TypeError);
    expect(agent.events).toEqual([]);
  });

  test('F2: 1,000,000 bytes of payload pass', () => {
    const world = new TestWorld();
    const agent = world.open();
    world.mira.emit('audio', { text: 'x'.repeat(999_989) });
    expect(agent.events).toHaveLength(1);
  });

  test('F2: of one call’s progress only the newest waits', () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum]).open();
    const ids = [agent.call('hum'), agent.call('hum')];
    agent.handler.hold(true);
    for (const percent of [10, 20, 30]) runs[0]?.context.progress({ percent });
    runs[1]?.context.progress({ percent: 5 });
    agent.handler.hold(false);
    expect(agent.heard('state_change')).toEqual([
      { percent: 30, kind: 'progress', call_id: ids[0] },
      { percent: 5, kind: 'progress', call_id: ids[1] },
    ]);
  });

  test('F2: while nothing waits all progress comes', () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum]).open();
    agent.call('hum');
    for (const percent of [10, 20, 30]) runs[0]?.context.progress({ percent });
    expect(agent.heard('state_change').map((payload) => payload.percent)).toEqual([10, 20, 30]);
  });
});

describe('F3: the queue of a session', () => {
  test('F3: 256 unsent events wait while attached; then the oldest goes and the next says how many', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.handler.hold(true);
    for (let n = 0; n < 256; n++) world.mira.emit('audio', { n });
    agent.handler.hold(false);
    expect(agent.events).toHaveLength(256);
    expect(agent.events[0]?.meta?.dropped).toBeUndefined();
    agent.take();
    agent.handler.hold(true);
    for (let n = 0; n < 259; n++) world.mira.emit('audio', { n });
    agent.handler.hold(false);
    const events = agent.events.slice(256);
    expect(events).toHaveLength(256);
    expect(events[0]).toMatchObject({ payload: { n: 3 }, meta: { dropped: 3 } });
    expect(events.filter((event) => event.meta?.dropped !== undefined)).toHaveLength(1);
  });

  test('F3: results are never dropped and flow while events wait', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.handler.hold(true);
    for (let n = 0; n < 300; n++) world.mira.emit('audio', { n });
    for (let n = 0; n < 300; n++) agent.call('wave');
    expect(agent.results).toHaveLength(300);
    expect(agent.events).toEqual([]);
  });

  test('F3: each session has its own queue', () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    const [slow, quick] = [world.open(), world.open()];
    slow.handler.hold(true);
    for (let n = 0; n < 300; n++) world.mira.emit('audio', { n });
    expect(quick.events).toHaveLength(300);
    slow.handler.hold(false);
    expect(slow.events).toHaveLength(256);
  });

  test('F3, D15: seq is given when an event is sent, so it grows without gaps in the order of arrival', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.handler.hold(true);
    for (let n = 0; n < 300; n++) world.mira.emit('audio', { n });
    agent.call('wave');
    agent.handler.hold(false);
    const seqs = agent.messages.slice(1).map((message) => (message as { meta?: { seq?: number } }).meta?.seq);
    expect(seqs).toEqual(Array.from({ length: 257 }, (_, n) => n + 1));
  });
});

describe('E6: pauses', () => {
  test('E6: calls are answered tool_unavailable, retryable, until it goes on', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    world.mira.setPaused(true);
    expect(agent.result(agent.call('wave')).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    world.mira.setPaused(false);
    expect(agent.result(agent.call('wave')).ok).toBe(true);
  });

  test('E6: only the time of the paused character stands still', async () => {
    const rest = tool('rest', { run: (_input, context) => context.sleep(100) });
    const world = new TestWorld([rest]);
    world.add('tam', [rest]);
    const [mira, tam] = [world.open(), world.open({ character: 'tam' })];
    const ids = [mira.call('rest'), tam.call('rest')];
    world.mira.setPaused(true);
    await world.frame(100);
    expect(tam.output(ids[1]!)).toEqual({});
    expect(mira.results).toEqual([]);
    world.mira.setPaused(false);
    await world.frame(100);
    expect(mira.output(ids[0]!)).toEqual({});
  });
});

function cycle(): object {
  const self: { self?: object } = {};
  self.self = self;
  return self;
}
