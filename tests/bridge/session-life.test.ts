import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/protocol/index.ts';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { TestWorld, testId } from '../fixtures/bridge-world.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

describe('C1: whose session it is', () => {
  test('C1: an unknown session id gets an error that names the message, and nothing runs', () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum]).open();
    const stranger = testId();
    const message_id = agent.send({ type: 'tool_call', session_id: stranger, call_id: 'a', tool: 'hum', input: {} });
    expect(agent.errors).toMatchObject([{ session_id: agent.sessionId, message_id, error: { code: 'session_expired', retryable: false } }]);
    expect(runs).toEqual([]);
  });

  test("C1: another connection's session id never reaches that session", () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum], { mira: { maxSessions: 2 } });
    const [mine, other] = [world.open(), world.open()];
    mine.send({ type: 'tool_call', session_id: other.sessionId, call_id: 'a', tool: 'hum', input: {} });
    mine.send({ type: 'session_close', session_id: other.sessionId });
    mine.send({ type: 'heartbeat', session_id: other.sessionId });
    expect(mine.errors.map(({ error }) => error.code)).toEqual(['session_expired', 'session_expired', 'session_expired']);
    expect(runs).toEqual([]);
    expect(other.messages).toHaveLength(1);
    expect(other.closings).toEqual([]);
  });

  test('C1: the nil id is an unknown one once a session is open', () => {
    const agent = new TestWorld().open();
    agent.send({ type: 'manifest_request', session_id: NIL });
    expect(agent.errors[0]?.error.code).toBe('session_expired');
  });

  test('C1: what a relay of another mind lets through gets an error too', () => {
    const agent = new TestWorld().open();
    for (const text of ['', 'null', '[]', '{', '7']) agent.handler.message(text);
    expect(agent.errors.map(({ error }) => error.code)).toEqual(Array(5).fill('invalid_input'));
  });
});

describe('C2: manifest_request', () => {
  test('C2: it is answered by a new session_init with the same id', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.take();
    agent.send({ type: 'manifest_request' });
    const [again] = agent.take();
    expect(again).toEqual({ ...agent.init, message_id: again?.message_id });
    expect(again?.message_id).not.toBe(agent.init.message_id);
  });

  test('C2: it shows the catalogue of now', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    world.mira.setTools([tool('bow')]);
    agent.send({ type: 'manifest_request' });
    expect(agent.messages.at(-1)).toMatchObject({ type: 'session_init', tools: [{ id: 'bow' }, { id: 'cancel_call' }] });
  });

  test('C2: five a second are answered, the sixth gets an error, and a second later the next is answered', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.take();
    for (let n = 0; n < 6; n++) agent.send({ type: 'manifest_request' });
    expect(agent.take().map((message) => message.type)).toEqual([...Array(5).fill('session_init'), 'error']);
    expect(agent.errors[0]?.error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    world.clock.pass(999);
    agent.send({ type: 'manifest_request' });
    world.clock.pass(1);
    agent.send({ type: 'manifest_request' });
    expect(agent.take().map((message) => message.type)).toEqual(['error', 'session_init']);
  });
});

describe('C3: heartbeats', () => {
  test('C3: the bridge sends one every 10 s of wall time, whether or not the world moves', () => {
    const world = new TestWorld();
    const agent = world.open();
    world.clock.pass(9_999);
    expect(agent.heartbeats).toHaveLength(0);
    world.clock.pass(1);
    expect(agent.heartbeats).toHaveLength(1);
    world.clock.pass(30_000);
    expect(agent.heartbeats).toHaveLength(4);
    expect(new Set(agent.heartbeats.map((beat) => beat.message_id)).size).toBe(4);
  });

  test("C3: an agent's heartbeat is answered by one with the same message_id", () => {
    const agent = new TestWorld().open();
    const message_id = agent.send({ type: 'heartbeat' });
    expect(agent.heartbeats).toMatchObject([{ message_id, session_id: agent.sessionId }]);
  });

  test('C3: at most one a second is answered', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    agent.send({ type: 'heartbeat' });
    world.clock.pass(999);
    agent.send({ type: 'heartbeat' });
    expect(agent.heartbeats).toHaveLength(1);
    world.clock.pass(1);
    agent.send({ type: 'heartbeat' });
    expect(agent.heartbeats).toHaveLength(2);
  });

  test('C3: an answer is not answered, even one that comes after later heartbeats', () => {
    const world = new TestWorld();
    const agent = world.open();
    world.clock.pass(30_000);
    for (const { message_id } of [...agent.heartbeats]) {
      world.clock.pass(2_000);
      agent.send({ type: 'heartbeat', message_id });
    }
    expect(agent.heartbeats).toHaveLength(3);
  });

  test('C3: a changed catalogue comes as manifest_update, the session_init members without the ids', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    world.clock.pass(2_000);
    world.mira.setTools([tool('bow', { capability: 'expression' })]);
    world.clock.pass(0);
    const { session_id: _session, message_id: _message, ...manifest } = agent.init;
    expect(agent.heartbeats).toHaveLength(1);
    expect(agent.heartbeats[0]?.manifest_update).toEqual({
      ...manifest,
      capabilities: { sensors: [], actuators: ['expression', 'control'], generators: [] },
      tools: [expect.objectContaining({ id: 'bow' }), expect.objectContaining({ id: 'cancel_call' })],
    });
  });

  test('C3: many changes within a second come as one update with the last catalogue, a second after the one before', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    world.clock.pass(5_000);
    for (const id of ['a', 'b', 'c']) world.mira.setTools([tool(id)]);
    world.clock.pass(0);
    for (const id of ['d', 'e']) world.mira.setTools([tool(id)]);
    world.clock.pass(999);
    const ids = () => agent.heartbeats.map((beat) => (beat.manifest_update as Manifest).tools[0]?.id);
    expect(ids()).toEqual(['c']);
    world.clock.pass(1);
    expect(ids()).toEqual(['c', 'e']);
  });

  test('C3: a catalogue that is the same again is not told', () => {
    const wave = tool('wave');
    const world = new TestWorld([wave]);
    const agent = world.open();
    world.mira.setTools([tool('bow')]);
    world.mira.setTools([wave]);
    world.clock.pass(5_000);
    expect(agent.heartbeats).toEqual([]);
  });

  test('C3: tools that the session may not see do not count as a change', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open({ capabilities: [] });
    world.mira.setTools([tool('wave'), tool('shoot', { requiresCapability: 'combat' })]);
    world.clock.pass(5_000);
    expect(agent.heartbeats).toEqual([]);
  });

  test('setTools throws for wrong tools and leaves the catalogue as it was', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    expect(() => world.mira.setTools([tool('bow'), tool('bow')])).toThrow(TypeError);
    agent.send({ type: 'manifest_request' });
    expect(agent.messages.at(-1)).toMatchObject({ tools: [{ id: 'wave' }, { id: 'cancel_call' }] });
  });
});

describe('C4: a lost connection', () => {
  test('C4: running calls go on while detached', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    const id = agent.call('hum');
    agent.handler.closed(false);
    expect(runs[0]?.context.signal.aborted).toBe(false);
    runs[0]?.finish({ sung: true });
    await world.frame();
    expect(agent.results).toEqual([]);
    expect(world.resume(agent).output(id)).toEqual({ sung: true });
  });

  test('C4: after 60 s of wall time it ends, its calls are aborted and the character is free', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    agent.call('hum');
    agent.handler.closed(false);
    world.clock.pass(59_999);
    expect(runs[0]?.context.signal.aborted).toBe(false);
    expect(world.bridge.sessions()).toHaveLength(1);
    world.clock.pass(1);
    expect(runs[0]?.context.signal.aborted).toBe(true);
    expect(world.bridge.sessions()).toEqual([]);
    expect(world.clock.timers).toBe(0);
    expect(world.resume(agent).refusal?.error).toMatchObject({ code: 'session_expired', retryable: false });
  });

  test('C4: a WebSocket close 1000 ends it at once', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    agent.call('hum');
    agent.handler.closed(true);
    expect(runs[0]?.context.signal.aborted).toBe(true);
    expect(world.bridge.sessions()).toEqual([]);
    expect(world.clock.timers).toBe(0);
  });

  test('C4: a session whose agent never sent a message of its own ends with its connection', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.handler.closed(false);
    expect(world.bridge.sessions()).toEqual([]);
    expect(world.open().refusal).toBeUndefined();
    expect(agent.messages.map((message) => message.type)).toEqual(['session_init']);
  });

  test('C4: messages for other sessions do not count as its own', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.send({ type: 'heartbeat', session_id: testId() });
    agent.handler.closed(false);
    expect(world.bridge.sessions()).toEqual([]);
  });

  test('C4: while it is detached nothing is sent and no heartbeat runs', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    agent.take();
    world.mira.emit('audio', { kind: 'sound' });
    world.mira.setTools([tool('bow')]);
    world.clock.pass(20_000);
    expect(agent.take()).toEqual([]);
  });

  test('C4: what a connection still says after it was lost is dropped', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    agent.call('hum');
    agent.handler.closed(true);
    expect(runs).toEqual([]);
    expect(world.bridge.sessions()).toHaveLength(1);
  });
});

describe('C7: session_close', () => {
  test('C7: calls are answered first, then session_close, then the connection closes with 1000', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    const ids = [agent.call('hum'), agent.call('hum')];
    agent.take();
    agent.send({ type: 'session_close', reason: 'done' });
    expect(agent.take()).toMatchObject([
      { type: 'tool_result', call_id: ids[0], ok: false, error: { code: 'execution_failed' } },
      { type: 'tool_result', call_id: ids[1], ok: false, error: { code: 'execution_failed' } },
      { type: 'session_close', reason: 'done' },
    ]);
    expect(agent.closings).toEqual([{ code: 1000, reason: 'done' }]);
    expect(runs.map((run) => run.context.signal.aborted)).toEqual([true, true]);
    expect(world.bridge.sessions()).toEqual([]);
    expect(world.clock.timers).toBe(0);
  });

  test('C7: the bridge closes the same way when the world ends, and says that nobody meant it', () => {
    const { tool: hum } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    agent.call('hum');
    agent.take();
    world.bridge.close('good night');
    world.bridge.close('again');
    expect(agent.take()).toMatchObject([
      { type: 'tool_result', ok: false },
      { type: 'session_close', reason: 'good night' },
    ]);
    expect(agent.closings).toEqual([{ code: 4002, reason: 'good night' }]);
    expect(world.clock.timers).toBe(0);
  });

  test('C7: a call that waited for the lane of an aborted one does not start', () => {
    const { tool: walk, runs } = held('walk', { lane: 'legs', onBusy: 'queue' });
    const agent = new TestWorld([walk]).open();
    const ids = [agent.call('walk', { n: 1 }), agent.call('walk', { n: 2 })];
    agent.send({ type: 'session_close' });
    expect(runs.map((run) => run.input)).toEqual([{ n: 1 }]);
    expect(ids.map((id) => agent.result(id).error?.code)).toEqual(['execution_failed', 'execution_failed']);
  });

  test('C7: after it nothing is sent or taken any more', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    agent.send({ type: 'session_close' });
    agent.take();
    agent.call('hum');
    agent.handler.refusedCall({ call_id: 'x', content: '', error: 'wrong' });
    agent.handler.closed(true);
    world.mira.emit('audio', { kind: 'sound' });
    expect(agent.take()).toEqual([]);
    expect(runs).toEqual([]);
  });

  test('C7: a closed world takes no openings and no characters, and does nothing', async () => {
    const world = new TestWorld([], { tickMode: 'fixed' });
    world.bridge.close();
    expect(world.open().refusal?.error.code).toBe('tool_unavailable');
    expect(() => world.add('old_tam')).toThrow(TypeError);
    await world.frame(1_000);
    expect(world.bridge.tick).toBe(0);
  });
});

describe('C8: a character outlives its body', () => {
  test('C8: without its body the session stays and calls get tool_unavailable, retryable', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    world.mira.unbind();
    const id = agent.call('hum');
    expect(agent.result(id).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    expect(runs).toEqual([]);
    expect(agent.closings).toEqual([]);
  });

  test('C8: calls that run when the body goes end with tool_unavailable, retryable, and waiting ones do not start', () => {
    const { tool: walk, runs } = held('walk', { lane: 'legs', onBusy: 'queue' });
    const world = new TestWorld([walk]);
    const agent = world.open();
    const ids = [agent.call('walk', { n: 1 }), agent.call('walk', { n: 2 })];
    world.mira.unbind();
    for (const id of ids) expect(agent.result(id).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    expect(runs).toHaveLength(1);
    expect(runs[0]?.context.signal.aborted).toBe(true);
  });

  test('C8: the same id declared again within rebindMs is the same character with the same session', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    world.mira.unbind();
    world.clock.pass(9_999);
    expect(world.add('mira', [tool('wave')], { default: true })).toBe(world.mira);
    world.clock.pass(60_000);
    expect(agent.output(agent.call('wave'))).toEqual({});
    expect(agent.closings).toEqual([]);
  });

  test('C8: after 10 s of wall time its sessions are closed with a reason', () => {
    const world = new TestWorld();
    const agent = world.open();
    world.mira.unbind();
    world.clock.pass(9_999);
    expect(agent.farewells).toEqual([]);
    world.clock.pass(1);
    expect(agent.farewells[0]?.reason).toContain('mira');
    expect(agent.closings).toMatchObject([{ code: 4002 }]);
    expect(world.bridge.characters()).toEqual([]);
    expect(world.clock.timers).toBe(0);
  });

  test('C8: rebindMs says how long', () => {
    const world = new TestWorld([], { mira: { rebindMs: 500 } });
    const agent = world.open();
    world.mira.unbind();
    world.clock.pass(499);
    expect(agent.closings).toEqual([]);
    world.clock.pass(1);
    expect(agent.closings).toHaveLength(1);
  });

  test('C8: the next body may have other tools, and the session is told', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    world.mira.unbind();
    world.add('mira', [tool('howl')], { default: true });
    world.clock.pass(2_000);
    expect(agent.heartbeats[0]?.manifest_update).toMatchObject({ tools: [{ id: 'howl' }, { id: 'cancel_call' }] });
  });

  test('C8: declared again while the old body is still there, the old one is gone', () => {
    const { tool: hum } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    const id = agent.call('hum');
    world.add('mira', [hum], { default: true });
    expect(agent.result(id).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    world.clock.pass(60_000);
    expect(agent.closings).toEqual([]);
  });

  test('C8: the end of an older body does not touch the newer one', () => {
    const world = new TestWorld([tool('wave')]);
    const older = world.mira.binding;
    const agent = world.open();
    world.add('mira', [tool('wave')], { default: true });
    world.mira.unbind(older);
    expect(agent.output(agent.call('wave'))).toEqual({});
  });

  test('C8: a body that a handler declares when it hears of the end of the last one stays', () => {
    const world = new TestWorld([
      tool('hum', {
        run: (_input, { signal }) =>
          new Promise(() => {
            signal.onabort = () => world.add('mira', [tool('wave')], { default: true });
          }),
      }),
    ]);
    const agent = world.open();
    agent.call('hum');
    world.mira.unbind();
    world.clock.pass(60_000);
    expect(agent.closings).toEqual([]);
    expect(agent.output(agent.call('wave'))).toEqual({});
  });

  test('C8: a session can be opened while the body is away', () => {
    const world = new TestWorld([tool('wave')]);
    world.mira.unbind();
    const agent = world.open();
    expect(agent.init.tools).toHaveLength(2);
    expect(agent.result(agent.call('wave')).error?.retryable).toBe(true);
  });

  test('C8: remove closes its sessions at once, with a reason, and frees the id', () => {
    const { tool: hum } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    const id = agent.call('hum');
    world.mira.remove();
    world.mira.remove();
    expect(agent.result(id).error?.code).toBe('execution_failed');
    expect(agent.farewells[0]?.reason).toContain('mira');
    expect(agent.closings).toHaveLength(1);
    expect(world.add('mira')).not.toBe(world.mira);
  });

  test('C8: with a reason of the game, remove gives that', () => {
    const world = new TestWorld();
    const agent = world.open();
    world.mira.remove('she left the village');
    expect(agent.farewells[0]?.reason).toBe('she left the village');
  });

  test('E6: a new body of a paused character goes on, and who was told of the pause is told', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open({ event_subscriptions: [] });
    world.mira.setPaused(true);
    world.mira.unbind();
    world.add('mira', [tool('wave')], { default: true });
    expect(agent.heard('state_change')).toEqual([{ kind: 'world_paused' }, { kind: 'world_resumed' }]);
    expect(agent.output(agent.call('wave'))).toEqual({});
  });
});

test('E6: a session that opens while the world is paused is told so, and hears of the end of the pause', () => {
  const world = new TestWorld();
  world.mira.setPaused(true);
  const agent = world.open();
  expect(agent.messages.map(({ type }) => type)).toEqual(['session_init', 'event']);
  world.mira.setPaused(false);
  expect(agent.messages.slice(1)).toMatchObject([{ payload: { kind: 'world_paused' } }, { payload: { kind: 'world_resumed' } }]);
});
