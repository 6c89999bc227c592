import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { attach, type CallError, connect, type JsonObject, type Session } from '../../src/agent/index.ts';
import type { Channel } from '../../src/transport/index.ts';
import { manifest, OTHER_SESSION, SESSION, scriptedPeer, settled, text } from './scripted-peer.ts';

async function opened(subscriptions?: string) {
  const peer = scriptedPeer();
  const opening = attach(peer.agentEnd);
  peer.say(text.init(subscriptions));
  const session = await opening;
  const errors: string[] = [];
  session.on('error', (error) => errors.push(error.message));
  onTestFinished(() => peer.hangUp(1000, ''));
  return { peer, session, errors };
}

const refusal = (call: Promise<unknown>): Promise<CallError> =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  );

test('B2: a session shows what session_init said', async () => {
  const { session } = await opened();
  expect(session.id).toBe(SESSION);
  expect(session.world).toEqual({ name: 'hill', kind: '2d' });
  expect([session.tickMode, session.tickRateHz, session.model]).toEqual(['hybrid', 10, { class: 'cloud_medium' }]);
  expect(session.tools.map((tool) => tool.id)).toEqual(['body', 'move_to']);
  expect(session.topics).toEqual(['tick', 'audio', 'state_change']);
  expect(session.snapshot).toBeUndefined();
});

test('B1: connect sends one connect line with what was asked, and a model class becomes a declaration', async () => {
  const peer = scriptedPeer();
  const opening = connect({
    channel: peer.agentEnd,
    world: 'hill',
    character: 'ann',
    model: 'edge_small',
    subscribe: ['tick'],
    token: 's3cret',
    waitMs: 500,
    observe: true,
  });
  expect(await peer.next()).toEqual({
    connect: {
      world: 'hill',
      character: 'ann',
      agent_model: { class: 'edge_small' },
      event_subscriptions: ['tick'],
      token: 's3cret',
      wait_ms: 500,
      observe: true,
    },
  });
  peer.say(text.init());
  await opening;
  expect(peer.unread()).toEqual([]);
});

test('D: call resolves with the output of its own result, in whatever order results come', async () => {
  const { peer, session } = await opened();
  const first = session.call('move_to', { x: 1, y: 2 });
  const second = session.call('body');
  const [sentFirst, sentSecond] = [await peer.next(), await peer.next()];
  expect(sentFirst).toMatchObject({ type: 'tool_call', session_id: SESSION, tool: 'move_to', input: { x: 1, y: 2 } });
  expect(sentSecond).toMatchObject({ tool: 'body', input: {} });
  peer.say(text.result(sentSecond.call_id, '{"n":2}'));
  peer.say(text.result(sentFirst.call_id, '{"n":1}'));
  expect(await second).toEqual({ n: 2 });
  expect(await first).toEqual({ n: 1 });
});

test('D13: a failed result rejects with its code, message, retryable, tool and call id', async () => {
  const { peer, session } = await opened();
  const call = refusal(session.call('move_to'));
  const { call_id } = await peer.next();
  peer.say(text.failure(call_id, 'tool_unavailable', 'asleep', true));
  expect(await call).toMatchObject({
    name: 'CallError',
    code: 'tool_unavailable',
    message: 'asleep',
    retryable: true,
    tool: 'move_to',
    callId: call_id,
  });
});

test('D14: a result that is neither an output nor an error still ends its call', async () => {
  const { peer, session } = await opened();
  const call = refusal(session.call('move_to'));
  const { call_id } = await peer.next();
  peer.say(text.result(call_id, '17'));
  expect(await call).toMatchObject({ code: 'internal_error' });
});

test('A7: an error that answers a call by its message id rejects that call and no other', async () => {
  const { peer, session, errors } = await opened();
  const refused = refusal(session.call('move_to'));
  const other = session.call('body');
  const [{ message_id }, { call_id }] = [await peer.next(), await peer.next()];
  peer.say(text.error('invalid_input', 'no such thing', false, message_id));
  expect(await refused).toMatchObject({ code: 'invalid_input', message: 'no such thing' });
  peer.say(text.result(call_id, '{}'));
  expect(await other).toEqual({});
  expect(errors).toEqual([]);
});

test('D17: abort rejects at once with the reason as cause, sends cancel_call, and both late results are nobody’s error', async () => {
  const { peer, session, errors } = await opened();
  const abort = new AbortController();
  const call = refusal(session.call('move_to', {}, { signal: abort.signal }));
  const { call_id } = await peer.next();
  abort.abort('changed my mind');
  expect(await call).toMatchObject({ code: 'execution_failed', message: 'cancelled', retryable: false, cause: 'changed my mind' });
  const cancel = await peer.next();
  expect(cancel).toMatchObject({ type: 'tool_call', tool: 'cancel_call', input: { call_id } });
  peer.say(text.failure(call_id, 'execution_failed', 'cancelled', false));
  peer.say(text.result(cancel.call_id, '{"cancelled":true}'));
  await settled();
  expect(errors).toEqual([]);
});

test('D17: however many calls share a signal, it has one listener; an abort cancels them all, and none is left', async () => {
  const { session } = await opened();
  const abort = new AbortController();
  const calls = Array.from({ length: 100 }, () => refusal(session.call('move_to', {}, { signal: abort.signal })));
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
  abort.abort();
  for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: 'execution_failed', message: 'cancelled' });
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
});

test('a timeoutMs that no timer of JavaScript holds is waited for, and one that is no time is refused', async () => {
  const { peer, session } = await opened();
  const call = session.call('body', {}, { timeoutMs: 1e10 });
  const { call_id } = await peer.next();
  peer.say(text.result(call_id, '{"at":1}'));
  expect(await call).toEqual({ at: 1 });
  expect(await refusal(session.call('body', {}, { timeoutMs: Number.NaN }))).toBeInstanceOf(TypeError);
});

test('D17: a call whose signal was aborted before is never sent', async () => {
  const { peer, session } = await opened();
  expect(await refusal(session.call('body', {}, { signal: AbortSignal.abort() }))).toMatchObject({
    code: 'execution_failed',
    callId: expect.any(String),
  });
  await settled();
  expect(peer.unread()).toEqual([]);
});

test('D12: timeoutMs rejects with a retryable timeout and cancels the call', async () => {
  const { peer, session } = await opened();
  const call = refusal(session.call('move_to', {}, { timeoutMs: 5 }));
  const { call_id } = await peer.next();
  expect(await call).toMatchObject({ code: 'timeout', retryable: true, callId: call_id });
  expect(await peer.next()).toMatchObject({ tool: 'cancel_call', input: { call_id } });
});

test('D17: a result that came takes its abort listener back, so a later abort cancels nothing', async () => {
  const { peer, session } = await opened();
  const abort = new AbortController();
  const call = session.call('body', {}, { signal: abort.signal, timeoutMs: 60_000 });
  peer.say(text.result((await peer.next()).call_id, '{}'));
  await call;
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  abort.abort();
  await settled();
  expect(peer.unread()).toEqual([]);
});

/** So many objects, one in another. */
function nested(depth: number): JsonObject {
  let value: JsonObject = {};
  for (let each = 1; each < depth; each++) value = { value };
  return value;
}

test('A2, A3: an input that cannot travel rejects as invalid_input and costs nothing else', async () => {
  const { peer, session } = await opened();
  const loop: Record<string, never> = {};
  Object.assign(loop, { loop });
  for (const [input, message] of [
    [loop, 'not JSON'],
    [{ big: 1n }, 'not JSON'],
    [nested(100_000), 'not JSON'],
    [nested(64), 'at most 63'],
    [{ toJSON: () => nested(64) }, 'at most 63'],
    [{ toJSON: () => 'no object' }, 'must be an object'],
    [() => 0, 'must be an object'],
    [null, 'must be an object'],
  ] as const) {
    expect(await refusal(session.call('body', input as JsonObject))).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
  }
  expect(await refusal(session.call(undefined as unknown as string))).toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('by its id'),
  });
  expect(await refusal(session.call('x'.repeat(1_048_576)))).toMatchObject({ code: 'invalid_input' });
  const deep = session.call('body', nested(63));
  peer.say(text.result((await peer.next()).call_id, '{}'));
  expect(await deep).toEqual({});
  const room = 1_048_576 - 1024 - '"body"{"text":""}'.length;
  expect(await refusal(session.call('body', { text: 'x'.repeat(room + 1) }))).toMatchObject({ code: 'invalid_input' });
  const fits = session.call('body', { text: 'x'.repeat(room) });
  peer.say(text.result((await peer.next()).call_id, '{}'));
  expect(await fits).toEqual({});
});

test('C4: when the connection ends all pending calls reject, then close is told once and closed settles', async () => {
  const { peer, session } = await opened();
  const order: string[] = [];
  const calls = [session.call('body'), session.call('move_to')].map((call) =>
    call.catch((error) => order.push(`${error.tool} ${error.code}`)),
  );
  session.on('close', (end) => order.push(`close ${end.code} ${end.reason}`));
  session.closed.then((end) => order.push(`closed ${end.code} ${end.reason}`));
  peer.hangUp(1012, 'the game is gone');
  await Promise.all(calls);
  await session.closed;
  await settled();
  expect(order.sort()).toEqual([
    'body session_expired',
    'close 1012 the game is gone',
    'closed 1012 the game is gone',
    'move_to session_expired',
  ]);
  expect(await refusal(session.call('body'))).toMatchObject({
    code: 'session_expired',
    message: 'cannot call body: the session is over (1012, the game is gone)',
  });
});

test('C7: close sends session_close once, refuses further calls and resolves when the connection is over; twice is once', async () => {
  const { peer, session } = await opened();
  const pending = refusal(session.call('move_to'));
  const closing = Promise.all([session.close('done'), session.close('again')]);
  const { call_id } = await peer.next();
  expect(await peer.next()).toMatchObject({ type: 'session_close', reason: 'done' });
  expect(await refusal(session.call('body'))).toMatchObject({
    code: 'session_expired',
    message: 'cannot call body: the session is closing',
  });
  peer.say(text.failure(call_id, 'execution_failed', 'session closed', false));
  peer.say(text.close('bye'));
  peer.hangUp(1000, '');
  await closing;
  expect(await pending).toMatchObject({ code: 'execution_failed' });
  expect(await session.closed).toEqual({ code: 1000, reason: 'bye' });
  await session.close();
  expect(peer.unread()).toEqual([]);
});

test('C5: session_expired settles every outstanding call and is reported', async () => {
  const { peer, session, errors } = await opened();
  const call = refusal(session.call('body'));
  peer.say(text.error('session_expired', 'replaced', false));
  expect(await call).toMatchObject({ code: 'session_expired', message: 'replaced' });
  expect(errors).toEqual(['session_expired: replaced']);
});

test('F1: events reach the listeners of their topic with payload and meta, until removed', async () => {
  const { peer, session } = await opened();
  const heard: unknown[] = [];
  const remove = session.on('audio', (payload, meta) => heard.push([payload.text, meta.seq]));
  peer.say(text.event('audio', '{"text":"hoo"},"meta":{"seq":3}'));
  await settled();
  remove();
  peer.say(text.event('audio', '{"text":"again"}'));
  await settled();
  expect(heard).toEqual([['hoo', 3]]);
});

test('F1: a listener that throws or rejects does not keep the others from hearing, and is reported', async () => {
  const { peer, session, errors } = await opened();
  const heard: string[] = [];
  session.on('error', () => {
    throw new Error('even here');
  });
  session.on('state_change', () => {
    throw new Error('mine');
  });
  session.on('state_change', async () => {
    throw new Error('async');
  });
  session.on('state_change', ({ kind }) => heard.push(kind));
  peer.say(text.event('state_change', '{"kind":"died"}'));
  await settled();
  expect(heard).toEqual(['died']);
  expect(errors).toEqual(['mine', 'async']);
});

test('F1: listening to a topic that the session does not get says how to get it', async () => {
  const { session } = await opened('["audio"]');
  expect(() => session.on('tick', () => {})).toThrow('this session gets no tick events: connect with subscribe: ["audio","tick"]');
  expect(() => session.on('state_change', () => {})).not.toThrow();
});

test('E4: a tick that comes right behind session_init reaches a listener added after await connect, in order and once', async () => {
  const peer = scriptedPeer();
  const opening = attach(peer.agentEnd);
  peer.say(text.init());
  peer.say(text.tick(0));
  peer.say(text.tick(1));
  const session = await opening.then(async (it) => it);
  const ticks: number[] = [];
  session.on('tick', ({ tick }) => ticks.push(tick));
  expect(ticks).toEqual([]);
  peer.say(text.tick(2));
  await settled();
  expect(ticks).toEqual([0, 1, 2]);
});

test('E4: snapshot is the newest that a tick or an observed result brought', async () => {
  const { peer, session } = await opened();
  peer.say(text.tick(1, ',"snapshot":{"sensors":{"body":{"x":1}}}'));
  await settled();
  expect(session.snapshot).toEqual({ sensors: { body: { x: 1 } } });
  peer.say(text.tick(2));
  const call = session.call('body');
  peer.say(text.result((await peer.next()).call_id, '{}', ',"meta":{"snapshot":{"sensors":{"body":{"x":2}}}}'));
  await call;
  expect(session.snapshot).toEqual({ sensors: { body: { x: 2 } } });
});

test('C3: a manifest_update replaces the catalogue and tells the listeners', async () => {
  const { peer, session } = await opened();
  const told: string[][] = [];
  session.on('tools', (tools) => told.push(tools.map((tool) => tool.id)));
  const tools = '[{"id":"fly","class":"actuator","description":"Fly","input_schema":{},"output_schema":{}}]';
  peer.say(text.heartbeat(manifest('["audio"]', tools)));
  await settled();
  expect(told).toEqual([['fly']]);
  expect(session.tools.map((tool) => tool.id)).toEqual(['fly']);
  expect(session.topics).toEqual(['audio']);
});

test.each([
  ['no JSON', '{oops', 'not JSON'],
  ['no object', '[]', 'not an object'],
  ['another protocol', '{"protocol":"aicc/9"}', 'speaks "aicc/9"'],
  ['an agent’s type', `{"protocol":"aicc/0.1","type":"tool_call","session_id":"${SESSION}","message_id":"x"}`, 'only agents send'],
  ['a name of Object’s', `{"protocol":"aicc/0.1","type":"toString","session_id":"${SESSION}","message_id":"x"}`, 'only agents send'],
  ['an event without payload', text.event('audio', '7'), 'event that lacks'],
  ['another session', text.init(undefined, OTHER_SESSION), 'another session'],
  ['an unknown call', text.result('c99', '{}'), 'unknown call, c99'],
  ['an error of its own', text.error('invalid_input', 'too fast', false), 'invalid_input: too fast'],
])('A3: from the peer, %s is reported and the session goes on', async (_what, line, problem) => {
  const { peer, session, errors } = await opened();
  peer.say(line);
  await settled();
  expect(errors).toEqual([expect.stringContaining(problem)]);
  const call = session.call('body');
  peer.say(text.result((await peer.next()).call_id, '{}'));
  expect(await call).toEqual({});
});

test('A3: what the peer sends wrong with nobody listening for errors harms nothing', async () => {
  const peer = scriptedPeer();
  const opening = attach(peer.agentEnd);
  peer.say(text.init());
  const session: Session = await opening;
  peer.say('nonsense');
  const call = session.call('body');
  peer.say(text.result((await peer.next()).call_id, '{"ok":1}'));
  expect(await call).toEqual({ ok: 1 });
});

test('B2: a session whose messages all came before anybody attached is whole: ticks, results and the end reach it', async () => {
  const peer = scriptedPeer();
  peer.say(text.init());
  peer.say(text.tick(0));
  await settled();
  const session = await attach(peer.agentEnd);
  const ticks: number[] = [];
  session.on('tick', ({ tick }) => ticks.push(tick));
  peer.hangUp(1012, 'over');
  expect(await session.closed).toEqual({ code: 1012, reason: 'over' });
  expect(ticks).toEqual([0]);
});

test('C7: close resolves even if the bridge never answers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { peer, session } = await opened();
  const ended = new Promise((resolve) => peer.ended(resolve));
  const pending = refusal(session.call('body'));
  const closing = session.close();
  vi.advanceTimersByTime(2_000);
  await closing;
  expect(await session.closed).toMatchObject({ code: 1006 });
  expect(await pending).toMatchObject({ code: 'session_expired' });
  await ended;
});

test('C3: over a network a silent agent sends a heartbeat every 10 s, one that speaks does not, one that is over neither', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const peer = scriptedPeer();
  const { agentEnd } = peer;
  const networked: Channel = {
    kind: 'tcp',
    tellsCloseCode: false,
    noticesLoss: false,
    bufferedBytes: 0,
    send: (line) => agentEnd.send(line),
    close: (code, reason) => agentEnd.close(code, reason),
    pause: () => agentEnd.pause(),
    resume: () => agentEnd.resume(),
    onMessage: (listener) => agentEnd.onMessage(listener),
    onClose: (listener) => agentEnd.onClose(listener),
    onFault: (listener) => agentEnd.onFault(listener),
    onDrain: (listener) => agentEnd.onDrain(listener),
  };
  const opening = attach(networked);
  peer.say(text.init());
  const session = await opening;
  vi.advanceTimersByTime(9_999);
  await settled();
  expect(peer.unread()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(await peer.next()).toMatchObject({ type: 'heartbeat', session_id: SESSION });
  session.call('body').catch(() => {});
  expect(await peer.next()).toMatchObject({ type: 'tool_call' });
  vi.advanceTimersByTime(10_000);
  await settled();
  expect(peer.unread()).toEqual([]);
  peer.hangUp(1012, '');
  await session.closed;
  expect(vi.getTimerCount()).toBe(0);
});

test('E4: what was kept for a listener comes before what arrives in the turn in which it was added', async () => {
  const { peer, session } = await opened();
  const ticks: number[] = [];
  session.on('state_change', () => session.on('tick', ({ tick }) => ticks.push(tick)));
  peer.say(text.tick(0));
  peer.say(text.event('state_change', '{"kind":"woke"}'));
  peer.say(text.tick(1));
  await settled();
  expect(ticks).toEqual([0, 1]);
});

test('D12: a call that has its result leaves no timer behind', async () => {
  const { peer, session } = await opened();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const call = session.call('body', {}, { timeoutMs: 60_000 });
  expect(vi.getTimerCount()).toBe(1);
  peer.say(text.result((await peer.next()).call_id, '{}'));
  await call;
  expect(vi.getTimerCount()).toBe(0);
});

test.each<[JsonObject, string]>([
  [{ x: Number.NaN }, '/x must be a finite number'],
  [{ way: [1, Number.POSITIVE_INFINITY] }, '/way/1 must be a finite number'],
  [{ text: 'cut \ud83d' }, '/text must be Unicode text'],
])('A3: an input that JSON would alter, or that no bridge takes, is refused before it travels: %o', async (input, problem) => {
  const { peer, session } = await opened();
  expect(await refusal(session.call('move_to', input))).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(problem) });
  await settled();
  expect(peer.unread()).toEqual([]);
});

test('a listener for what no session tells, or that is no function, is refused with what there is', async () => {
  const { session } = await opened();
  const on = session.on.bind(session) as (...args: unknown[]) => unknown;
  expect(() => on('ticks', () => undefined)).toThrow("on('ticks'): a session does not tell that: did you mean 'tick'?");
  expect(() => on('toString', () => undefined)).toThrow('it tells tick, collision, audio');
  expect(() => on('audio', 'loud')).toThrow("on('audio', listener): the listener must be a function, not 'loud'");
});

test('a misspelled option of connect or call is refused with the one that is meant', async () => {
  const { session } = await opened();
  await expect(connect({ charakter: 'mira' } as never)).rejects.toThrow(
    "connect(options): there is no option 'charakter': did you mean 'character'?",
  );
  await expect(connect({ waitMs: '5' } as never)).rejects.toThrow("waitMs must be a number of at least 0, not '5'");
  await expect(session.call('body', {}, { timeoutMS: 5 } as object)).rejects.toThrow(
    "there is no option 'timeoutMS': did you mean 'timeoutMs'?",
  );
  await expect(session.call('body', {}, { signal: new AbortController() as never })).rejects.toThrow(
    'signal must be an AbortSignal, not an object',
  );
});
