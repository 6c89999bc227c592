import { describe, expect, test } from 'vitest';
import { connect } from '../../src/agent/node.ts';
import { defineTool, ManualClock } from '../../src/bridge/index.ts';
import { type Completed, completions, endpoint, latest, perform, ready } from './harness.ts';
import { annsTools, hill, until } from './hill.ts';
import type { RawClient } from './raw-client.ts';

const INVALID = { error: { code: -32602 } };
const short = ({ commandSeq, message, success }: Completed) => `${commandSeq} ${success ? 'ok' : message}`;

/** A game on a relay, and a client that sees its character. */
async function playing(options: Parameters<typeof endpoint>[0] = {}) {
  const at = await endpoint(options);
  const world = hill(at.relay.gameUrl);
  return { ...at, ...world, one: await ready(await at.client()) };
}

/** Once the relay knows the game. */
async function joined(url: string): Promise<void> {
  await until(async () => ((await (await fetch(`${url}worlds`)).json()) as unknown[]).length > 0);
}

async function tickSeen(client: RawClient, tick: number): Promise<void> {
  await until(async () => ((await client.result('observe')).observation as { tick: number }).tick === tick);
}

describe('act', () => {
  test.each([{}, { type: '' }, { type: null }, { type: 7 }, { type: ['step'] }])(
    'W11: %j has no type: -32602, and nothing is queued',
    async (params) => {
      const one = await (await endpoint()).client();
      expect(await one.ask('act', params)).toMatchObject(INVALID);
      expect(await one.result('act', { type: 'step' })).toEqual({ accepted: true, commandSeq: 1 });
    },
  );

  test.each([
    ...['x', 'y', 'screenX', 'screenY', 'intArg'].flatMap((name) => [true, false, 1.5, '1', null].map((value) => ({ [name]: value }))),
    ...[1, null, true].map((stringArg) => ({ stringArg })),
    ...[0, 1, 'true', null].map((append) => ({ append })),
  ])('W13: %j is of the wrong type: -32602', async (fields) => {
    const one = await (await endpoint()).client();
    expect(await one.ask('act', { type: 'use', ...fields })).toMatchObject(INVALID);
  });

  test('W11: acceptance is not completion; commandSeq grows by one per accepted command', async () => {
    const { bridge, deeds, one } = await playing();
    expect(await one.result('act', { type: 'walk', ms: 100 })).toEqual({ accepted: true, commandSeq: 1 });
    await one.ask('act', {});
    expect(await one.result('act', { type: 'step', append: true })).toEqual({ accepted: true, commandSeq: 2 });
    expect(await one.result('events')).toEqual({ latestSeq: 0, events: [] });
    expect(await one.result('status')).toMatchObject({ queuedCommands: 1 });
    await until(() => deeds.length > 0);
    bridge.advance(100);
    expect((await completions(one, 2)).map(short)).toEqual(['1 ok', '2 ok']);
  });

  test('W12, W20: a completion says how it went, with the output or the AICC code and reason', async () => {
    const { one } = await playing();
    expect(await perform(one, { type: 'step' })).toEqual({
      type: 'command_completed',
      commandSeq: 1,
      success: true,
      message: 'completed',
      output: { steps: 1 },
    });
    expect(await perform(one, { type: 'nothing' })).toEqual({
      type: 'command_completed',
      commandSeq: 2,
      success: true,
      message: 'completed',
      output: {},
    });
    expect(await perform(one, { type: 'fail' })).toEqual({
      type: 'command_completed',
      commandSeq: 3,
      success: false,
      message: 'no legs today',
      code: 'tool_unavailable',
      reason: 'tool_unavailable',
    });
    expect(await perform(one, { type: 'gallop' })).toMatchObject({
      success: false,
      code: 'tool_unknown',
      message: expect.stringContaining('step, walk'),
    });
    expect(await perform(one, { type: 'Step' })).toMatchObject({ success: false, code: 'tool_unknown' });
    expect(await perform(one, { type: 'body' })).toMatchObject({
      success: false,
      code: 'tool_unknown',
      message: expect.stringContaining('is a sensor'),
    });
    expect(await perform(one, { type: 'say' })).toMatchObject({ success: false, code: 'invalid_input' });
    expect(await perform(one, { type: 'fly' })).toMatchObject({ success: false, code: 'tool_unavailable', message: 'no wings' });
  });

  test('W20: an output too large for an event is left out, and the completion says so', async () => {
    const { one } = await playing();
    expect(await perform(one, { type: 'paint', letters: 999_900 })).toMatchObject({ success: true, output: {} });
    expect(await perform(one, { type: 'paint', letters: 1_000_000 })).toEqual({
      type: 'command_completed',
      commandSeq: 2,
      success: true,
      message: 'completed; its output is too large for an event',
    });
  });

  test('the history is bounded in bytes too', async () => {
    const { one } = await playing();
    for (let n = 1; n <= 20; n++) await one.result('act', { type: 'paint', letters: 990_000, append: true });
    // Only the last is asked for: a look at an earlier one would bring a megabyte each time.
    await until(async () => (await one.result('events', { afterSeq: 19 })).latestSeq === 20);
    const { events } = (await one.result('events', { limit: 1 })) as { events: { seq: number }[] };
    expect(events[0]?.seq).toBe(5);
  });
});

test('W9, E6: while the world is paused nothing is listed as available, and what is ordered anyway is told so', async () => {
  const { ann, one } = await playing();
  const listed = async () => ((await one.result('observe')).observation as { availableActions: unknown[] }).availableActions.length;
  const before = await listed();
  expect(before).toBeGreaterThan(0);
  ann.setPaused(true);
  await until(async () => (await listed()) === 0);
  expect(await perform(one, { type: 'step' })).toMatchObject({ success: false, code: 'tool_unavailable' });
  expect(await listed()).toBe(0);
  ann.setPaused(false);
  await until(async () => (await listed()) === before);
});

describe('the queue', () => {
  test('W11: when 64 wait it is full: -32002, nothing overwritten or dropped; drained, it takes more', async () => {
    const { bridge, one } = await playing();
    await one.result('act', { type: 'walk', ms: 100, target: 'hill' });
    for (let seq = 2; seq <= 65; seq++)
      expect(await one.result('act', { type: 'step', append: true })).toEqual({ accepted: true, commandSeq: seq });
    for (const append of [true, false]) expect(await one.ask('act', { type: 'step', append })).toMatchObject({ error: { code: -32002 } });
    expect(await one.result('status')).toMatchObject({ queuedCommands: 64, maxQueuedCommands: 64 });
    bridge.advance(100);
    const done = await completions(one, 65);
    expect(done.map(short)).toEqual(Array.from({ length: 65 }, (_, index) => `${index + 1} ok`));
    expect(await one.result('act', { type: 'step', append: true })).toEqual({ accepted: true, commandSeq: 66 });
    await completions(one, 66);
    expect(await one.result('status')).toMatchObject({ queuedCommands: 0 });
  });

  test('W11: stop gets in when it is full, in the place of the running one: it is a command like any other, and what waits keeps waiting', async () => {
    const stop = defineTool({ id: 'stop', class: 'actuator', description: 'Stands still', lane: 'legs', run: () => ({ stands: true }) });
    const { ann, bridge, deeds, one } = await playing({ maxQueuedCommands: 2 });
    ann.setTools([...annsTools(deeds), stop]);
    await one.result('act', { type: 'walk', ms: 500, target: 'far' });
    await until(() => deeds.length === 1);
    for (const target of ['a', 'b']) await one.result('act', { type: 'walk', ms: 100, target, append: true });
    expect(await one.ask('act', { type: 'stop', append: true })).toMatchObject({ error: { code: -32002 } });
    expect(await one.ask('act', { type: 'step' })).toMatchObject({ error: { code: -32002 } });
    expect(await one.result('act', { type: 'stop' })).toEqual({ accepted: true, commandSeq: 4 });
    expect(await one.result('status')).toMatchObject({ queuedCommands: 2, maxQueuedCommands: 2 });
    await until(() => deeds.includes('walk a'));
    bridge.advance(100);
    await until(() => deeds.includes('walk b'));
    bridge.advance(100);
    expect((await completions(one, 4)).map(short)).toEqual(['1 preempted', '4 ok', '2 ok', '3 ok']);
  });

  test('W11: its size is an option', async () => {
    const { one } = await playing({ maxQueuedCommands: 1 });
    await one.result('act', { type: 'walk', ms: 100 });
    await one.result('act', { type: 'step', append: true });
    expect(await one.ask('act', { type: 'step', append: true })).toMatchObject({ error: { code: -32002 } });
    expect(await one.result('status')).toMatchObject({ queuedCommands: 1, maxQueuedCommands: 1 });
  });

  test('W21: without append a new command preempts the running one and goes before those that wait, which keep their order', async () => {
    const { bridge, deeds, one } = await playing();
    await one.result('act', { type: 'walk', ms: 500, target: 'a' });
    await until(() => deeds.length === 1);
    await one.result('act', { type: 'say', text: 'first', append: true });
    await one.result('act', { type: 'say', text: 'second', append: true });
    await one.result('act', { type: 'walk', ms: 100, target: 'b', append: false });
    await until(() => deeds.includes('walk b'));
    expect(deeds).toEqual(['walk a', 'halt a', 'walk b']);
    bridge.advance(100);
    expect((await completions(one, 4)).map(short)).toEqual(['1 preempted', '4 ok', '2 ok', '3 ok']);
    expect((await completions(one, 4))[0]).toMatchObject({ success: false, code: 'execution_failed' });
  });

  test('W12, W21: a burst in one packet: every command completes once, the last one wins, and what was done says so', async () => {
    const { bridge, deeds, one } = await playing();
    const act = (id: number, params: object) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'act', params })}\n`;
    one.send(act(-1, { type: 'step' }) + Array.from({ length: 99 }, (_, n) => act(n, { type: 'walk', ms: 100, target: `w${n}` })).join(''));
    for (let n = 0; n < 100; n++) expect((await one.answer()).result).toEqual({ accepted: true, commandSeq: n + 1 });
    await until(() => deeds.includes('walk w98'));
    bridge.advance(100);
    const done = await completions(one, 100);
    expect(done.map(({ commandSeq }) => commandSeq).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect(done.find(({ commandSeq }) => commandSeq === 1)).toMatchObject({ success: true, output: { steps: 1 } });
    expect(done.filter(({ success }) => success).map(({ commandSeq }) => commandSeq)).toEqual([1, 100]);
    expect(deeds).toEqual(['walk w98', 'arrive w98']);
  });

  test.each([true, false])(
    'W12, W21: a burst before the character is held, with a game: %s: each completes once, preempted ones unsent',
    async (isThere) => {
      const { client, relay } = await endpoint();
      const { deeds } = isThere ? hill(relay.gameUrl) : { deeds: [] };
      if (isThere) await joined(relay.url);
      const one = await client();
      const act = (n: number) => `{"jsonrpc":"2.0","id":${n},"method":"act","params":{"type":"walk","ms":0,"target":"w${n}"}}\n`;
      one.send(act(1) + act(2) + act(3));
      for (let n = 1; n <= 3; n++) await one.answer();
      const done = await completions(one, 3);
      expect(done.map(({ commandSeq }) => commandSeq)).toEqual([1, 2, 3]);
      expect(done.map(({ success }) => success)).toEqual([false, false, isThere]);
      expect(done.slice(0, 2).map(({ message }) => message)).toEqual(['preempted', 'preempted']);
      expect(deeds).toEqual(isThere ? ['walk w3', 'arrive w3'] : []);
    },
  );

  test('one queue and one history for all connections', async () => {
    const { bridge, client, deeds, one } = await playing();
    const other = await client();
    await one.result('act', { type: 'walk', ms: 100, target: 'mine' });
    await until(() => deeds.length > 0);
    expect(await other.result('act', { type: 'step', append: true })).toEqual({ accepted: true, commandSeq: 2 });
    one.socket.destroy();
    bridge.advance(100);
    expect((await completions(other, 2)).map(short)).toEqual(['1 ok', '2 ok']);
  });
});

describe('input', () => {
  test('W19: camelCase reaches snake_case, else the name without Id; stringArg the only required string', async () => {
    const { one } = await playing();
    const fields = { targetId: 't', itemId: 'i', auxId: 'a', x: 1, y: -2, screenX: 3, screenY: 4, intArg: 5, stringArg: 'slowly' };
    expect(await perform(one, { type: 'use', ...fields, append: true })).toMatchObject({
      output: { input: { target_id: 't', item: 'i', aux_id: 'a', x: 1, y: -2, screen_x: 3, screen_y: 4, int_arg: 5, how: 'slowly' } },
    });
    expect(await perform(one, { type: 'say', stringArg: 'Hello' })).toMatchObject({ output: { said: 'Hello' } });
  });

  test('W13, W19: other fields pass through, and the tool’s own names come before renamed ones', async () => {
    const { one } = await playing();
    const fields = { how: 'so', stringArg: 'not so', item: 'mine', itemId: 'not mine', target_id: 0, more: { deep: [1] } };
    expect(await perform(one, { type: 'use', ...fields })).toMatchObject({
      success: false,
      code: 'invalid_input',
      message: expect.stringContaining('/target_id'),
    });
    const { target_id: _wrong, ...right } = fields;
    expect(await perform(one, { type: 'use', ...right, userId: 9 })).toMatchObject({
      output: { input: { how: 'so', item: 'mine', more: { deep: [1] }, userId: 9 } },
    });
  });

  test('W19: a name without Id is found where the schema declares only that', async () => {
    const { deeds, one } = await playing();
    await one.result('act', { type: 'walk', ms: 10, targetId: 'lantern_1' });
    await until(() => deeds.length > 0);
    expect(deeds).toEqual(['walk lantern_1']);
  });

  test('W19, D8: observed_tick is the last observe’s, of this client or else of any', async () => {
    const { bridge, client, one } = await playing();
    await tickSeen(one, 0);
    expect(await perform(one, { type: 'aim' })).toMatchObject({ success: true });
    for (let tick = 1; tick <= 3; tick++) bridge.advance(100);
    expect(await perform(one, { type: 'aim' })).toMatchObject({ success: false, message: 'stale', code: 'tool_unavailable' });
    const other = await client();
    await tickSeen(other, 3);
    expect(await perform(other, { type: 'aim' })).toMatchObject({ success: true });
    expect(await perform(one, { type: 'aim' })).toMatchObject({ success: false, message: 'stale' });
    expect(await perform(await client(), { type: 'aim' })).toMatchObject({ success: true });
    expect(await perform(one, { type: 'aim', observed_tick: 3 })).toMatchObject({ success: true });
  });
});

describe('the character', () => {
  test('W18: limits and lanes of AICC hold here too', async () => {
    const { one } = await playing();
    expect(await perform(one, { type: 'once' })).toMatchObject({ success: true });
    expect(await perform(one, { type: 'once' })).toMatchObject({ success: false, code: 'tool_unavailable' });
  });

  test('W21: nothing takes it before the first observe, events or act', async () => {
    const { client, relay } = await endpoint();
    const { ann } = hill(relay.gameUrl);
    await joined(relay.url);
    const one = await client();
    for (const method of ['ping', 'status', 'auth', 'gallop']) await one.ask(method);
    await one.ask('act', { type: '' });
    await one.ask('events', { limit: '' });
    expect(ann.driver).toBe('none');
    await one.result('events');
    await until(() => ann.driver === 'agent');
  });

  test('W21: the first observe waits for it', async () => {
    const { client, relay } = await endpoint();
    hill(relay.gameUrl);
    await joined(relay.url);
    expect(await (await client()).result('observe')).toMatchObject({ observationSeq: 1, observation: { ready: true } });
  });

  test('W21: unauthorised requests take nothing', async () => {
    const { client, relay } = await endpoint({ token: 's3cret' });
    const { ann } = hill(relay.gameUrl);
    await joined(relay.url);
    const one = await client();
    for (const method of ['observe', 'events', 'act']) await one.ask(method, { type: 'step' });
    expect(ann.driver).toBe('none');
    await one.result('auth', { token: 's3cret' });
    await ready(one);
    expect(ann.driver).toBe('agent');
  });

  test('W21: it is given back 30 s after the last connection, its commands ending as failures; not if one comes meanwhile', async () => {
    const clock = new ManualClock();
    const { client, relay } = await endpoint({}, { clock, limits: { pingMs: 1_000_000_000 } });
    const { ann, deeds } = hill(relay.gameUrl);
    const leave = async (last: RawClient) => {
      const { timers } = clock;
      last.socket.destroy();
      await until(() => clock.timers > timers);
    };
    const one = await ready(await client());
    await one.result('act', { type: 'walk', ms: 1_000, target: 'far' });
    await one.result('act', { type: 'step', append: true });
    await until(() => deeds.length > 0);
    await leave(one);
    clock.pass(29_999);
    const two = await client();
    await two.result('ping');
    clock.pass(60_000);
    expect(await two.result('observe')).toMatchObject({ observationSeq: 1, observation: { ready: true } });
    await leave(two);
    clock.pass(30_000);
    await until(() => ann.driver === 'none');
    const three = await client();
    expect((await completions(three, 2)).map(short)).toEqual([
      '1 the character was given back: no client is connected',
      '2 the character was given back: no client is connected',
    ]);
    expect(deeds).toEqual(['walk far', 'halt far']);
    await ready(three);
    expect(ann.driver).toBe('agent');
  });

  test('W21: taken by another agent it is not ready and commands fail; when that one leaves it is taken by itself', async () => {
    const { client, relay } = await endpoint();
    hill(relay.gameUrl);
    await joined(relay.url);
    const rival = await connect({ url: relay.agentUrl });
    const one = await client();
    expect(await one.result('observe')).toMatchObject({ observation: { ready: false, availableActions: [], sensors: {} } });
    expect(await perform(one, { type: 'step' })).toMatchObject({
      success: false,
      code: 'tool_unavailable',
      message: expect.stringContaining('is taken'),
    });
    await rival.close();
    await ready(one);
    expect(await perform(one, { type: 'step' })).toMatchObject({ success: true });
  });

  test('with no game a command is accepted and completes as a failure', async () => {
    const one = await (await endpoint()).client();
    const { commandSeq } = await one.result('act', { type: 'step' });
    await one.result('act', { type: 'step', append: true });
    expect(commandSeq).toBe(1);
    expect((await completions(one, 2)).map(({ success, code }) => [success, code])).toEqual([
      [false, 'tool_unavailable'],
      [false, 'tool_unavailable'],
    ]);
    expect((await completions(one, 2))[0]?.message).toContain('No game is connected');
  });

  test('W12: a game that closes in the middle: what runs and what waits completes as failures; its next run is driven again', async () => {
    const { bridge, client, leave, one, relay } = await playing();
    await one.result('act', { type: 'walk', ms: 1_000 });
    await one.result('act', { type: 'step', append: true });
    await one.result('act', { type: 'step', append: true });
    leave();
    const done = await completions(one, 3);
    expect(done.map(({ commandSeq, success }) => [commandSeq, success])).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ]);
    expect(await one.result('observe')).toMatchObject({ observation: { ready: false } });
    bridge.close();
    hill(relay.gameUrl);
    await ready(await client());
    expect(await perform(one, { type: 'step' })).toMatchObject({ success: true, commandSeq: 4 });
  });

  test('W12: a bridge that ends the session in good order loses no command either', async () => {
    const { ann, one } = await playing();
    await one.result('act', { type: 'walk', ms: 1_000 });
    await one.result('act', { type: 'step', append: true });
    ann.remove('she has left');
    expect((await completions(one, 2)).map(({ success }) => success)).toEqual([false, false]);
  });

  test('W12: a character without a body refuses, and goes on when it has one again', async () => {
    const { ann, bridge, deeds, one } = await playing();
    ann.unbind();
    expect(await perform(one, { type: 'step' })).toMatchObject({ success: false, code: 'tool_unavailable' });
    bridge.addCharacter('ann', { description: 'Walks', tools: annsTools(deeds), default: true });
    expect(await perform(one, { type: 'step' })).toMatchObject({ success: true });
  });

  test('W9: after a completion observe shows what it did, though the tick before it is newer than the last observe', async () => {
    const { bridge, one } = await playing();
    expect(await perform(one, { type: 'step' })).toMatchObject({ success: true });
    const seen = one.result('observe');
    await new Promise(setImmediate);
    bridge.advance(100);
    expect(await seen).toMatchObject({ observation: { tick: 1, sensors: { body: { steps: 1 } } } });
    // A world that stands still is not waited for twice.
    await perform(one, { type: 'step' });
    for (let look = 0; look < 2; look++) expect(await one.result('observe')).toMatchObject({ observation: { tick: 1 } });
  });

  test('a changed catalogue shows in availableActions', async () => {
    const { ann, deeds, one } = await playing();
    ann.setTools(annsTools(deeds).slice(0, 3));
    const types = await until(async () => {
      const { observation } = (await one.result('observe')) as { observation: { availableActions: { type: string }[] } };
      return observation.availableActions.length === 1 && observation.availableActions.map(({ type }) => type);
    });
    expect(types).toEqual(['step']);
    await latest(one, 0);
  });
});
