import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { connectAiControl } from '../../src/agent/aicontrol/index.ts';
import { game, start } from '../relay/harness.ts';
import { message, tcpAgent, webSocketAgent } from '../relay/raw-agents.ts';
import { driverToken, offerLine, post, site } from './site.ts';
import { AT, localOffer, offerWith, trustText, VECTORS } from './vectors.ts';

const OTHER_ID = '3f0c2b1a-6c1d-4b7e-9a52-0d6f1f2e3c4b';
const refusal = (text: string) => ({ type: 'error', error: { code: 'invalid_input', retryable: false, message: text } });

describe('T6: a local offer in the connect line', () => {
  test.each(['WebSocket', 'TCP'])('opens a session under its terms over %s', async (kind) => {
    const { peer, relay } = await site();
    const line = offerLine(localOffer(), driverToken(), { event_subscriptions: ['audio'] });
    const agent = kind === 'TCP' ? await tcpAgent(relay.tcpPort, line) : await webSocketAgent(relay.agentUrl);
    if (kind === 'WebSocket') agent.send(line);
    expect(await agent.next()).toMatchObject({ type: 'session_init' });
    const { request } = await peer.control('open');
    expect(request).toEqual({
      character: 'mira',
      characters: ['mira'],
      event_subscriptions: ['audio'],
      principal: 'driver-one',
      contract: expect.objectContaining({
        contractHash: localOffer().contractHash,
        allowedActions: ['move_to', 'say', 'expression'],
        capabilities: [],
      }),
    });
    expect(JSON.stringify(peer.frames)).not.toMatch(/new_agent|First session/);
  });

  test('needs no other token where agents need one, and may show its own in the header', async () => {
    const { relay } = await site({}, { agentToken: 'secret', gameToken: 'game' });
    const tcp = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
    expect(await tcp.next()).toMatchObject({ type: 'session_init' });
    tcp.send(message('session_close', (await site()).peer.world));
    const ws = await webSocketAgent(relay.agentUrl, ['aicc.v0.1', `aicc.bearer.${driverToken()}`]);
    ws.send(JSON.stringify({ connect: { session_offer: localOffer() } }));
    expect(await ws.next()).toMatchObject({ type: 'session_init' });
    // From now on the token is enough.
    const again = await webSocketAgent(relay.agentUrl, ['aicc.v0.1', `aicc.bearer.${driverToken()}`]);
    again.send('{"connect":{}}');
    expect(await again.next()).toMatchObject({ type: 'session_init' });
  });

  test('a character that it is not for cannot be had with it', async () => {
    const { peer, relay } = await site();
    const agent = await webSocketAgent(relay.agentUrl);
    agent.send(offerLine(localOffer(), driverToken(), { character: 'bob' }));
    expect((await peer.control('open')).request).toMatchObject({ character: 'bob', characters: ['mira'] });
  });

  test.each<[string, string]>([
    ['schema: /connect/session_offer is no matter: /type is missing', offerLine({})],
    [
      'schema: it has the name "character" twice in one object',
      offerLine(localOffer()).replace('{"connect":{', '{"connect":{"character":"mira","character":"bob",'),
    ],
    [
      'schema: it has the name "role" twice in one object',
      offerLine(localOffer()).replace('"role":"responder"', '"role":"responder","role":"responder"'),
    ],
    // The door refuses it before the offer is looked at (AICC A3).
    [
      '/connect/session_offer/counterparty/name must be Unicode text: it has half of a surrogate pair',
      offerLine(localOffer()).replace('"Driver One"', '"\\ud800"'),
    ],
    ['time: a local offer needs a contract.deadline, so that its end is signed', offerLine(withoutDeadline())],
    ['agent: no character of agent "driver-one" is served here', offerLine({ ...localOffer(), agentId: 'driver-one' })],
    ['signature: "game-mira" has not signed the contract', offerLine(offerWith({ signers: [], brief: null }))],
    ['brief: a local offer carries no brief', offerLine(VECTORS.offer)],
    [
      'presenter: a token must prove who presents the offer, and there is none',
      JSON.stringify({ connect: { session_offer: localOffer() } }),
    ],
    ['presenter: the token is not of the form PAYLOAD.SIGNATURE', offerLine(localOffer(), 'secret')],
    [
      'presenter: the token is "stranger"\'s, not of the counterparty "driver-one"',
      offerLine(localOffer(), driverToken({ senderAgentId: 'stranger' }, 'stranger')),
    ],
    ['presenter: the token is not signed by a key of "driver-one"', offerLine(localOffer(), driverToken({}, 'stranger'))],
    ['presenter: the token is for another interaction', offerLine(localOffer(), driverToken({ interactionId: OTHER_ID }))],
    [
      'presenter: the token is meant for "stranger", not for "game-mira"',
      offerLine(localOffer(), driverToken({ recipientAgentId: 'stranger' })),
    ],
    ['presenter: the token has expired', offerLine(localOffer(), driverToken({ expiresAt: AT }))],
    ['presenter: the token ends more than an hour from now', offerLine(localOffer(), driverToken({ expiresAt: AT + 3_600_001 }))],
  ])('is refused and leaves room for another try: %s', async (reason, line) => {
    const { peer, relay } = await site();
    for (const agent of [await webSocketAgent(relay.agentUrl), await tcpAgent(relay.tcpPort)]) {
      agent.send(line);
      const refused = await agent.next();
      if (line === offerLine({})) expect(refused.error?.message).toMatch(/^schema: \/type is missing/);
      else expect(refused).toMatchObject(refusal(reason));
    }
    expect(peer.controls.filter(({ type }) => type === 'open')).toEqual([]);
    const again = await tcpAgent(relay.tcpPort, line);
    await again.next();
    again.send(offerLine(localOffer()));
    expect(await again.next()).toMatchObject({ type: 'session_init' });
  });

  test('replay: shown again it is the same interaction, with other content it is refused', async () => {
    const { relay } = await site();
    for (let time = 0; time < 2; time++) {
      const agent = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
      expect(await agent.next()).toMatchObject({ type: 'session_init' });
    }
    const changed = await tcpAgent(relay.tcpPort, offerLine(localOffer({}, { expiresAt: '2098-01-01T00:00:00Z' })));
    expect(await changed.next()).toMatchObject(refusal('replay: the offerId was used with other content'));
    const renamed = await tcpAgent(relay.tcpPort, offerLine(localOffer({}, { offerId: OTHER_ID })));
    expect(await renamed.next()).toMatchObject(refusal('replay: the interaction has another offer'));
    expect(await post(relay, VECTORS.offer)).toMatchObject({ status: 409 });
  });

  test('a relay that takes none says so', async () => {
    const relay = await start();
    const agent = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
    expect(await agent.next()).toMatchObject({ error: { code: 'tool_unavailable', message: expect.stringContaining('not taken here') } });
  });
});

describe('--require-offer', () => {
  const needs = {
    type: 'error',
    error: { code: 'tool_unavailable', retryable: false, message: expect.stringContaining('under a session offer alone') },
  };

  test('keeps everybody without an offer out of the character, by every door', async () => {
    const { peer, relay } = await site({ requireOffer: ['mira'] }, { aicontrol: { port: 0, character: 'mira' } });
    const asks = ['{"connect":{}}', '{"connect":{"character":"mira"}}', '{"connect":{"world":"lantern_night","character":"mira"}}'];
    asks.push(message('manifest_request', '00000000-0000-0000-0000-000000000000'));
    for (const ask of asks) {
      const tcp = await tcpAgent(relay.tcpPort, ask);
      expect(await tcp.next()).toMatchObject(needs);
      const ws = await webSocketAgent(relay.agentUrl);
      ws.send(ask);
      expect(await ws.next()).toMatchObject(needs);
    }
    const byQuery = await webSocketAgent(`${relay.agentUrl}?character=mira`);
    expect(await byQuery.next()).toMatchObject(needs);
    const silent = await tcpAgent(relay.tcpPort);
    expect(await silent.next()).toMatchObject(needs);
    const client = await connectAiControl({ port: relay.aicontrolPort!, timeoutMs: 20_000 });
    expect((await client.observe()).observation).toMatchObject({ ready: false });
    client.close();
    expect(peer.controls.filter(({ type }) => type === 'open')).toEqual([]);

    const bob = await tcpAgent(relay.tcpPort, '{"connect":{"character":"bob"}}');
    expect(await bob.next()).toMatchObject({ type: 'session_init' });
    const offered = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
    expect(await offered.next()).toMatchObject({ type: 'session_init' });
  });

  test('nor does anybody take up a session of it', async () => {
    const { peer, relay } = await site({ requireOffer: ['mira'] });
    const driver = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
    const { session_id } = await driver.next();
    // A game that would let anybody.
    peer.onOpen = (conn, { character = 'mira' }) => peer.accept(conn, character as string);
    const thief = await tcpAgent(relay.tcpPort, JSON.stringify({ connect: { resume: session_id } }));
    expect(await thief.next()).toMatchObject(needs);
    thief.send(message('session_resume', session_id));
    expect(await thief.next()).toMatchObject(needs);
    const bob = await tcpAgent(relay.tcpPort, '{"connect":{"character":"bob"}}');
    expect(await bob.next()).toMatchObject({ type: 'session_init' });
    expect(thief.unread).toEqual([]);
  });

  test('AiControl comes in with an offer and its token', async () => {
    const offer = { sessionOffer: localOffer(), token: driverToken() };
    const { peer, relay } = await site({ requireOffer: ['mira'] }, { aicontrol: { port: 0, character: 'mira', offer } });
    const client = await connectAiControl({ port: relay.aicontrolPort!, timeoutMs: 20_000 });
    const observing = client.observe();
    expect((await peer.control('open')).request).toMatchObject({ principal: 'driver-one', contract: { version: 1 } });
    client.close();
    await observing.catch(() => {});
  });
});

describe('the end of an interaction', () => {
  const open = async (relay: { tcpPort: number }) => {
    const agent = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
    expect(await agent.next()).toMatchObject({ type: 'session_init' });
    return agent;
  };

  test.each([
    ['completed: all_lanterns_lit', { condition: 'all_lanterns_lit' }],
    ['cancelled: player_left', { condition: 'player_left' }],
    ['expired: its time is over', {}],
  ])('T12, T13: is told by the game; then the offer is over: %s', async (reason, why) => {
    const { peer, relay } = await site();
    const agent = await open(relay);
    peer.send({ type: 'interaction_over', interaction: VECTORS.offer.interactionId, ...why });
    await agent.closed;
    const again = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
    expect(await again.next()).toMatchObject(refusal(`replay: the interaction is over: ${reason}`));
  });

  test('an agent that leaves may come back', async () => {
    const { peer, relay } = await site();
    const agent = await open(relay);
    agent.close();
    await peer.control('close');
    await open(relay);
  });

  test('T8: a revoked key ends its sessions, in the game too, and opens none', async () => {
    for (const revoked of ['driver-one', 'game-mira'] as const) {
      const { peer, relay, trustFile } = await site();
      const agent = await open(relay);
      await writeFile(trustFile, trustText({ revoked }));
      expect(await agent.next()).toMatchObject({
        error: { message: `revoked: a key of "${revoked}" was revoked` },
      });
      await agent.closed;
      expect(await peer.control('close')).toMatchObject({ clean: true });
      const again = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
      expect((await again.next()).error?.message).toMatch(/revoked/);
    }
  });

  test('a registry that cannot be read leaves the keys as they were, and the operator is told', async () => {
    const { relay, told, trustFile } = await site();
    await writeFile(trustFile, '{');
    await expect
      .poll(() => told, { timeout: 20_000 })
      .toEqual([expect.stringMatching(/KEYS\.json cannot be used: .* The keys stay as they were\.$/)]);
    await open(relay);
  });
});

function withoutDeadline(): object {
  const { deadline: _gone, ...contract } = localOffer().contract;
  return offerWith({ contract: { ...contract, deadline: undefined as never }, signers: ['game-mira'], brief: null });
}

test('a registry of keys that makes no sense keeps the relay from starting, in one sentence', async () => {
  const { trustFile } = await site();
  await writeFile(trustFile, '{"keys":[{"agentId":"a","keyId":"k","publicKey":"none"}]}');
  await expect(start({ openclasp: { trustFile } })).rejects.toMatchObject({
    code: 'bad_trust_file',
    message: expect.stringContaining('/keys/0/publicKey must be an Ed25519 public key'),
  });
});

test('T7: an agent that is not in the configuration is the character, or the world, of its name', async () => {
  const { relay } = await site({ agents: {} });
  const agent = await tcpAgent(relay.tcpPort, offerLine(localOffer()));
  expect(await agent.next()).toMatchObject(refusal('agent: no character of agent "game-mira" is served here'));
  const peer = await game(relay, { world: 'game-mira', characters: ['ann'] });
  agent.send(offerLine(localOffer()));
  expect(await agent.next()).toMatchObject({ type: 'session_init' });
  expect((await peer.control('open')).request).not.toHaveProperty('characters');
});
