import { describe, expect, test } from 'vitest';
import { createBridge, ManualClock } from '../../src/bridge/index.ts';
import { tool } from '../fixtures/bridge-tools.ts';
import { TestAgent, TestWorld, testId } from '../fixtures/bridge-world.ts';

describe('B2: session_init', () => {
  test('B2: it is the first message and tells the whole catalogue, the world and the ticks', () => {
    const world = new TestWorld([tool('move_to', { capability: 'locomotion' }), tool('look', { class: 'sensor', capability: 'vision' })], {
      world: { name: 'hill', kind: 'text' },
      tickRateHz: 20,
    });
    const agent = world.open();
    const { session_id, message_id, ...manifest } = agent.init;
    expect(manifest).toEqual({
      protocol: 'aicc/0.1',
      type: 'session_init',
      tick_rate_hz: 20,
      tick_mode: 'hybrid',
      world: { name: 'hill', kind: 'text' },
      agent_model: { class: 'cloud_medium' },
      capabilities: { sensors: ['vision'], actuators: ['locomotion', 'control'], generators: [] },
      tools: [
        {
          id: 'move_to',
          class: 'actuator',
          description: 'Does move_to.',
          input_schema: { type: 'object', properties: {} },
          output_schema: { type: 'object' },
        },
        {
          id: 'look',
          class: 'sensor',
          description: 'Does look.',
          input_schema: { type: 'object', properties: {} },
          output_schema: { type: 'object' },
        },
        expect.objectContaining({ id: 'cancel_call', class: 'actuator' }),
      ],
      event_subscriptions: ['collision', 'audio', 'state_change', 'agent_message'],
    });
    expect(session_id).toBe(agent.sessionId);
    expect(message_id).not.toBe(session_id);
    expect(agent.messages).toHaveLength(1);
  });

  test('B2: a world of kind 2d that ticks ten times a second is the default', () => {
    const { init } = new TestWorld().open();
    expect([init.world.kind, init.tick_rate_hz, init.tick_mode]).toEqual(['2d', 10, 'hybrid']);
  });

  test('B2: every session has its own id', () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    expect(world.open().sessionId).not.toBe(world.open().sessionId);
  });

  test('B2: the declared model and the topics that exist are granted', () => {
    const agent_model = { class: 'edge_small', expected_full_response_ms: 90 } as const;
    const { init } = new TestWorld().open({ agent_model, event_subscriptions: ['audio', 'smell', 'tick'] });
    expect(init.agent_model).toEqual(agent_model);
    expect(init.event_subscriptions).toEqual(['tick', 'audio']);
  });

  test('B2: it stays the first message for a session that subscribes to ticks', () => {
    const agent = new TestWorld().open({ event_subscriptions: ['tick'] });
    expect(agent.messages.map((message) => message.type)).toEqual(['session_init', 'event']);
  });

  test('B2: what limits a tool is in the catalogue', () => {
    const world = new TestWorld([
      tool('shoot', {
        limits: { calls_per_minute: 3, calls_per_session: 9 },
        requiresCapability: 'combat',
        strictInput: true,
        maxAgeTicks: 2,
      }),
    ]);
    expect(world.open().init.tools[0]).toMatchObject({
      limits: { calls_per_minute: 3, calls_per_session: 9 },
      requires_capability: 'combat',
      strict_input: true,
      input_schema: { required: ['observed_tick'], properties: { observed_tick: { type: 'integer' } } },
    });
  });
});

describe('B4: refused openings', () => {
  test('B4: an unknown character is answered with the names there are', () => {
    const world = new TestWorld();
    world.add('old_tam');
    const { refusal } = world.open({ character: 'nobody' });
    expect(refusal).toMatchObject({ absent: true, error: { code: 'tool_unavailable', retryable: true } });
    expect(refusal?.error.message).toMatch(/nobody.*mira, old_tam/);
  });

  test('B4: without a name and without a default there is nothing to open', () => {
    const world = new TestWorld([], { mira: { default: false } });
    const { refusal } = world.open();
    expect(refusal).toMatchObject({ absent: true, error: { code: 'tool_unavailable', retryable: true } });
    expect(refusal?.error.message).toContain('mira');
  });

  test('B4: an empty world says so', () => {
    const bridge = createBridge({ world: { name: 'void' }, clock: new ManualClock(), newId: testId });
    const agent = new TestAgent();
    agent.opened(bridge.open(agent.port, { principal: 'anonymous' }));
    expect(agent.refusal?.error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  });

  test('B4: a refused opening sends nothing and leaves nothing behind', () => {
    const world = new TestWorld();
    const agent = world.open({ character: 'nobody' });
    expect(agent.messages).toEqual([]);
    expect(agent.closings).toEqual([]);
    expect(world.clock.timers).toBe(0);
  });

  test('B4: a character is for one agent unless maxSessions says more', () => {
    const world = new TestWorld();
    const first = world.open();
    expect(world.open().refusal).toMatchObject({ absent: false, error: { code: 'tool_unavailable', retryable: true } });
    first.send({ type: 'session_close' });
    expect(world.open().refusal).toBeUndefined();
  });

  test('B4: maxSessions agents share it and the next is refused', () => {
    const world = new TestWorld([], { mira: { maxSessions: 3 } });
    expect([1, 2, 3, 4].map(() => world.open().refusal !== undefined)).toEqual([false, false, false, true]);
    expect(world.bridge.characters()[0]).toMatchObject({ sessions: 3, max_sessions: 3 });
  });

  test('B5: a token sees and opens only the characters it is for', () => {
    const world = new TestWorld();
    world.add('old_tam');
    const { refusal } = world.open({ character: 'mira', characters: ['old_tam'] });
    expect(refusal?.absent).toBe(true);
    expect(refusal?.error.message).toContain('old_tam');
    expect(refusal?.error.message).not.toMatch(/there are:.*mira/);
    expect(world.open({ characters: ['old_tam'] }).refusal?.error.message).not.toContain('mira');
    expect(world.open({ character: 'old_tam', characters: ['old_tam'] }).init.world.name).toBe('hill');
  });

  test('B4: a contract that cannot be made refuses the opening instead of stopping the game', () => {
    const world = new TestWorld([], {
      policyFor: () => {
        throw new Error('no such contract');
      },
    });
    expect(world.open().refusal?.error.code).toBe('internal_error');
    expect(world.bridge.sessions()).toEqual([]);
    expect(world.clock.timers).toBe(0);
  });
});

describe('B7: long-lost sessions give way', () => {
  function lostFor(ms: number) {
    const world = new TestWorld();
    const old = world.open();
    old.send({ type: 'heartbeat' });
    old.handler.closed(false);
    world.clock.pass(ms);
    return { world, old };
  }

  test('B7: after 4,999 ms a detached session still holds its character', () => {
    const { world, old } = lostFor(4_999);
    expect(world.open().refusal?.error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    expect(world.resume(old).init.session_id).toBe(old.sessionId);
  });

  test('B7: after 5,000 ms it gives way, and its resume is session_expired', () => {
    const { world, old } = lostFor(5_000);
    expect(world.open().refusal).toBeUndefined();
    expect(world.resume(old).refusal?.error).toMatchObject({ code: 'session_expired', retryable: false });
  });

  test('B7: it stays while there is room for both', () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    const old = world.open();
    old.send({ type: 'heartbeat' });
    old.handler.closed(false);
    world.clock.pass(6_000);
    world.open();
    expect(world.resume(old).init.session_id).toBe(old.sessionId);
  });

  test('B7: only as many give way as are needed', () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    for (const agent of [world.open(), world.open()]) {
      agent.send({ type: 'heartbeat' });
      agent.handler.closed(false);
    }
    world.clock.pass(6_000);
    world.open();
    expect(world.bridge.sessions()).toHaveLength(2);
  });

  test('B7, C9: one that has not been heard for long gives way at once, and is told', () => {
    const world = new TestWorld();
    const old = world.open();
    old.handler.quiet(true);
    expect(world.open().refusal).toBeUndefined();
    expect(old.messages.at(-1)).toMatchObject({ type: 'session_close', reason: 'another agent has taken the character' });
    expect(old.closings).toEqual([{ code: 1000, reason: 'another agent has taken the character' }]);
    expect(world.resume(old).refusal?.error).toMatchObject({ code: 'session_expired', retryable: false });
  });

  test.each<[string, (old: TestAgent, world: TestWorld) => unknown]>([
    ['that speaks again', (old) => old.handler.quiet(false)],
    ['that was taken up on another connection', (old, world) => world.resume(old)],
  ])('B7, C9: one %s holds its character', (_what, live) => {
    const world = new TestWorld();
    const old = world.open();
    old.handler.quiet(true);
    live(old, world);
    expect(world.open().refusal?.error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  });

  test('B7, C9: lost ones give way before silent ones, and no more than needed', () => {
    const world = new TestWorld([], { mira: { maxSessions: 3 } });
    const [silent, alive, lost] = [world.open(), world.open(), world.open()];
    silent.handler.quiet(true);
    lost.send({ type: 'heartbeat' });
    lost.handler.closed(false);
    world.clock.pass(5_000);
    expect(world.open().refusal).toBeUndefined();
    expect(world.resume(lost).refusal).toBeDefined();
    expect([silent.closings, alive.closings]).toEqual([[], []]);
    expect(world.open().refusal).toBeUndefined();
    expect([silent.closings.length, alive.closings.length]).toEqual([1, 0]);
    expect(world.open().refusal?.error.message).toContain('taken');
  });

  test('B7: the calls of the one that gives way end', () => {
    let aborted = false;
    const world = new TestWorld([
      tool('hum', {
        run: (_input, { signal }) =>
          new Promise(() => {
            signal.onabort = () => {
              aborted = true;
            };
          }),
      }),
    ]);
    const old = world.open();
    old.call('hum');
    old.handler.closed(false);
    world.clock.pass(5_000);
    world.open();
    expect(aborted).toBe(true);
  });
});

describe('what is told about characters and sessions', () => {
  test('sessions() lists who drives what, in-page drivers aside', () => {
    const world = new TestWorld();
    world.openYielding();
    const agent = world.open({ principal: 'alice' });
    expect(world.bridge.sessions()).toEqual([{ session_id: agent.sessionId, character: 'mira', principal: 'alice' }]);
  });

  test('onChange tells once a turn that a character came, went or changed hands, whatever a listener throws', async () => {
    const world = new TestWorld();
    let told = 0;
    await Promise.resolve();
    world.bridge.onChange(() => {
      throw new Error('listener');
    });
    const stop = world.bridge.onChange(() => told++);
    const tam = world.add('old_tam');
    world.open();
    await Promise.resolve();
    expect(told).toBe(1);
    tam.remove();
    await Promise.resolve();
    expect(told).toBe(2);
    stop();
    world.add('old_tam');
    await Promise.resolve();
    expect(told).toBe(2);
  });

  test.each([
    ['an id with a blank', 'old tam', {}],
    ['an empty id', '', {}],
    ['an id of 65 characters', 'x'.repeat(65), {}],
    ['no description', 'tam', { description: '' }],
    ['half a session', 'tam', { maxSessions: 1.5 }],
    ['no session', 'tam', { maxSessions: 0 }],
    ['a second default', 'tam', { default: true }],
    ['something that is no tool', 'tam', { tools: [{ id: 'x' }] as never }],
    ['one tool id twice', 'tam', { tools: [tool('x'), tool('x')] }],
    ['a built-in tool id', 'tam', { tools: [tool('cancel_call')] }],
  ])('addCharacter throws for %s and changes nothing', (_what, id, options) => {
    const world = new TestWorld();
    expect(() => world.add(id, [], options)).toThrow(TypeError);
    expect(world.bridge.characters().map((character) => character.id)).toEqual(['mira']);
  });

  test('a character id may have 64 characters', () => {
    const world = new TestWorld();
    world.add('x'.repeat(64));
    expect(world.open({ character: 'x'.repeat(64) }).refusal).toBeUndefined();
  });

  test.each([
    ['no name', { world: { name: '' } }],
    ['an unknown tick mode', { tickMode: 'slow' as never }],
    ['no ticks', { tickRateHz: 0 }],
    ['more ticks than any frame', { tickRateHz: 1_001 }],
    ['a rate that is no number', { tickRateHz: Number.NaN }],
  ])('createBridge throws for %s', (_what, options) => {
    expect(() => new TestWorld([], options)).toThrow(TypeError);
  });
});
