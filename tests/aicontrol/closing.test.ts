import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { TOPICS } from '../../src/protocol/index.ts';
import { sessionInit } from '../relay/game-peer.ts';
import { game } from '../relay/harness.ts';
import { endpoint, ready } from './harness.ts';
import { hill, until } from './hill.ts';

test('W21, C7: a relay that closes gives its character back at once, with what runs aborted', async () => {
  const { client, relay } = await endpoint();
  const { ann, bridge, deeds } = hill(relay.gameUrl);
  const one = await ready(await client());
  await one.result('act', { type: 'walk', ms: 1_000 });
  await until(() => deeds.length === 1);
  expect(bridge.sessions()).toHaveLength(1);
  await relay.close();
  // Not detached, which would last a minute.
  expect(bridge.sessions()).toEqual([]);
  expect(ann.driver).toBe('none');
  expect(deeds).toEqual(['walk 1000', 'halt 1000']);
});

test('W21: a game that is still being asked for its character is told that nobody wants it any more', async () => {
  const { client, relay } = await endpoint();
  const peer = await game(relay, { characters: ['ann'] });
  peer.onOpen = () => {};
  (await client()).send('{"jsonrpc":"2.0","id":1,"method":"observe"}\n');
  const { conn } = await peer.control('open');
  await relay.close();
  expect(await peer.control('close')).toMatchObject({ conn });
});

test('a game that does not answer does not keep the relay from closing', async () => {
  const { client, relay } = await endpoint({}, { limits: { closeMs: 20 } });
  const peer = await game(relay, { characters: ['ann'] });
  peer.onOpen = (conn) => {
    const session_id = randomUUID();
    const tick = { type: 'event', topic: 'tick', payload: { tick: 1, time_ms: 0, dt_ms: 0, snapshot: {} } };
    const event = { protocol: 'aicc/0.1', session_id, message_id: randomUUID(), ...tick };
    const init = { ...JSON.parse(sessionInit(session_id)), event_subscriptions: TOPICS };
    peer.sendLines([conn, JSON.stringify(init)], [conn, JSON.stringify(event)]);
    peer.send({ type: 'opened', conn, session_id, character: 'ann' });
  };
  peer.onLine = () => {};
  await ready(await client());
  await relay.close();
  expect(peer.lines.map(({ text }) => JSON.parse(text))).toMatchObject([{ type: 'session_close', reason: 'the relay is going away' }]);
});
