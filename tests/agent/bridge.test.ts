import { expect, test } from 'vitest';
import { type CallError, connect } from '../../src/agent/index.ts';
import { settled } from './scripted-peer.ts';
import { body, dance, smallWorld, walk } from './small-world.ts';

const refusal = (call: Promise<unknown>): Promise<CallError> =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  );

test('B2: an agent that connects to a bridge sees the catalogue, calls and leaves', async () => {
  const { bridge, enter } = smallWorld();
  const session = await connect({ channel: enter().channel, model: 'edge_medium' });
  expect(session.world).toEqual({ name: 'hill', kind: '2d' });
  expect(session.model).toEqual({ class: 'edge_medium' });
  expect(session.tools.map((tool) => tool.id)).toEqual(['body', 'walk', 'cancel_call']);
  expect(await session.call('body')).toEqual({ at: 0 });
  expect(bridge.sessions()).toHaveLength(1);
  await session.close('done');
  expect(await session.closed).toEqual({ code: 1000, reason: 'done' });
  expect(bridge.sessions()).toHaveLength(0);
});

test('D11: a call that takes world time resolves when that time has passed', async () => {
  const { bridge, enter } = smallWorld();
  const session = await connect({ channel: enter().channel });
  let done = false;
  const walking = session.call('walk', { ms: 300 }).finally(() => {
    done = true;
  });
  await settled();
  bridge.advance(200);
  await settled();
  expect(done).toBe(false);
  bridge.advance(200);
  expect(await walking).toEqual({ walked: 300 });
});

test('D: what the bridge refuses rejects with its code', async () => {
  const { enter } = smallWorld();
  const session = await connect({ channel: enter().channel });
  expect(await refusal(session.call('wlak', { ms: 1 }))).toMatchObject({ code: 'tool_unknown', retryable: false });
  expect(await refusal(session.call('walk', { ms: 'long' }))).toMatchObject({ code: 'invalid_input', tool: 'walk' });
  expect(await refusal(session.call('No Tool', {}))).toMatchObject({ code: 'invalid_input' });
});

test('D17: aborting a call ends it in the bridge too', async () => {
  const { bridge, enter } = smallWorld();
  const session = await connect({ channel: enter().channel });
  const problems: Error[] = [];
  session.on('error', (error) => problems.push(error));
  const abort = new AbortController();
  const walking = refusal(session.call('walk', { ms: 60_000 }, { signal: abort.signal }));
  await settled();
  abort.abort();
  expect(await walking).toMatchObject({ code: 'execution_failed', message: 'cancelled' });
  await settled();
  // The lane is free again: nothing is preempted, nobody waits.
  const next = session.call('walk', { ms: 100 });
  await settled();
  bridge.advance(100);
  expect(await next).toEqual({ walked: 100 });
  expect(problems).toEqual([]);
});

test('D10: a call that another one preempts rejects as retryable', async () => {
  const { bridge, enter } = smallWorld();
  const session = await connect({ channel: enter().channel });
  const first = refusal(session.call('walk', { ms: 500 }));
  const second = session.call('walk', { ms: 100 });
  expect(await first).toMatchObject({ code: 'execution_failed', message: 'preempted', retryable: true });
  bridge.advance(100);
  await second;
});

test('E4: the first tick and every due one arrive, and snapshot is the newest', async () => {
  const { bridge, enter } = smallWorld();
  const session = await connect({
    channel: enter().channel,
    subscribe: ['tick'],
    model: { class: 'edge_small', expected_full_response_ms: 0 },
  });
  const ticks: number[] = [];
  session.on('tick', ({ tick }) => ticks.push(tick));
  await settled();
  bridge.advance(100);
  await settled();
  expect(ticks).toEqual([0, 1]);
  expect(session.snapshot?.sensors?.body).toEqual({ at: 100 });
});

test('B1: with observe every result brings the newest snapshot', async () => {
  const { enter } = smallWorld();
  const session = await connect({ channel: enter().channel, observe: true });
  expect(session.snapshot).toBeUndefined();
  await session.call('body');
  expect(session.snapshot?.sensors?.body).toEqual({ at: 0 });
});

test('C3: tools follows the character’s catalogue', async () => {
  const { bridge, clock, enter } = smallWorld();
  const session = await connect({ channel: enter().channel });
  const told = new Promise((resolve) => session.on('tools', (tools) => resolve(tools.map((tool) => tool.id))));
  bridge.addCharacter('ann', { description: 'Dances too', tools: [body, walk, dance], default: true });
  clock.pass(1_000);
  expect(await told).toEqual(['body', 'walk', 'dance', 'cancel_call']);
  expect(session.tools.map((tool) => tool.id)).toEqual(['body', 'walk', 'dance', 'cancel_call']);
});

test('C8: when the character is removed pending calls reject, and closed says why', async () => {
  const { bridge, enter } = smallWorld();
  const slot = bridge.addCharacter('bob', { description: 'Leaves', tools: [walk] });
  const session = await connect({ channel: enter().channel, character: 'bob' });
  const walking = refusal(session.call('walk', { ms: 500 }));
  await settled();
  slot.remove('eaten');
  expect(await walking).toMatchObject({ code: 'execution_failed' });
  expect(await session.closed).toEqual({ code: 1000, reason: 'eaten' });
});

test('B4: a taken character refuses as retryable, and it is free again when its agent has left', async () => {
  const { enter } = smallWorld();
  const first = await connect({ channel: enter().channel });
  const taken = await refusal(connect({ channel: enter().channel }));
  expect(taken).toMatchObject({ name: 'ConnectError', code: 'tool_unavailable', retryable: true });
  await first.close();
  await connect({ channel: enter().channel });
});

test('B1: with waitMs the opening waits for a character that is not there yet', async () => {
  const { bridge, enter } = smallWorld();
  const waiting = connect({ channel: enter().channel, character: 'bob', waitMs: 5_000 });
  await settled();
  bridge.addCharacter('bob', { description: 'Late', tools: [dance] });
  expect((await waiting).tools.map((tool) => tool.id)).toEqual(['dance', 'cancel_call']);
});

test('C4: a door that closes on the agent rejects what is pending', async () => {
  const { enter } = smallWorld();
  const { channel, door } = enter();
  const session = await connect({ channel });
  const walking = refusal(session.call('walk', { ms: 500 }));
  await settled();
  door.close(1012, 'the game is gone');
  expect(await walking).toMatchObject({ code: 'session_expired', retryable: false });
  expect(await session.closed).toEqual({ code: 1012, reason: 'the game is gone' });
});
