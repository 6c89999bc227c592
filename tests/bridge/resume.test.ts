import { describe, expect, test } from 'vitest';
import type { BridgeMessage, EventMessage, ToolResult } from '../../src/protocol/index.ts';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { type TestAgent, TestWorld, testId } from '../fixtures/bridge-world.ts';

const seqOf = (message: BridgeMessage) => (message as ToolResult | EventMessage).meta?.seq;
/** What came after the session_init that every connection begins with. */
const afterInit = (agent: TestAgent) => agent.messages.slice(1);

describe('C5: resume', () => {
  test('C5: it gives session_init with the same id first', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.call('wave');
    agent.handler.closed(false);
    const again = world.resume(agent);
    expect(again.init).toEqual({ ...agent.init, message_id: again.init.message_id });
    expect(again.sessionId).toBe(agent.sessionId);
  });

  test('C5: without last_seq every kept result comes again, byte for byte, and the events since the loss', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.call('wave');
    world.mira.emit('audio', { n: 'heard' });
    agent.call('wave');
    const before = agent.results;
    agent.handler.closed(false);
    world.mira.emit('audio', { n: 'missed' });
    const again = world.resume(agent);
    expect(again.results).toEqual(before);
    expect(again.heard('audio')).toEqual([{ n: 'missed' }]);
    expect(afterInit(again).map(seqOf)).toEqual([1, 3, 4]);
  });

  test('C5: with last_seq what came after it comes, results and events, in order', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    for (let n = 0; n < 3; n++) {
      agent.call('wave');
      world.mira.emit('audio', { n });
    }
    agent.handler.closed(false);
    world.mira.emit('audio', { n: 3 });
    const again = world.resume(agent, { last_seq: 3 });
    expect(afterInit(again).map(seqOf)).toEqual([4, 5, 6, 7]);
    expect(again.heard('audio')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test('C5: last_seq 0 gives everything that is kept', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.call('wave');
    world.mira.emit('audio', { n: 0 });
    agent.handler.closed(false);
    expect(afterInit(world.resume(agent, { last_seq: 0 })).map(seqOf)).toEqual([1, 2]);
  });

  test('C5: ticks are not kept, also those that a held connection left behind', async () => {
    const world = new TestWorld();
    const agent = world.open({
      event_subscriptions: ['tick', 'audio'],
      agent_model: { class: 'edge_small', expected_full_response_ms: 0 },
    });
    agent.send({ type: 'heartbeat' });
    agent.handler.hold(true);
    await world.frame();
    world.mira.emit('audio', { n: 0 });
    agent.handler.closed(false);
    await world.frame();
    const again = world.resume(agent, { last_seq: 0 });
    expect(again.events.map((event) => event.topic)).toEqual(['audio', 'tick']);
    expect(again.heard('tick')[0]?.tick).toBe(2);
  });

  test('C5: 1,024 results are kept', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    for (let n = 0; n < 1_025; n++) agent.call('wave', {}, `call ${n}`);
    agent.handler.closed(false);
    const { results } = world.resume(agent, { last_seq: 0 });
    expect(results.length).toBe(1_024);
    expect(results[0]?.call_id).toBe('call 1');
  });

  test('C5: 8 MiB of results are kept', () => {
    const text = 'x'.repeat(1_000_000);
    const world = new TestWorld([tool('shout', { run: () => ({ text }) })]);
    const agent = world.open();
    for (let n = 0; n < 12; n++) agent.call('shout', {}, `call ${n}`);
    agent.handler.closed(false);
    const again = world.resume(agent, { last_seq: 0 });
    world.clock.pass(5_000);
    expect(again.results.map((result) => result.call_id)).toEqual(Array.from({ length: 8 }, (_, n) => `call ${n + 4}`));
  });

  test('C5: 512 events are kept, those that were sent and those that were not apart', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    for (let n = 0; n < 600; n++) world.mira.emit('audio', { n });
    agent.handler.closed(false);
    const heard = world.resume(agent, { last_seq: 0 }).heard('audio');
    expect([heard.length, heard[0]?.n, heard.at(-1)?.n]).toEqual([512, 88, 599]);
  });

  test('C5, F3: 512 unsent events wait while detached, and the first that comes says how many went', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    for (let n = 0; n < 515; n++) world.mira.emit('audio', { n });
    const { events } = world.resume(agent);
    expect(events.length).toBe(512);
    expect(events[0]).toMatchObject({ payload: { n: 3 }, meta: { dropped: 3 } });
    expect(events[1]?.meta?.dropped).toBeUndefined();
  });

  test('C5: events that are kept do not push out results, nor the other way round', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.call('wave');
    for (let n = 0; n < 600; n++) world.mira.emit('audio', { n });
    agent.handler.closed(false);
    expect(world.resume(agent, { last_seq: 0 }).results).toHaveLength(1);
  });

  test('C5: the call that ran over the loss is answered once it ends, on the new connection alone', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    const id = agent.call('hum');
    agent.handler.closed(false);
    const again = world.resume(agent);
    runs[0]?.finish({ ok: 1 });
    await world.frame();
    expect(again.output(id)).toEqual({ ok: 1 });
    expect(agent.results).toEqual([]);
  });

  test('C5: another principal cannot resume it', () => {
    const world = new TestWorld();
    const agent = world.open({ principal: 'alice' });
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    expect(world.resume(agent, { principal: 'bob' }).refusal?.error).toMatchObject({ code: 'session_expired', retryable: false });
    expect(world.resume(agent, { principal: 'alice' }).sessionId).toBe(agent.sessionId);
  });

  test("C5: an in-page driver's session cannot be resumed from outside", () => {
    const world = new TestWorld();
    const driver = world.openYielding({ principal: 'anonymous' });
    expect(world.resume(driver).refusal?.error.code).toBe('session_expired');
  });

  test('C5: an unknown or ended session is session_expired', () => {
    const world = new TestWorld();
    const agent = world.open();
    expect(world.open({ resume: testId() }).refusal).toMatchObject({ absent: false, error: { code: 'session_expired', retryable: false } });
    agent.send({ type: 'session_close' });
    expect(world.resume(agent).refusal?.error.code).toBe('session_expired');
  });

  test('C5: a still attached old connection is closed with 4001 and what it still sends is dropped', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const old = world.open();
    const again = world.resume(old);
    expect(old.closings).toMatchObject([{ code: 4001 }]);
    old.call('hum');
    old.handler.hold(true);
    old.handler.closed(true);
    expect(runs).toEqual([]);
    expect(world.bridge.sessions()).toHaveLength(1);
    world.mira.emit('audio', { n: 0 });
    expect(again.heard('audio')).toEqual([{ n: 0 }]);
    expect(old.heard('audio')).toEqual([]);
  });

  test('C4: a resumed session may be lost for 60 s again', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    world.clock.pass(59_000);
    const again = world.resume(agent);
    world.clock.pass(59_000);
    again.handler.closed(false);
    world.clock.pass(59_999);
    expect(world.bridge.sessions()).toHaveLength(1);
    world.clock.pass(1);
    expect(world.bridge.sessions()).toEqual([]);
  });

  test('C3: heartbeats go on after a resume, ten seconds after it', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    world.clock.pass(7_000);
    const again = world.resume(agent);
    world.clock.pass(9_999);
    expect(again.heartbeats).toEqual([]);
    world.clock.pass(1);
    expect(again.heartbeats).toHaveLength(1);
  });

  test('C5: session_resume on the live connection repeats session_init and what is kept', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    const id = agent.call('wave');
    agent.take();
    agent.send({ type: 'session_resume' });
    expect(agent.take()).toMatchObject([{ type: 'session_init' }, { type: 'tool_result', call_id: id }]);
  });

  test('C5: it repeats the events since the last loss, those too that have come meanwhile, and none from before it', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.call('wave');
    world.mira.emit('audio', { n: 'before' });
    agent.handler.closed(false);
    world.mira.emit('audio', { n: 'meanwhile' });
    const again = world.resume(agent);
    world.mira.emit('audio', { n: 'after' });
    again.take();
    again.send({ type: 'session_resume' });
    expect(again.take().slice(1).map(seqOf)).toEqual([1, 3, 4]);
  });

  test('C5: a connection that was replaced before its loss was noticed has lost nothing: what was sent into it comes again', () => {
    const world = new TestWorld();
    const agent = world.open();
    world.mira.emit('audio', { n: 0 });
    expect(world.resume(agent).heard('audio')).toEqual([{ n: 0 }]);
  });

  test('F4: session_resume on a held connection does not let its events go', () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.handler.hold(true);
    agent.send({ type: 'session_resume' });
    world.mira.emit('audio', { n: 0 });
    expect(agent.heard('audio')).toEqual([]);
  });

  test('E4: the first tick follows the session_init of a resume at once', () => {
    const world = new TestWorld();
    const agent = world.open({ event_subscriptions: ['tick'] });
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    expect(world.resume(agent).messages.map((message) => message.type)).toEqual(['session_init', 'event']);
  });

  test('D1: a repeated call_id after a resume gets the recorded outcome with the same seq', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    const id = agent.call('wave');
    agent.handler.closed(false);
    const again = world.resume(agent, { last_seq: 1 });
    again.call('wave', {}, id);
    expect(again.result(id)).toEqual(agent.result(id));
  });

  test('C5: the sessions of a world that was loaded anew are unknown', () => {
    const old = new TestWorld();
    const agent = old.open();
    const next = new TestWorld();
    expect(next.bridge.instance).not.toBe(old.bridge.instance);
    expect(next.resume(agent).refusal?.error.code).toBe('session_expired');
  });
});

describe('C5: a resume has the rights of the token that asks', () => {
  test('C5: a token that may not drive the character does not get its session', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open({ characters: ['mira'] });
    agent.call('wave');
    agent.handler.closed(false);
    expect(world.resume(agent, { characters: ['somebody_else'] }).refusal?.error).toMatchObject({
      code: 'session_expired',
      retryable: false,
    });
    expect(world.resume(agent, { characters: ['somebody_else', 'mira'] }).init.session_id).toBe(agent.sessionId);
  });

  test('C5: capabilities that were narrowed meanwhile are gone, from the catalogue and from calls', () => {
    const world = new TestWorld([tool('wave'), tool('shoot', { requiresCapability: 'weapons' })]);
    const agent = world.open({ capabilities: ['weapons'] });
    agent.call('shoot');
    expect(agent.results.at(-1)).toMatchObject({ ok: true });
    agent.handler.closed(false);
    const again = world.resume(agent, { capabilities: [] });
    expect(again.init.tools.map(({ id }) => id)).not.toContain('shoot');
    again.call('shoot');
    expect(again.results.at(-1)).toMatchObject({ ok: false, error: { code: 'tool_unavailable', retryable: false } });
    again.call('wave');
    expect(again.results.at(-1)).toMatchObject({ ok: true });
  });
});
