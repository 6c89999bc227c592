import { describe, expect, test } from 'vitest';
import { endpoint, latest, ready } from './harness.ts';
import { hill, until } from './hill.ts';

const INVALID = { error: { code: -32602 } };
const UNAUTHORIZED = { error: { code: -32001 } };

describe('auth', () => {
  test('W8: with a token every other method before it is -32001, an unknown one too', async () => {
    const { client } = await endpoint({ token: 's3cret' });
    const stranger = await client();
    for (const method of ['ping', 'status', 'observe', 'events', 'act', 'gallop']) {
      expect(await stranger.ask(method, { type: 'x' })).toMatchObject(UNAUTHORIZED);
    }
    expect(await stranger.result('auth', { token: 's3cret' })).toEqual({ authorized: true });
    expect(await stranger.result('ping')).toEqual({ ok: true });
    expect(await stranger.ask('gallop')).toMatchObject({ error: { code: -32601 } });
  });

  test('W8: a wrong token answers false, a later try may succeed, a wrong one after a right one takes it away', async () => {
    const { client } = await endpoint({ token: 's3cret' });
    const one = await client();
    for (const token of ['', 's3cre', 's3cret ', 'S3CRET', 's3cret\0'])
      expect(await one.result('auth', { token })).toEqual({ authorized: false });
    expect(await one.ask('ping')).toMatchObject(UNAUTHORIZED);
    expect(await one.result('auth', { token: 's3cret' })).toEqual({ authorized: true });
    expect(await one.result('ping')).toEqual({ ok: true });
    expect(await one.result('auth', { token: 'guess' })).toEqual({ authorized: false });
    expect(await one.ask('ping')).toMatchObject(UNAUTHORIZED);
  });

  test('W8: it is per connection and never inherited', async () => {
    const { client } = await endpoint({ token: 's3cret' });
    const [one, other] = [await client(), await client()];
    await one.result('auth', { token: 's3cret' });
    expect(await other.ask('ping')).toMatchObject(UNAUTHORIZED);
    expect(await other.result('auth', { token: 'wrong' })).toEqual({ authorized: false });
    expect(await one.result('ping')).toEqual({ ok: true });
    one.socket.destroy();
    expect(await (await client()).ask('ping')).toMatchObject(UNAUTHORIZED);
  });

  test('W8: without a token any one is right, and none is needed', async () => {
    const { client } = await endpoint();
    const one = await client();
    expect(await one.result('auth', { token: 'whatever' })).toEqual({ authorized: true });
    expect(await one.result('auth', { token: '' })).toEqual({ authorized: true });
    expect(await (await client()).result('ping')).toEqual({ ok: true });
  });

  test.each([{}, { token: null }, { token: 7 }, { token: ['s3cret'] }])('W8: params %j are -32602 and change nothing', async (params) => {
    const { client } = await endpoint({ token: 's3cret' });
    const one = await client();
    expect(await one.ask('auth', params)).toMatchObject(INVALID);
    await one.result('auth', { token: 's3cret' });
    expect(await one.ask('auth', params)).toMatchObject(INVALID);
    expect(await one.result('ping')).toEqual({ ok: true });
  });

  test('W15: a token is in no status, no error and no event', async () => {
    const { client } = await endpoint({ token: 's3cret' });
    const one = await client();
    one.send('{"jsonrpc":"2.0","id":1,"method":"auth","params":{"token":"s3cret","token":"gu3ss"}}\n', '{"token":"s3cret gu3ss"\n');
    const said = [await one.line(), await one.line()];
    await one.result('auth', { token: 's3cret' });
    for (const method of ['status', 'observe', 'events']) said.push((await one.ask(method)).text);
    expect(said.join()).not.toMatch(/s3cret|gu3ss/);
  });
});

describe('status', () => {
  test('the table: every member, with no game connected', async () => {
    const { client, port } = await endpoint();
    const answer = await (await client()).ask('status');
    expect(answer.text).toBe(
      `{"jsonrpc":"2.0","id":1,"result":{"running":true,"host":"127.0.0.1","port":${port},"queuedCommands":0,"maxQueuedCommands":64,"events":0,"maxEvents":512,"observationSeq":0,"lastError":""}}`,
    );
  });

  test('lastError says the last protocol fault in words, never a payload', async () => {
    const { client } = await endpoint();
    const one = await client();
    const lastError = async () => (await (await client()).result('status')).lastError;
    one.send('{"secret"\n');
    await one.line();
    expect(await lastError()).toBe('the line is not JSON');
    await one.ask('secretMethod');
    expect(await lastError()).toBe('there is no such method: there is auth, ping, status, observe, events, act');
    await one.ask('act', { type: 'say', x: 'secret' });
    expect(await lastError()).toBe('x must be an integer');
    await one.ask('events', { limit: 'secret' });
    expect(await lastError()).toBe('limit must be an integer');
  });

  test('a wrong token is told as such', async () => {
    const { client } = await endpoint({ token: 's3cret' });
    const one = await client();
    await one.result('auth', { token: 'guess' });
    await one.result('auth', { token: 's3cret' });
    expect((await one.result('status')).lastError).toBe('a client gave a wrong token');
  });
});

describe('observe', () => {
  test('W9: with no game it is not ready, and complete', async () => {
    const { client } = await endpoint({ world: 'hill' });
    expect((await (await client()).ask('observe')).text).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"observationSeq":0,"observation":{"schemaVersion":1,"ready":false,"world":"hill","character":"ann","tick":0,"availableActions":[],"sensors":{}}}}',
    );
  });

  test('W9, W19: the first observe takes the character and shows sensors and what can be done now', async () => {
    const { client, relay } = await endpoint();
    const { ann } = hill(relay.gameUrl);
    const one = await client();
    const { observation, observationSeq } = await until(async () => {
      const result = await one.result('observe');
      return (result.observation as { ready: boolean }).ready && result;
    });
    expect(observationSeq).toBe(1);
    expect(observation).toMatchObject({
      schemaVersion: 1,
      ready: true,
      world: 'hill',
      character: 'ann',
      tick: 0,
      sensors: { body: { steps: 0 } },
    });
    const { availableActions } = observation as { availableActions: { type: string }[] };
    // Actuators and generators, but for `fly`, which is not available, and `cancel_call`, whose ids no client knows.
    expect(availableActions.map(({ type }) => type)).toEqual(['step', 'walk', 'use', 'say', 'fail', 'nothing', 'aim', 'once', 'paint']);
    expect(availableActions.find(({ type }) => type === 'say')).toEqual({
      type: 'say',
      description: 'Says something',
      input: { type: 'object', properties: { text: { type: 'string', minLength: 1 } }, required: ['text'] },
    });
    expect(ann.driver).toBe('agent');
  });

  test('W9, W18: each tick of the world replaces the observation and counts one, at the world’s full rate', async () => {
    const { client, relay } = await endpoint();
    const { bridge } = hill(relay.gameUrl);
    const one = await ready(await client());
    for (let tick = 1; tick <= 20; tick++) {
      bridge.advance(100);
      const { observationSeq } = await until(async () => {
        const seen = await one.result('observe');
        return (seen.observation as { tick: number }).tick === tick && seen;
      });
      expect(observationSeq).toBe(tick + 1);
    }
    const again = await one.result('observe');
    expect([again.observationSeq, (await one.result('status')).observationSeq]).toEqual([21, 21]);
  });

  test('W9: many clients see one and the same observation', async () => {
    const { client, relay } = await endpoint();
    hill(relay.gameUrl);
    await ready(await client());
    const seen = await Promise.all(Array.from({ length: 10 }, async () => (await client()).result('observe')));
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
  });
});

describe('events', () => {
  test('W10: retained events with a greater seq, ascending; latestSeq also without any', async () => {
    const { client, relay } = await endpoint();
    const { ann } = hill(relay.gameUrl);
    const one = await ready(await client());
    expect(await one.result('events')).toEqual({ latestSeq: 0, events: [] });
    for (const n of [1, 2, 3]) ann.emit('state_change', { kind: 'bell', n });
    await latest(one, 3);
    const bell = (n: number) => ({ seq: n, event: { type: 'state_change', kind: 'bell', n } });
    expect(await one.result('events')).toEqual({ latestSeq: 3, events: [bell(1), bell(2), bell(3)] });
    expect(await one.result('events', { afterSeq: 1, limit: 1 })).toEqual({ latestSeq: 3, events: [bell(2)] });
    expect(await one.result('events', { afterSeq: -5 })).toEqual({ latestSeq: 3, events: [bell(1), bell(2), bell(3)] });
    for (const afterSeq of [3, 4, 2 ** 53, 2 ** 53 + 2, 1e300])
      expect(await one.result('events', { afterSeq })).toEqual({ latestSeq: 3, events: [] });
    one.send('{"jsonrpc":"2.0","id":0,"method":"events","params":{"afterSeq":9007199254740993}}\n');
    expect((await one.answer()).result).toEqual({ latestSeq: 3, events: [] });
  });

  test('W10: limit is 100 by default and clamped to 1..500', async () => {
    const { client, relay } = await endpoint();
    const { ann } = hill(relay.gameUrl);
    const one = await ready(await client());
    // The bridge itself keeps at most 256 unsent events of a session.
    for (let n = 0; n < 510; n += 30) {
      for (let each = 0; each < 30; each++) ann.emit('state_change', { kind: 'bell' });
      await latest(one, n + 30);
    }
    const count = async (params: object) => ((await one.result('events', params)).events as unknown[]).length;
    expect([await count({}), await count({ limit: 0 }), await count({ limit: -7 }), await count({ limit: 1 })]).toEqual([100, 1, 1, 1]);
    expect([await count({ limit: 500 }), await count({ limit: 501 }), await count({ limit: 2 ** 53 })]).toEqual([500, 500, 500]);
  });

  test.each([true, false, '1', 1.5, null, [], {}])('W10: %j is no integer: -32602', async (value) => {
    const { client } = await endpoint();
    const one = await client();
    expect(await one.ask('events', { limit: value })).toMatchObject(INVALID);
    expect(await one.ask('events', { afterSeq: value })).toMatchObject(INVALID);
  });

  test('W10: 1e400 is no integer either, 2.0 is one', async () => {
    const one = await (await endpoint()).client();
    one.send(
      '{"jsonrpc":"2.0","id":1,"method":"events","params":{"limit":1e400}}\n{"jsonrpc":"2.0","id":2,"method":"events","params":{"limit":2.0}}\n',
    );
    expect(await one.answer()).toMatchObject(INVALID);
    expect(await one.answer()).toMatchObject({ result: { latestSeq: 0 } });
  });

  test('W10: the history is an option, shows in status, and the oldest go first', async () => {
    const { client, relay } = await endpoint({ maxEvents: 4 });
    const { ann } = hill(relay.gameUrl);
    const one = await ready(await client());
    for (let n = 1; n <= 10; n++) ann.emit('state_change', { kind: 'bell', n });
    await latest(one, 10);
    const { events, latestSeq } = (await one.result('events')) as { latestSeq: number; events: { seq: number; event: { n: number } }[] };
    expect(latestSeq).toBe(10);
    expect(events.map(({ seq, event }) => [seq, event.n])).toEqual([7, 8, 9, 10].map((n) => [n, n]));
    expect(await one.result('status')).toMatchObject({ events: 4, maxEvents: 4 });
    expect(((await one.result('events', { afterSeq: 8 })).events as { seq: number }[]).map(({ seq }) => seq)).toEqual([9, 10]);
  });

  test('W4: events answers with as many as fit into a line', async () => {
    const { client, relay } = await endpoint();
    const { ann } = hill(relay.gameUrl);
    const one = await ready(await client());
    for (let n = 1; n <= 3; n++) ann.emit('state_change', { kind: 'long', text: 'é'.repeat(200_000) });
    await latest(one, 3);
    let afterSeq = 0;
    const pages: number[] = [];
    while (afterSeq < 3) {
      const { text, result } = await one.ask('events', { afterSeq });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_048_576);
      const { events } = result as { events: { seq: number }[] };
      pages.push(events.length);
      afterSeq = events.at(-1)?.seq as number;
    }
    expect(pages).toEqual([2, 1]);
    // An id so long that not even one fits beside it.
    one.send(`{"jsonrpc":"2.0","id":"${'i'.repeat(900_000)}","method":"events"}\n`);
    expect(await one.answer()).toMatchObject({ error: { code: -32600 } });
  });

  test('W19: the character’s AICC events carry their topic as type, whatever the payload says; ticks are what observe shows', async () => {
    const { client, relay } = await endpoint();
    const { ann, bridge } = hill(relay.gameUrl);
    const one = await ready(await client());
    bridge.advance(1_000);
    ann.emit('audio', { kind: 'speech', from: 'tam', text: 'Ho!', distance: 1, bearing: 0, loudness: 1 });
    ann.emit('agent_message', { from: 'player', text: 'Come', type: 'command_completed' });
    ann.emit('collision', { with: 'wall', at: { x: 1, y: 2 } });
    await latest(one, 3);
    expect(((await one.result('events')).events as { event: object }[]).map(({ event }) => event)).toEqual([
      { type: 'audio', kind: 'speech', from: 'tam', text: 'Ho!', distance: 1, bearing: 0, loudness: 1 },
      { type: 'agent_message', from: 'player', text: 'Come' },
      { type: 'collision', with: 'wall', at: { x: 1, y: 2 } },
    ]);
  });
});
