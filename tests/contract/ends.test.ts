import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGameLink } from '../../plugin/game-link.ts';
import { defineTool } from '../../src/bridge/index.ts';
import { makeToken, newKeyPair, readPrivateKey } from '../../src/contract/node.ts';
import { game, start } from '../relay/harness.ts';
import { message, type RawAgent, tcpAgent, webSocketAgent } from '../relay/raw-agents.ts';
import { activationOf, driverToken, folder, offerLine, post } from './site.ts';
import { AT, localOffer, trustText, VECTORS } from './vectors.ts';
import { audited, page, village } from './village.ts';

const { interactionId } = VECTORS.offer;
const OTHER = '3f0c2b1a-6c1d-4b7e-9a52-0d6f1f2e3c4b';
/** Another offer of the same counterparty for the same character. */
const otherOffer = () => localOffer({ interactionId: OTHER }, { interactionId: OTHER, offerId: randomUUID() });
const otherToken = () => driverToken({ interactionId: OTHER });
const OVER = { type: 'error', error: { code: 'invalid_input', message: 'replay: the interaction is over: completed: all_lanterns_lit' } };

interface Driving {
  agent: RawAgent;
  session: string;
}

async function open(
  { agentUrl }: { agentUrl: string },
  line: string = offerLine(localOffer(), driverToken(), { character: 'mira', wait_ms: 20_000 }),
) {
  const agent = await webSocketAgent(agentUrl);
  agent.send(line);
  return { agent, first: await agent.next() };
}

/** An agent that has said something, so that its session outlives its connection. */
async function drive(relay: { agentUrl: string }, line?: string): Promise<Driving> {
  const { agent, first } = await open(relay, line);
  expect(first).toMatchObject({ type: 'session_init' });
  agent.send(message('heartbeat', first.session_id));
  expect(await agent.next()).toMatchObject({ type: 'heartbeat' });
  return { agent, session: first.session_id };
}

/** Its socket breaks. */
async function drop({ agent }: Driving, bridge: { sessions(): unknown[]; characters(): { driver: string }[] }): Promise<void> {
  (agent as unknown as { ws: { terminate(): void } }).ws.terminate();
  await expect.poll(() => bridge.characters()[0]?.driver).toBe('none');
}

test('T13, T18: what a driver says of its leaving ends no contract, and stands in the log and in the answer as its own words', async () => {
  const { relay, stateDir } = await village();
  const words = 'completed: all_lanterns_lit\n\u001b[2J\u202e';
  const { agent, session } = await drive(relay);
  agent.send(message('session_close', session, { reason: words }));
  const said = `the agent closed it: "completed: all_lanterns_lit\\n\\u001b[2J\\u202e"`;
  expect(await agent.next()).toMatchObject({ type: 'session_close', reason: said });
  expect(await agent.closed).toEqual({ code: 1000, reason: said });
  const again = await drive(relay);
  await expect
    .poll(() => audited(stateDir))
    .toContainEqual(expect.objectContaining({ what: 'session', by: 'agent', reason: said, interactionId }));
  expect((await audited(stateDir)).filter(({ what }) => what === 'end')).toEqual([]);
  again.agent.close();
});

test.each(['WebSocket', 'TCP'])('C5, T19: a session is taken up again under its own offer alone, over %s', async (kind) => {
  const { bridge, relay } = await village(AT, {});
  const connectWith = async (line: string) => {
    if (kind === 'TCP') return tcpAgent(relay.tcpPort, line);
    const agent = await webSocketAgent(relay.agentUrl);
    agent.send(line);
    return agent;
  };
  const expired = { type: 'error', error: { code: 'session_expired', retryable: false } };
  const driving = await drive(relay);
  const { session } = driving;
  await drop(driving, bridge);
  const under = (offer: object, token: string) => offerLine(offer, token, { resume: session });
  for (const line of [under(otherOffer(), otherToken()), JSON.stringify({ connect: { resume: session } })]) {
    const agent = await connectWith(line);
    expect(await agent.next()).toMatchObject(expired);
    agent.close();
  }
  const own = await connectWith(under(localOffer(), driverToken()));
  expect(await own.next()).toMatchObject({ type: 'session_init', session_id: session });
  own.send(message('session_close', session));
  await own.closed;

  const free = await connectWith('{"connect":{"character":"mira"}}');
  const { session_id } = await free.next();
  const stolen = await connectWith(offerLine(localOffer(), driverToken(), { resume: session_id }));
  expect(await stolen.next()).toMatchObject(expired);
  stolen.close();
  free.close();
});

test('C5, T19: a token alone and a session_resume count as the offer that they are for', async () => {
  const { bridge, relay } = await village(AT, {});
  const driving = await drive(relay);
  // Known, so that its token is enough.
  (await open(relay, offerLine(otherOffer(), otherToken(), { character: 'mira' }))).agent.close();
  await drop(driving, bridge);
  const resumed = async (token: string) => {
    const agent = await webSocketAgent(relay.agentUrl, ['aicc.v0.1', `aicc.bearer.${token}`]);
    agent.send(message('session_resume', driving.session));
    return agent.next();
  };
  expect(await resumed(otherToken())).toMatchObject({ type: 'error', error: { code: 'session_expired' } });
  expect(await resumed(driverToken())).toMatchObject({ type: 'session_init', session_id: driving.session });
});

test.each([
  ['for a moment', 0],
  ['for longer than its session lives', 61_000],
])('T13: a condition that held while the driver was away ends the interaction: away %s', async (_how, ms) => {
  const { bridge, clock, relay, stateDir } = await village();
  const driving = await drive(relay);
  await drop(driving, bridge);
  clock.pass(ms);
  expect(bridge.sessions()).toHaveLength(ms === 0 ? 1 : 0);
  bridge.condition('all_lanterns_lit');
  bridge.condition('all_lanterns_lit', false);
  expect(bridge.sessions()).toHaveLength(0);
  await expect
    .poll(() => audited(stateDir))
    .toContainEqual(expect.objectContaining({ what: 'end', reason: 'completed: all_lanterns_lit' }));
  expect((await open(relay)).first).toMatchObject(OVER);
});

test('T13: also while the game had no relay, and in a page that was loaded again', async () => {
  const one = await village();
  await drop(await drive(one.relay), one.bridge);
  one.leave();
  one.bridge.condition('all_lanterns_lit');
  one.bridge.condition('all_lanterns_lit', false);
  openGameLink({ url: one.relay.gameUrl, bridge: one.bridge, token: undefined });
  await expect
    .poll(() => audited(one.stateDir))
    .toContainEqual(expect.objectContaining({ what: 'end', reason: 'completed: all_lanterns_lit' }));
  expect((await open(one.relay)).first).toMatchObject(OVER);

  const two = await village();
  const driving = await drive(two.relay);
  await drop(driving, two.bridge);
  two.leave();
  two.bridge.close();
  const loaded = page(two.relay.gameUrl);
  // It holds before the game has met its relay.
  loaded.bridge.condition('all_lanterns_lit');
  await expect
    .poll(() => audited(two.stateDir))
    .toContainEqual(expect.objectContaining({ what: 'end', reason: 'completed: all_lanterns_lit' }));
  expect((await open(two.relay)).first).toMatchObject(OVER);
});

test('T13: a relay that was away hears of it from its disk and the game', async () => {
  const { bridge, leave, relay, stateDir, trustFile } = await village();
  await drop(await drive(relay), bridge);
  await relay.close();
  leave();
  bridge.condition('all_lanterns_lit');
  bridge.condition('all_lanterns_lit', false);
  const again = await start({ openclasp: { trustFile, stateDir, agents: { 'game-mira': { character: 'mira' } }, now: () => AT } });
  openGameLink({ url: again.gameUrl, bridge, token: undefined });
  await expect
    .poll(() => audited(stateDir))
    .toContainEqual(expect.objectContaining({ what: 'end', reason: 'completed: all_lanterns_lit' }));
  expect((await open(again)).first).toMatchObject(OVER);
});

test('T13: an accepted offer that nobody has come under yet ends so too', async () => {
  const { bridge, relay, stateDir } = await village();
  const { body } = await post(relay, VECTORS.offer);
  await post(relay, activationOf(VECTORS.offer, body.sessionId));
  bridge.condition('all_lanterns_lit');
  bridge.condition('all_lanterns_lit', false);
  await expect
    .poll(() => audited(stateDir))
    .toContainEqual(expect.objectContaining({ what: 'end', reason: 'completed: all_lanterns_lit' }));
});

test('T12, T19, D7: what a contract allows it allows once, however often its driver comes back', async () => {
  const rare = defineTool({ id: 'say', class: 'actuator', description: 'say', limits: { calls_per_session: 2 }, run: () => ({}) });
  const often = defineTool({ id: 'move_to', class: 'actuator', description: 'go', limits: { calls_per_minute: 2 }, run: () => ({}) });
  const { bridge, relay } = await village(AT, {}, {}, [rare, often]);
  const calls = async ({ agent, session }: Driving, tool: string) => {
    agent.send(message('tool_call', session, { call_id: randomUUID(), tool, input: {} }));
    return (await agent.next()).ok;
  };
  for (const allowed of [true, true, false]) {
    const driving = await drive(relay);
    for (const tool of ['say', 'move_to']) expect(await calls(driving, tool)).toBe(allowed);
    driving.agent.send(message('session_close', driving.session));
    await driving.agent.closed;
    expect(bridge.sessions()).toHaveLength(0);
  }
});

test('T8: revoking one of two keys ends the session that its token opened, attached or not, and no other', async () => {
  const { bridge, relay, trustFile } = await village();
  const second = newKeyPair();
  const trust = (revoked: boolean) => {
    const file = JSON.parse(trustText());
    return JSON.stringify({
      ...file,
      keys: [...file.keys, { agentId: 'driver-one', keyId: 'second', publicKey: second.publicKey, revoked }],
    });
  };
  await writeFile(trustFile, trust(false));
  const claims = { interactionId, senderAgentId: 'driver-one', recipientAgentId: 'game-mira', expiresAt: AT + 1_800_000 };
  const bySecond = offerLine(localOffer(), makeToken(claims, readPrivateKey(second.privateKey)!), { character: 'mira' });
  const driven = async () => {
    for (;;) {
      const { agent, first } = await open(relay, bySecond);
      if (first.type === 'session_init') return { agent, session: first.session_id };
      agent.close();
    }
  };
  const gone = await driven();
  gone.agent.send(message('heartbeat', gone.session));
  await gone.agent.next();
  await drop(gone, bridge);
  await writeFile(trustFile, trust(true));
  await expect.poll(() => bridge.sessions(), { timeout: 20_000 }).toEqual([]);
  const own = await drive(relay);

  await writeFile(trustFile, trust(false));
  own.agent.close();
  await expect.poll(() => bridge.sessions()).toEqual([]);
  const there = await driven();
  await writeFile(trustFile, trust(true));
  expect(await there.agent.closed).toEqual({ code: 1008, reason: 'revoked: the key that opened the session was revoked' });
  expect((await drive(relay)).session).not.toBe(there.session);
});

test('T8: revoking the key that an activation carried ends its interaction', async () => {
  const { relay, trustFile, stateDir } = await village();
  const own = newKeyPair();
  const trust = (revoked: boolean) => {
    const file = JSON.parse(trustText());
    return JSON.stringify({ ...file, keys: [...file.keys, { agentId: 'driver-one', keyId: 'own', publicKey: own.publicKey, revoked }] });
  };
  await writeFile(trustFile, trust(false));
  const { body } = await post(relay, VECTORS.offer);
  const { peer } = activationOf(VECTORS.offer, body.sessionId);
  await post(relay, activationOf(VECTORS.offer, body.sessionId, { peer: { ...peer, verificationKey: own.publicKey } }));
  await writeFile(trustFile, trust(true));
  await expect
    .poll(() => audited(stateDir), { timeout: 20_000 })
    .toContainEqual(expect.objectContaining({ what: 'end', reason: 'revoked: a key of "driver-one" was revoked' }));
});

/** The registry with two keys of the driver's: `second`, and its own. */
function twoKeys() {
  const { privateKey, publicKey } = newKeyPair();
  const trust = (revoked: boolean) => {
    const file = JSON.parse(trustText());
    return JSON.stringify({ ...file, keys: [...file.keys, { agentId: 'driver-one', keyId: 'second', publicKey, revoked }] });
  };
  const claims = { interactionId, senderAgentId: 'driver-one', recipientAgentId: 'game-mira', expiresAt: AT + 1_800_000 };
  return { trust, token: makeToken(claims, readPrivateKey(privateKey)!) };
}

const AGENTS = { 'game-mira': { character: 'mira' } };

test.each(['the key of its token', 'the contract'])(
  'T8: whoever waits for a character while %s is revoked does not get it',
  async (what) => {
    const stateDir = await folder();
    const trustFile = join(await folder(), 'KEYS.json');
    const { token, trust } = twoKeys();
    await writeFile(trustFile, trust(false));
    const relay = await start({ openclasp: { trustFile, stateDir, agents: AGENTS, now: () => AT } });
    const agent = await webSocketAgent(relay.agentUrl);
    agent.send(offerLine(localOffer(), token, { character: 'mira', wait_ms: 20_000 }));
    await expect
      .poll(() => audited(stateDir).catch(() => []))
      .toContainEqual(expect.objectContaining({ what: 'offer', decision: 'ALLOW' }));
    const file = JSON.parse(trust(true));
    if (what === 'the contract') for (const key of file.keys) key.revoked = key.agentId === 'driver-one';
    await writeFile(trustFile, JSON.stringify(file));
    await expect
      .poll(async () => (await open(relay, offerLine(localOffer(), token, { character: 'mira' }))).first.error?.message, {
        timeout: 20_000,
      })
      .toMatch(/revoked/);
    const { bridge } = page(relay.gameUrl);
    expect(await agent.next()).toMatchObject({
      type: 'error',
      error: { code: 'session_expired', message: expect.stringMatching(/^revoked: /) },
    });
    expect(bridge.sessions()).toEqual([]);
  },
);

test('T8: a key that was revoked while the relay was away takes the session that it opened along, whoever takes that up', async () => {
  const { bridge, leave, relay, stateDir, trustFile } = await village();
  const { token, trust } = twoKeys();
  await writeFile(trustFile, trust(false));
  const bySecond = offerLine(localOffer(), token, { character: 'mira' });
  let first: { agent: RawAgent; first: Awaited<ReturnType<typeof open>>['first'] };
  await expect
    .poll(
      async () => {
        first = await open(relay, bySecond);
        return first.first.type;
      },
      { timeout: 20_000 },
    )
    .toBe('session_init');
  const gone = { agent: first!.agent, session: first!.first.session_id };
  gone.agent.send(message('heartbeat', gone.session));
  await gone.agent.next();
  await drop(gone, bridge);
  await relay.close();
  leave();
  await writeFile(trustFile, trust(true));
  const again = await start({ openclasp: { trustFile, stateDir, agents: AGENTS, now: () => AT } });
  openGameLink({ url: again.gameUrl, bridge, token: undefined });
  await expect.poll(() => bridge.sessions()).toEqual([]);
  const taken = await open(again, offerLine(localOffer(), driverToken(), { resume: gone.session }));
  expect(taken.first).toMatchObject({ type: 'error', error: { code: 'session_expired' } });
});

test('T8, T12: a game that was away while an interaction was revoked hears of that when it comes back', async () => {
  const { bridge, leave, relay, stateDir, trustFile } = await village();
  const driving = await drive(relay);
  await drop(driving, bridge);
  leave();
  const file = JSON.parse(trustText());
  for (const key of file.keys) key.revoked = key.agentId === 'driver-one';
  await writeFile(trustFile, JSON.stringify(file));
  await expect.poll(() => audited(stateDir), { timeout: 20_000 }).toContainEqual(expect.objectContaining({ what: 'end' }));
  expect(bridge.sessions()).toHaveLength(1);
  openGameLink({ url: relay.gameUrl, bridge, token: undefined });
  await expect.poll(() => bridge.sessions()).toEqual([]);
});

test('T18: an agent that spells its leaving otherwise leaves the same line in the log', async () => {
  const { relay, stateDir } = await village();
  const { agent, session } = await drive(relay);
  agent.send(message('session_close', session, { reason: 'bye' }).replace('session_close', 'session\\u005fclose'));
  await agent.closed;
  await expect
    .poll(() => audited(stateDir))
    .toContainEqual(expect.objectContaining({ what: 'session', by: 'agent', reason: 'the agent closed it: "bye"' }));
});

test('T13: a game ends an interaction by the conditions of its contract alone, and only where the interaction’s agent lives', async () => {
  const { bridge, relay, stateDir } = await village();
  const driving = await drive(relay);
  const stranger = await game(relay, { world: 'elsewhere', characters: ['bob'] });
  stranger.send({ type: 'interaction_over', interaction: interactionId, condition: 'all_lanterns_lit' });
  stranger.sendCharacters('bob', 'ann');
  await expect.poll(async () => JSON.stringify(await (await fetch(`${relay.url}worlds`)).json())).toContain('ann');
  bridge.condition('some_other');
  driving.agent.send(message('heartbeat', driving.session));
  expect(await audited(stateDir)).not.toContainEqual(expect.objectContaining({ what: 'end' }));
  expect(bridge.sessions()).toHaveLength(1);
});
