import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/bridge/manual-clock.ts';
import type { Challenge } from '../../src/relay/index.ts';
import { game, start } from '../relay/harness.ts';
import { refusedUpgrade, webSocketAgent } from '../relay/raw-agents.ts';
import { activationOf, driverToken, offerLine, post, postRaw, signedHeaders, site } from './site.ts';
import { AT, localOffer, offerWith, VECTORS } from './vectors.ts';

const { body, headers } = VECTORS.offerRequest;
const OTHER_ID = '3f0c2b1a-6c1d-4b7e-9a52-0d6f1f2e3c4b';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('T5: an offer from the platform', () => {
  test('that an independent program signed is accepted, and the same again gets the same answer', async () => {
    const { relay } = await site();
    const first = await postRaw(relay, body, headers);
    expect(first).toEqual({
      status: 200,
      body: {
        type: 'openclasp.session.accepted',
        version: '1',
        offerId: VECTORS.offer.offerId,
        interactionId: VECTORS.offer.interactionId,
        agentId: 'game-mira',
        sessionId: expect.stringMatching(UUID),
        a2aEndpoint: `${relay.agentUrl}?character=mira`,
        expiresAt: VECTORS.offer.expiresAt,
      },
    });
    expect(await postRaw(relay, body, headers)).toEqual(first);
    expect(await Promise.all([1, 2, 3].map(() => post(relay, VECTORS.offer)))).toEqual([first, first, first]);
  });

  test.each<[string, string, Record<string, string>]>([
    ['the signature does not fit the request', body, { ...headers, 'openclasp-signature': 'v1=AAAA' }],
    ['the signature does not fit the request', body, signedHeaders(body, { by: 'stranger' })],
    ['the signature does not fit the request', JSON.stringify(JSON.parse(body), null, 1), headers],
    ['the signature does not fit the request', body.replace(/"counterpartyBrief":.*?\}\},/, ''), headers],
    ['the signature does not fit the request', body, { ...headers, 'openclasp-timestamp': '2026-06-01T00:00:00.001Z' }],
    [
      'openclasp-signature must begin with v1=',
      body,
      { ...headers, 'openclasp-signature': String(headers['openclasp-signature']).slice(3) },
    ],
    ['openclasp-timestamp must be a time like 2026-01-31T12:00:00.000Z', body, { ...headers, 'openclasp-timestamp': 'now' }],
    [
      'openclasp-timestamp must be a time like 2026-01-31T12:00:00.000Z',
      body,
      { ...headers, 'openclasp-timestamp': '2026-13-01T00:00:00Z' },
    ],
    ['openclasp-timestamp is more than five minutes away from the time here', body, signedHeaders(body, { at: AT + 300_001 })],
    ['openclasp-timestamp is more than five minutes away from the time here', body, signedHeaders(body, { at: AT - 300_001 })],
    ['openclasp-request-id must be the offerId', body, signedHeaders(body, { id: OTHER_ID })],
    ['the header openclasp-request-id is missing', body, {}],
    ['the header openclasp-timestamp is missing', body, { 'openclasp-request-id': 'x' }],
    ['the header openclasp-signature is missing', body, { 'openclasp-request-id': 'x', 'openclasp-timestamp': 'x' }],
    ['the header openclasp-request-id is missing', 'not JSON', {}],
  ])('is not one, 401: %s, case %#', async (reason, sent, how) => {
    const { relay } = await site();
    expect(await postRaw(relay, sent, how)).toEqual({ status: 401, body: { error: 'unauthorized', reason } });
  });

  test('a clock that is five minutes off is no fault', async () => {
    const { relay } = await site();
    expect(await post(relay, VECTORS.offer, { at: AT + 300_000 })).toMatchObject({ status: 200 });
    expect(await post(relay, VECTORS.offer, { at: AT - 300_000 })).toMatchObject({ status: 200 });
  });

  test('64 KiB are read, one byte more is 413, announced or not', async () => {
    const { relay } = await site();
    const sized = (bytes: number) => Buffer.alloc(bytes, 'x');
    expect(await postRaw(relay, sized(65_536))).toMatchObject({ status: 401 });
    expect(await postRaw(relay, sized(65_537))).toEqual({
      status: 413,
      body: { error: 'too_large', reason: 'the body must be at most 65536 bytes' },
    });
    expect(await postRaw(relay, sized(65_537), { 'transfer-encoding': 'chunked' })).toMatchObject({ status: 413 });
  });

  test.each([
    ['schema: it has the name "version" twice in one object', body.replace('"version":"1"', '"version":"2","version":"1"')],
    ['schema: /role must be one of initiator, responder, got the string "boss"', body.replace('"role":"responder"', '"role":"boss"')],
    ['schema: /counterparty/name must be Unicode text: it has half of a surrogate pair', body.replace('Driver One', '\\ud800')],
    ['time: the offer has expired', JSON.stringify(offerWith({ offer: { expiresAt: '2026-05-31T00:00:00Z' } }))],
    ['agent: no character of agent "driver-one" is served here', JSON.stringify({ ...VECTORS.offer, agentId: 'driver-one' })],
    ["hash: contractHash is not the contract's hash", body.replace('"retentionDays":7', '"retentionDays":8')],
    ['decision: the brief says DENY', JSON.stringify(offerWith({ brief: { decision: 'DENY' } }))],
    ['decision: the brief says CHALLENGE, and nobody approved', JSON.stringify(offerWith({ brief: { decision: 'CHALLENGE' } }))],
  ])('is declined, 409: %s', async (reason, sent) => {
    const { relay } = await site();
    const declined = { status: 409, body: { error: 'session_declined', reason } };
    expect(await postRaw(relay, sent, signedHeaders(sent))).toEqual(declined);
    expect(await postRaw(relay, sent, signedHeaders(sent))).toEqual(declined);
  });

  test('replay: its id with other content, and another offer of its interaction, are declined', async () => {
    const { relay } = await site();
    expect(await post(relay, VECTORS.offer)).toMatchObject({ status: 200 });
    expect(await post(relay, offerWith({ offer: { role: 'initiator' } }))).toMatchObject({
      status: 409,
      body: { reason: 'replay: the offerId was used with other content' },
    });
    expect(await post(relay, offerWith({ offer: { offerId: OTHER_ID } }))).toMatchObject({
      status: 409,
      body: { reason: 'replay: the interaction has another offer' },
    });
  });

  test('a body that does not come within 10 s of wall time is 408', async () => {
    const clock = new ManualClock();
    const { relay } = await site({}, { clock });
    const timers = clock.timers;
    const half = request({ host: '127.0.0.1', port: relay.port, path: '/openclasp', method: 'POST', headers, agent: false });
    half.on('error', () => {});
    half.setHeader('content-length', Buffer.byteLength(body));
    half.write(body.slice(0, 10));
    const answered = once(half, 'response');
    await vi.waitFor(() => expect(clock.timers).toBe(timers + 1));
    clock.pass(9_999);
    expect(clock.timers).toBe(timers + 1);
    clock.pass(1);
    const [response] = await answered;
    expect(response.statusCode).toBe(408);
    half.destroy();
  });

  test('what is neither offer, activation nor verify is told so', async () => {
    const { relay } = await site();
    const odd = JSON.stringify({ type: 'openclasp.session.party', offerId: OTHER_ID });
    expect(await postRaw(relay, odd, signedHeaders(odd))).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await postRaw(relay, '', {}, 'GET')).toMatchObject({ status: 405 });
  });

  test('a relay that takes no offers has no such place', async () => {
    expect(await postRaw(await start(), body, headers)).toMatchObject({ status: 405 });
  });
});

describe('T5: verify', () => {
  const verify = { type: 'openclasp.runtime.verify', version: '1', agentId: 'game-mira', challenge: 'c' };

  test('is answered with the challenge and where the character is', async () => {
    const { relay } = await site({ publicUrl: 'wss://relay.example/agent' });
    expect(await postRaw(relay, JSON.stringify(verify))).toEqual({
      status: 200,
      body: {
        type: 'openclasp.runtime.verified',
        version: '1',
        agentId: 'game-mira',
        challenge: 'c',
        a2aEndpoint: 'wss://relay.example/agent?character=mira',
      },
    });
    expect(await postRaw(relay, JSON.stringify({ ...verify, agentId: 'bob' }))).toMatchObject({
      status: 200,
      body: { a2aEndpoint: 'wss://relay.example/agent?character=bob' },
    });
    expect(await postRaw(relay, JSON.stringify({ ...verify, agentId: 'nobody' }))).toMatchObject({ status: 404 });
    expect(await postRaw(relay, JSON.stringify({ ...verify, more: 1 }))).toMatchObject({ status: 400 });
  });
});

describe('T7: a challenged offer', () => {
  const challenged = offerWith({ brief: { decision: 'CHALLENGE' } });

  test('counts with --on-challenge accept', async () => {
    const { relay } = await site({ onChallenge: 'accept' });
    expect(await post(relay, challenged)).toMatchObject({ status: 200 });
  });

  test('asks the operator once, and keeps the answer', async () => {
    const asked: Challenge[] = [];
    const askOperator = async (challenge: Challenge) => asked.push(challenge) > 0;
    const { relay } = await site({ onChallenge: 'ask', askOperator });
    const [one, two] = await Promise.all([post(relay, challenged), post(relay, challenged)]);
    expect(one).toMatchObject({ status: 200 });
    expect(two).toEqual(one);
    expect(await post(relay, challenged)).toEqual(one);
    expect(asked).toEqual([
      { offerId: challenged.offerId, agentId: 'game-mira', counterparty: 'driver-one', brief: challenged.counterpartyBrief },
    ]);
  });

  test.each<[string, () => Promise<boolean>]>([
    ['says no', async () => false],
    ['fails', () => Promise.reject(new Error('no terminal'))],
  ])('is declined when the operator %s, and stays so', async (_what, askOperator) => {
    const { relay } = await site({ onChallenge: 'ask', askOperator });
    const declined = {
      status: 409,
      body: { error: 'session_declined', reason: 'decision: the brief says CHALLENGE, and nobody approved' },
    };
    expect(await post(relay, challenged)).toEqual(declined);
    expect(await post(relay, challenged)).toEqual(declined);
  });

  test('another offer with its id is refused while the operator thinks', async () => {
    let answer: (yes: boolean) => void = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = () => resolve();
    });
    const { relay } = await site({ onChallenge: 'ask', askOperator: () => asked.then(() => true) });
    const first = post(relay, challenged);
    const other = await post(relay, offerWith({ brief: { decision: 'CHALLENGE', historyConfidence: 1 } }));
    const second = await Promise.race([first, other]);
    answer(true);
    expect([(await first).status, other.status, second.status].sort()).toEqual([200, 409, 409]);
  });
});

describe('T5, T8: an activated offer', () => {
  test('lets its driver in by token, under the terms of the contract, and nobody else', async () => {
    const { peer, relay } = await site({ requireOffer: ['mira'] });
    const accepted = await post(relay, VECTORS.offer);
    expect(await post(relay, activationOf(VECTORS.offer, 'another'))).toEqual({
      status: 409,
      body: { error: 'activation_declined', reason: 'interaction: the sessionId is not the one that was given to the offer' },
    });
    const early = await webSocketAgent(relay.agentUrl, ['aicc.v0.1', `aicc.bearer.${driverToken()}`]);
    early.send('{"connect":{}}');
    expect(await early.closed).toMatchObject({ code: 4401 });
    const activation = activationOf(VECTORS.offer, accepted.body.sessionId);
    const answer = { status: 200, body: { accepted: true, activationId: activation.activationId } };
    expect(await post(relay, activation)).toEqual(answer);
    expect(await post(relay, activation)).toEqual(answer);
    expect(await post(relay, { ...activation, activatedAt: '2026-06-01T00:00:01Z' })).toMatchObject({
      status: 409,
      body: { reason: 'replay: the interaction was activated with other content' },
    });

    const driver = await webSocketAgent(relay.agentUrl, ['aicc.v0.1', `aicc.bearer.${driverToken()}`]);
    driver.send('{"connect":{}}');
    expect(await driver.next()).toMatchObject({ type: 'session_init' });
    expect((await peer.control('open')).request).toEqual({
      character: 'mira',
      characters: ['mira'],
      principal: 'driver-one',
      contract: expect.objectContaining({ contractHash: VECTORS.contractHash, capabilities: ['locomotion', 'speech'] }),
    });
  });

  test('T8: no other token opens it', async () => {
    const { relay } = await site({}, { agentToken: 'secret', gameToken: 'game' });
    const { body: accepted } = await post(relay, VECTORS.offer);
    await post(relay, activationOf(VECTORS.offer, accepted.sessionId));
    for (const token of [
      VECTORS.bearerTokenWrongKey,
      driverToken({ expiresAt: AT }),
      driverToken({ expiresAt: AT + 3_600_001 }),
      driverToken({ senderAgentId: 'game-mira' }),
    ])
      expect(await refusedUpgrade(relay.agentUrl, [], { headers: { authorization: `Bearer ${token}` } })).toMatchObject({ status: 401 });
    for (const token of [driverToken({ interactionId: OTHER_ID }), driverToken({ recipientAgentId: 'stranger' })]) {
      const agent = await webSocketAgent(relay.agentUrl, [], { headers: { authorization: `Bearer ${token}` } });
      agent.send('{"connect":{}}');
      expect(await agent.closed).toMatchObject({ code: 4401 });
    }
    const good = await webSocketAgent(relay.agentUrl, [], { headers: { authorization: `Bearer ${VECTORS.bearerToken}` } });
    good.send('{"connect":{}}');
    expect(await good.next()).toMatchObject({ type: 'session_init' });
  });

  test('an activation without its offer, or before it, is declined', async () => {
    const { relay } = await site();
    expect(await post(relay, activationOf(VECTORS.offer, 's'))).toMatchObject({
      status: 409,
      body: { reason: 'interaction: no offer of this interaction has been accepted here, or it is over' },
    });
    const { body: accepted } = await post(relay, VECTORS.offer);
    const early = activationOf(VECTORS.offer, accepted.sessionId, { activatedAt: '2025-12-31T00:00:00Z' });
    expect(await post(relay, early)).toMatchObject({ status: 409, body: { reason: 'time: activatedAt is before the offer' } });
    const named = { ...activationOf(VECTORS.offer, accepted.sessionId), contractHash: 'x' };
    expect(await post(relay, named)).toMatchObject({
      status: 409,
      body: { reason: 'hash: contractHash is not that of the accepted offer' },
    });
    expect(await post(relay, activationOf(VECTORS.offer, accepted.sessionId), { id: OTHER_ID.replace('3', '4') })).toMatchObject({
      status: 401,
    });
  });
});

describe('T6: a platform offer whose brief was stripped', () => {
  test.each([
    ['was denied', offerWith({ brief: { decision: 'DENY' } }), /^replay: the (offerId was used|interaction was declined)/],
    ['was challenged', offerWith({ brief: { decision: 'CHALLENGE' } }), /^replay: the (offerId was used|interaction was declined)/],
    ['was accepted', VECTORS.offer, /^replay: the (offerId was used|interaction has another)/],
  ])('does not count as a local one when it %s', async (_how, offer, message) => {
    const { relay } = await site();
    await post(relay, offer);
    const agent = await webSocketAgent(relay.agentUrl);
    for (const stripped of [localOffer(), localOffer({}, { offerId: OTHER_ID })]) {
      agent.send(offerLine(stripped));
      expect(await agent.next()).toMatchObject({
        type: 'error',
        error: { code: 'invalid_input', message: expect.stringMatching(message) },
      });
    }
  });
});

describe('retained offers', () => {
  const agents = { 'game-mira': { character: 'mira' } };
  /** The only record there is. */
  const recordIn = async (stateDir: string): Promise<string> => {
    const names = await readdir(join(stateDir, 'offers'));
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)]);
    return join(stateDir, 'offers', names[0] as string);
  };

  test('T14: survive a restart of the relay, in files that nobody else may read', async () => {
    const { relay, stateDir, time, trustFile } = await site();
    const accepted = await post(relay, VECTORS.offer);
    await post(relay, activationOf(VECTORS.offer, accepted.body.sessionId));
    expect((await stat(await recordIn(stateDir))).mode & 0o777).toBe(0o600);
    for (const folder of [stateDir, join(stateDir, 'offers')]) expect((await stat(folder)).mode & 0o077).toBe(0);
    await relay.close();

    const again = await start({ openclasp: { trustFile, stateDir, agents, publicUrl: relay.agentUrl, now: () => time.at } });
    await game(again, { characters: ['mira'] });
    expect(await post(again, VECTORS.offer)).toEqual(accepted);
    const driver = await webSocketAgent(again.agentUrl, ['aicc.v0.1', `aicc.bearer.${driverToken()}`]);
    driver.send('{"connect":{}}');
    expect(await driver.next()).toMatchObject({ type: 'session_init' });
  });

  test.each([
    ['half-written', (text: string) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['of another form', () => '{"version":2}'],
    ['no record', () => 'null'],
    ['changed in an offer', (text: string) => text.replace('"role":"responder"', '"role":"boss"')],
    ['changed in an end', (text: string) => text.replace(/"endsAt":\d+/, '"endsAt":9999999999999')],
  ])('that are %s are put aside, and the operator is told', async (_how, spoil) => {
    const { relay, stateDir, time, trustFile } = await site();
    await post(relay, VECTORS.offer);
    await relay.close();
    const file = await recordIn(stateDir);
    const spoilt = spoil(await readFile(file, 'utf8'));
    await writeFile(file, spoilt);

    const told: string[] = [];
    const again = await start({ openclasp: { trustFile, stateDir, agents, now: () => time.at, log: (sentence) => told.push(sentence) } });
    expect(told).toEqual([expect.stringContaining(`${file} is damaged`)]);
    expect(told[0]).toContain(`${file}.damaged-1`);
    expect(await readFile(`${file}.damaged-1`, 'utf8')).toBe(spoilt);
    expect(await post(again, activationOf(VECTORS.offer, 's'))).toMatchObject({ status: 409 });
    expect(await post(again, VECTORS.offer)).toMatchObject({ status: 200 });
  });

  test('an answer that could not be kept is not given, nor given from memory, until it is kept', async () => {
    const { relay, stateDir } = await site();
    const folder = join(stateDir, 'offers');
    await rm(folder, { recursive: true });
    for (let tries = 0; tries < 2; tries++) expect(await post(relay, VECTORS.offer)).toMatchObject({ status: 500 });
    await mkdir(folder);
    const accepted = await post(relay, VECTORS.offer);
    expect(accepted).toMatchObject({ status: 200 });

    await rm(folder, { recursive: true });
    const activation = activationOf(VECTORS.offer, accepted.body.sessionId);
    for (let tries = 0; tries < 2; tries++) expect(await post(relay, activation)).toMatchObject({ status: 500 });
    await mkdir(folder);
    expect(await post(relay, activation)).toMatchObject({ status: 200 });
    expect(await readFile(await recordIn(stateDir), 'utf8')).toContain(activation.activationId);
  });
});

describe('T18: the audit log', () => {
  test('has every decision, with ids and hashes and no token', async () => {
    const { relay, stateDir } = await site();
    const { body: accepted } = await post(relay, VECTORS.offer);
    await post(relay, offerWith({ offer: { offerId: OTHER_ID } }));
    await post(relay, activationOf(VECTORS.offer, accepted.sessionId));
    const driver = await webSocketAgent(relay.agentUrl, ['aicc.v0.1', `aicc.bearer.${driverToken()}`]);
    driver.send('{"connect":{}}');
    await driver.next();
    await relay.close();
    const text = await readFile(join(stateDir, 'audit.ndjson'), 'utf8');
    const ids = {
      time: '2026-06-01T00:00:00.000Z',
      interactionId: VECTORS.offer.interactionId,
      agentId: 'game-mira',
      counterparty: 'driver-one',
      contractHash: VECTORS.contractHash,
    };
    const { offerId } = VECTORS.offer;
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      { ...ids, what: 'offer', from: 'platform', decision: 'ALLOW', offerId },
      {
        ...ids,
        what: 'offer',
        from: 'platform',
        decision: 'DENY',
        step: 'replay',
        reason: 'the interaction has another offer',
        offerId: OTHER_ID,
      },
      { ...ids, what: 'activation', from: 'platform', decision: 'ALLOW' },
      { ...ids, what: 'token', decision: 'ALLOW', offerId },
    ]);
    expect(text).not.toContain(driverToken());
    expect((await stat(join(stateDir, 'audit.ndjson'))).mode & 0o777).toBe(0o600);
  });

  test('a line that a killed relay wrote half does not run into the next one', async () => {
    const { relay, stateDir, time, trustFile } = await site();
    await post(relay, VECTORS.offer);
    await relay.close();
    const file = join(stateDir, 'audit.ndjson');
    const before = await readFile(file, 'utf8');
    await writeFile(file, `${before}{"time":"2026-06-0`);
    const again = await start({
      openclasp: { trustFile, stateDir, agents: { 'game-mira': { character: 'mira' } }, now: () => time.at },
    });
    await post(again, VECTORS.offer);
    await again.close();
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines).toEqual([before.trimEnd(), '{"time":"2026-06-0', expect.stringMatching(/^\{.*\}$/), '']);
  });
});
