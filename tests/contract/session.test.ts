import { expect, test } from 'vitest';
import { CallError, connect } from '../../src/agent/node.ts';
import { driverToken } from './site.ts';
import { offered, village } from './village.ts';

test('T9, T10: a session under an offer sees and does what its contract allows, from the connect line to the game and back', async () => {
  const { relay } = await village();
  const session = await offered(relay);
  expect(session.tools.map(({ id }) => id).sort()).toEqual(['cancel_call', 'look', 'move_to']);
  expect(session.tools.find(({ id }) => id === 'look')?.output_schema).toEqual({
    type: 'object',
    properties: { at: { type: 'number', 'x-data-class': 'position' } },
    required: ['at'],
  });
  expect(await session.call('look')).toEqual({ at: 3 });
  expect(await session.call('move_to')).toEqual({ moved: true });
  const refused = await session.call('attack').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CallError);
  expect(refused).toMatchObject({ code: 'tool_unavailable', retryable: false, message: "the contract prohibits 'attack'" });
  await session.close();
});

test('T13: a condition of the game ends the session, and the offer with it', async () => {
  const { bridge, relay } = await village();
  const session = await offered(relay);
  bridge.condition('all_lanterns_lit');
  expect(await session.closed).toMatchObject({ code: 1000, reason: 'completed: all_lanterns_lit' });
  await expect(offered(relay)).rejects.toMatchObject({ message: 'replay: the interaction is over: completed: all_lanterns_lit' });
});

test('T12: the deadline ends it', async () => {
  const { clock, relay } = await village(Date.parse('2098-12-31T00:00:00Z') - 5_000);
  const session = await offered(relay);
  clock.pass(5_000);
  expect(await session.closed).toMatchObject({ reason: "expired: the contract's deadline is reached" });
});

test('T8: a token alone opens it again, and without an offer nobody gets in', async () => {
  const { relay } = await village();
  await (await offered(relay)).close();
  const again = await connect({ url: relay.agentUrl, character: 'mira', token: driverToken(), reconnect: false });
  expect(again.tools.map(({ id }) => id)).not.toContain('attack');
  await again.close();
  await expect(connect({ url: relay.agentUrl, character: 'mira', reconnect: false })).rejects.toMatchObject({
    code: 'tool_unavailable',
    retryable: false,
  });
});
