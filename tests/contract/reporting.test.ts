import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/contract/node.ts';
import { afterwards, game, start } from '../relay/harness.ts';
import { message, webSocketAgent } from '../relay/raw-agents.ts';
import { activationOf, driverToken, post, postRaw, site } from './site.ts';
import { keyOf, VECTORS } from './vectors.ts';

interface Heard {
  authorization: string | undefined;
  event: { sequence: number; type: string; [name: string]: unknown };
}

/** The platform's side: hears reports, each answered as `answer` says. */
async function platform(answer: (response: ServerResponse, count: number) => void = (response) => response.writeHead(204).end()) {
  const heard: Heard[] = [];
  const listeners = new Set<() => void>();
  const server = createServer(async (request: IncomingMessage, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    heard.push({ authorization: request.headers.authorization, event: JSON.parse(text || '{}') });
    answer(response, heard.length);
    for (const look of [...listeners]) look();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(() => server.close());
  const hears = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (heard.length < count) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, hears };
}

async function activated(url: string, options: Parameters<typeof site>[0] = {}) {
  const there = await site(options);
  const { body } = await post(there.relay, VECTORS.offer);
  const reporting = { endpoint: `${url}/report`, bearerToken: 'for-us' };
  await post(there.relay, activationOf(VECTORS.offer, body.sessionId, { reporting }));
  return there;
}

async function drive(agentUrl: string) {
  const driver = await webSocketAgent(agentUrl, ['aicc.v0.1', `aicc.bearer.${driverToken()}`]);
  driver.send('{"connect":{}}');
  const { session_id } = await driver.next();
  return { driver, session_id };
}

describe('T16: reports', () => {
  test('tell the platform how a session goes, in order, and nothing of what is said in it', async () => {
    const { heard, hears, url } = await platform();
    const { peer, relay } = await activated(url);
    const { driver, session_id } = await drive(relay.agentUrl);
    const call = message('tool_call', session_id, { call_id: 'c1', tool: 'say', input: { text: 'a secret' } });
    driver.send(call);
    await driver.next();
    peer.send({ type: 'interaction_over', interaction: VECTORS.offer.interactionId, condition: 'all_lanterns_lit' });
    await hears(4);
    const base = (sequence: number, type: string) => ({
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      interactionId: VECTORS.offer.interactionId,
      agentId: 'game-mira',
      sequence,
      type,
      occurredAt: '2026-06-01T00:00:00.000Z',
      evidenceReferences: [],
    });
    const details = (more: object = {}) => ({ labels: {}, metrics: {}, flags: {}, ...more });
    expect(heard.map(({ event }) => event)).toEqual([
      { ...base(1, 'session_started'), details: details() },
      { ...base(2, 'message_sent'), messageHash: sha256(call), details: details({ labels: { kind: 'tool_call', tool: 'say' } }) },
      {
        ...base(3, 'task_result'),
        messageHash: expect.stringMatching(/^[\w-]{43}$/),
        outcome: 'succeeded',
        details: details({ labels: { tool: 'say' } }),
      },
      { ...base(4, 'session_completed'), outcome: 'completed', details: details() },
    ]);
    expect(heard.map(({ authorization }) => authorization)).toEqual(new Array(4).fill('Bearer for-us'));
    expect(JSON.stringify(heard)).not.toContain('a secret');
    expect(new Set(heard.map(({ event }) => event.eventId)).size).toBe(4);
  });

  test('a session that is cancelled has failed', async () => {
    const { heard, hears, url } = await platform();
    const { peer, relay } = await activated(url);
    await drive(relay.agentUrl);
    peer.send({ type: 'interaction_over', interaction: VECTORS.offer.interactionId, condition: 'player_left' });
    await hears(2);
    expect(heard[1]?.event).toMatchObject({ type: 'session_failed', outcome: 'cancelled' });
  });

  test('are tried again while the platform is ill, in order, and the game does not wait', async () => {
    const { heard, hears, url } = await platform((response, count) => response.writeHead(count < 2 ? 503 : 200).end());
    const { relay } = await activated(url);
    const { driver, session_id } = await drive(relay.agentUrl);
    driver.send(message('tool_call', session_id, { call_id: 'c1', tool: 'say', input: {} }));
    expect(await driver.next()).toMatchObject({ type: 'tool_result', ok: true });
    await hears(4);
    expect(heard.map(({ event }) => event.sequence)).toEqual([1, 1, 2, 3]);
    expect(heard[1]?.event.eventId).toBe(heard[0]?.event.eventId);
  });

  test.each([302, 400])('go no further at HTTP %i: a redirect is not followed, and the operator is told', async (status) => {
    const other = await platform();
    const { heard, hears, url } = await platform((response) => response.writeHead(status, { location: other.url }).end());
    const { relay, told } = await activated(url);
    await drive(relay.agentUrl);
    await hears(1);
    await expect.poll(() => told).toEqual([expect.stringContaining(`the platform answers HTTP ${status}`)]);
    expect(heard).toHaveLength(1);
    expect(other.heard).toEqual([]);
  });

  test('go on counting after the relay was started again', async () => {
    const { heard, hears, url } = await platform();
    const { relay, stateDir, time, trustFile } = await activated(url);
    await drive(relay.agentUrl);
    await hears(1);
    await relay.close();
    const agents = { 'game-mira': { character: 'mira' } };
    const again = await start({ openclasp: { trustFile, stateDir, agents, now: () => time.at } });
    await game(again);
    const { driver, session_id } = await drive(again.agentUrl);
    driver.send(message('tool_call', session_id, { call_id: 'c1', tool: 'say', input: {} }));
    await hears(3);
    const sequences = heard.map(({ event }) => event.sequence);
    expect(heard.map(({ event }) => event.type)).toEqual(['session_started', 'message_sent', 'task_result']);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(new Set(sequences).size).toBe(3);
  });
});

describe("T5: the platform's key", () => {
  const { body, headers } = VECTORS.offerRequest;

  test('is fetched once where it is not known', async () => {
    const { publicKey } = keyOf('platform');
    const { heard, url } = await platform((response) => response.end(JSON.stringify({ publicKey })));
    const { relay } = await site({ trustFile: undefined, platformUrl: url });
    // Without keys in the registry the parties' signatures do not count; the request's own does.
    expect(await postRaw(relay, body, headers)).toMatchObject({ status: 409, body: { reason: expect.stringMatching(/^signature: /) } });
    expect(await postRaw(relay, body, headers)).toMatchObject({ status: 409 });
    expect(heard).toHaveLength(1);
  });

  test('is asked for again when it could not be had; until then nothing is taken', async () => {
    const { publicKey } = keyOf('platform');
    const { url } = await platform((response, count) => {
      if (count === 1) response.writeHead(302, { location: '/elsewhere' }).end();
      else response.end(count === 2 ? '{"publicKey":"none"}' : JSON.stringify({ publicKey }));
    });
    const { relay, told } = await site({ trustFile: undefined, platformUrl: url });
    const unknown = { status: 401, body: { error: 'unauthorized', reason: "the platform's key is not known here" } };
    expect(await postRaw(relay, body, headers)).toEqual(unknown);
    expect(await postRaw(relay, body, headers)).toEqual(unknown);
    expect(await postRaw(relay, body, headers)).toMatchObject({ status: 409 });
    expect(told).toEqual([expect.stringContaining('cannot be fetched'), expect.stringContaining('has no Ed25519 publicKey')]);
  });

  test('is fetched from https alone, this machine aside', async () => {
    await expect(start({ openclasp: { platformUrl: 'http://platform.example' } })).rejects.toMatchObject({ code: 'openclasp_options' });
  });
});
