import { describe, expect, test } from 'vitest';
import { contractHash, judgeOffer, KeyRegistry, type Offer, type OfferContext, signObject } from '../../src/contract/node.ts';
import { context, keyOf, localOffer, offerWith, privateKeyOf, trustText, VECTORS } from './vectors.ts';

const OTHER_ID = '3f0c2b1a-6c1d-4b7e-9a52-0d6f1f2e3c4b';
const judge = (offer: Offer | string, more: Partial<OfferContext> = {}) =>
  judgeOffer(typeof offer === 'string' ? offer : JSON.stringify(offer), context(more));
const refused = (step: string, reason: string | RegExp) => ({
  ok: false,
  step,
  reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
});
const text = JSON.stringify(VECTORS.offer);
/** The offer's text with one place changed. */
const edited = (from: string, to: string) => {
  expect(text).toContain(from);
  return text.replace(from, to);
};

describe('T7: an offer that is made well', () => {
  test('counts, whoever of its parties signed it', () => {
    for (const signers of [[], ['game-mira'], ['driver-one'], ['game-mira', 'driver-one']] as const)
      expect(judge(offerWith({ signers: [...signers] }))).toMatchObject({ ok: true });
  });

  test('needs no brief, nor a signature on its brief, when its whole body is signed', () => {
    expect(judge(offerWith({ brief: null }))).toMatchObject({ ok: true, challenged: false });
    const unsigned = offerWith();
    delete unsigned.counterpartyBrief?.signature;
    expect(judge(unsigned)).toMatchObject({ ok: true });
  });

  test('T6: counts locally with the signature of the game alone, and without a brief', () => {
    expect(judge(localOffer(), { fromPlatform: false })).toMatchObject({ ok: true, challenged: false });
  });

  test('T1: a number counts by its value, however it is written', () => {
    expect(judge(edited('"retentionDays":7', '"retentionDays":7.0'))).toMatchObject({ ok: true });
    expect(judge(edited('"retentionDays":7', '"retentionDays":0.7e1'))).toMatchObject({ ok: true });
  });
});

describe('T7 schema: what is no offer says where', () => {
  test.each([
    [edited('"version":"1"', '"version":"2"'), '/version must be "1", got the string "2"'],
    [edited('"role":"responder"', '"role":"boss"'), '/role must be one of initiator, responder, got the string "boss"'],
    [edited('"offerId":"20de6f3d', '"offerId":"20de6f3'), /^\/offerId must be a UUID/],
    [
      edited('"agentVersion":"1.0.0"', '"agentVersion":""'),
      '/counterparty/agentVersion must be a string that is not empty, got an empty string',
    ],
    [edited('"retentionDays":7', '"retentionDays":7.5'), /^\/contract\/retentionDays must be an integer/],
    [edited('"retentionDays":7', '"retentionDays":1e400'), /^\/contract\/retentionDays must be/],
    [edited('"historyConfidence":0.5', '"historyConfidence":1.5'), /^\/counterpartyBrief\/historyConfidence must be/],
    [
      edited('"deadline":"2098-12-31T00:00:00Z"', '"deadline":"2098-02-30T00:00:00Z"'),
      '/contract/deadline must be a time in UTC like 2026-01-31T12:00:00Z',
    ],
    [
      edited('"issuedAt":"2026-01-01T00:00:00.000Z"', '"issuedAt":"yesterday"'),
      '/issuedAt must be a time in UTC like 2026-01-31T12:00:00Z',
    ],
    [edited('"parties":["game-mira","driver-one"]', '"parties":[]'), '/contract/parties must have at least 1 member'],
    [
      edited('"algorithm":"Ed25519"', '"algorithm":"none"'),
      '/contract/signatures/game-mira/algorithm must be "Ed25519", got the string "none"',
    ],
    [edited('"purpose"', '"porpoise"'), /^\/contract\/(purpose is missing|porpoise is not known here)/],
    [edited('"code":"new_agent"', '"code":"new_agent","colour":"red"'), /^\/privateInsights\/0\/colour is not known here/],
    [edited('"expiresAt":"2099-01-01T00:00:00.000Z"}', '"expiresAt":"2099-01-01T00:00:00.000Z","extra":1}'), /^\/extra is not known here/],
    [
      edited('"requirements":[]', `"requirements":${JSON.stringify(new Array(101).fill(0))}`),
      '/counterpartyBrief/requirements must have at most 100 members',
    ],
    [
      edited('"recommendedContractChanges":[]', `"recommendedContractChanges":["${'😀'.repeat(1001)}"]`),
      /must be at most 1000 characters long$/,
    ],
    [edited('"name":"Driver One"', '"name":"\\ud800"'), '/counterparty/name must be Unicode text: it has half of a surrogate pair'],
    [edited('"signatures":{', '"signatures":{"\\udc00":{"algorithm":"Ed25519","keyId":"k","value":"v"},'), /half of a surrogate pair/],
    [edited('"role":"responder"', '"role":"responder","role":"responder"'), 'it has the name "role" twice in one object'],
    [edited('"retentionDays":7', '"retentionDays":7,"\\u0072etentionDays":8'), 'it has the name "retentionDays" twice in one object'],
    [text.slice(0, -1), /^it is not JSON: /],
    ['[]', /must be an object/],
    ['null', /must be an object/],
    ['['.repeat(100) + ']'.repeat(100), 'it must nest at most 64 objects and arrays deep'],
  ])('case %#', (offer, reason) => {
    expect(judge(offer)).toEqual(refused('schema', reason));
  });

  test('code points are counted, not halves of pairs', () => {
    const fits = offerWith({ brief: { recommendedContractChanges: ['😀'.repeat(1000)] } });
    expect(judge(fits)).toMatchObject({ ok: true });
  });

  test('64 KiB are read, one byte more is not', () => {
    const filled = (bytes: number) => edited('"name":"Driver One"', `"name":"${'x'.repeat(10 + bytes - text.length)}"`);
    const bytes = 65_536 - (Buffer.byteLength(text) - text.length);
    expect(Buffer.byteLength(filled(bytes))).toBe(65_536);
    expect(judge(filled(bytes))).toMatchObject({ ok: true });
    expect(judge(filled(bytes + 1))).toEqual(refused('schema', 'it is larger than 65536 bytes'));
  });
});

describe('T3, T4, T7: each later fault alone, by its step', () => {
  const at = (iso: string) => ({ nowMs: Date.parse(iso) });

  test.each<[string, Offer | string, string | RegExp, Partial<OfferContext>?]>([
    ['time', text, 'issuedAt is in the future', at('2025-12-31T23:54:59.999Z')],
    ['time', text, "the contract's deadline has passed", at('2098-12-31T00:00:00Z')],
    ['time', offerWith({ offer: { expiresAt: '2026-06-01T00:00:00Z' } }), 'the offer has expired'],
    ['time', localOfferWithoutDeadline(), 'a local offer needs a contract.deadline, so that its end is signed', { fromPlatform: false }],
    ['agent', text, 'no character of agent "game-mira" is served here', { serves: () => false }],
    ['interaction', offerWith({ offer: { interactionId: OTHER_ID } }), "the contract's interactionId is not the offer's"],
    ['hash', edited('"retentionDays":7', '"retentionDays":8'), "contractHash is not the contract's hash"],
    ['hash', edited('"purpose":"Keep', '"purpose":"keep'), "contractHash is not the contract's hash"],
    ['hash', offerWith({ offer: { contractHash: `${VECTORS.contractHash}=` } }), "contractHash is not the contract's hash"],
    ['parties', offerWith({ contract: { parties: ['game-mira', 'stranger'] }, signers: [] }), '"driver-one" is no party to the contract'],
    ['parties', offerWith({ contract: { parties: ['driver-one'] }, signers: [] }), '"game-mira" is no party to the contract'],
    ['parties', selfOffer(), '"game-mira" cannot be its own counterparty'],
    ['signature', offerWith({ signers: ['game-mira', 'stranger'] }), '"stranger" signed the contract and is no party to it'],
    ['signature', resigned('driver-one', 'game-mira'), '"driver-one" has no key "game-mira#1" in the registry'],
    ['signature', resigned('driver-one', 'stranger'), '"driver-one" has no key "stranger#1" in the registry'],
    ['signature', resigned('driver-one', 'stranger', 'driver-one#1'), 'the signature of "driver-one" does not fit the contract'],
    [
      'signature',
      text,
      'the key "driver-one#1" of "driver-one" is revoked',
      { keys: KeyRegistry.read(trustText({ revoked: 'driver-one' })) },
    ],
    ['signature', text, '"game-mira" has no key "game-mira#1" in the registry', { keys: KeyRegistry.empty }],
    ['signature', offerWith({ signers: ['game-mira'] }), '"driver-one" has not signed the contract', { requirePartySignatures: true }],
    ['signature', offerWith({ signers: [], brief: null }), '"game-mira" has not signed the contract', { fromPlatform: false }],
    ['signature', offerWith({ signers: ['driver-one'], brief: null }), '"game-mira" has not signed the contract', { fromPlatform: false }],
    ['brief', text, 'a local offer carries no brief', { fromPlatform: false }],
    ['brief', offerWith({ brief: { interactionId: OTHER_ID } }), 'the brief is for another interaction'],
    ['brief', offerWith({ brief: { contractHash: 'x' } }), 'the brief is for another contract'],
    ['brief', offerWith({ brief: { recipientAgentId: 'stranger' } }), 'the brief is meant for "stranger"'],
    ['brief', offerWith({ brief: { subjectAgentId: 'stranger' } }), 'the brief is about "stranger", not the counterparty'],
    ['brief', offerWith({ brief: { expiresAt: '2026-06-01T00:00:00Z' } }), 'the brief has expired'],
    ['brief', edited('"relevantSampleSize":3', '"relevantSampleSize":4'), "the platform's signature does not fit the brief"],
    ['brief', text, "the platform's key is not known, so its signature cannot be checked", { keys: withoutPlatform() }],
    ['decision', offerWith({ brief: { decision: 'DENY' } }), 'the brief says DENY'],
  ])('%s, case %#', (step, offer, reason, more = {}) => {
    expect(judge(offer, more)).toEqual(refused(step, reason));
  });

  test('a clock that is five minutes behind is no fault', () => {
    expect(judge(text, at('2025-12-31T23:55:00Z'))).toMatchObject({ ok: true });
  });

  test('T2: a signature counts in one spelling alone', () => {
    const { value } = VECTORS.offer.contract.signatures['game-mira']!;
    for (const odd of [`${value}=`, `${value}==`, value.replace('-', '+'), ` ${value}`, value.slice(0, -1), `${value.slice(0, -1)}R`])
      expect(judge(edited(value, odd))).toMatchObject({ ok: false, step: 'signature' });
  });

  test('a contract changed by one byte never counts, wherever it is', () => {
    const contract = JSON.stringify(VECTORS.offer.contract);
    const begins = text.indexOf(contract);
    let judgedOnes = 0;
    for (let place = begins; place < begins + contract.length; place++) {
      const was = text.charCodeAt(place);
      if (was > 126) continue;
      const changed = text.slice(0, place) + String.fromCharCode(was ^ 1) + text.slice(place + 1);
      expect(judge(changed), changed.slice(place - 20, place + 20)).toMatchObject({ ok: false });
      judgedOnes++;
    }
    expect(judgedOnes).toBeGreaterThan(1000);
  });

  test('the first fault decides', () => {
    const all = offerWith({ contract: { deadline: '2026-01-02T00:00:00Z' }, offer: { interactionId: OTHER_ID }, signers: ['stranger'] });
    expect(judge(all)).toMatchObject({ step: 'time' });
    expect(judge(all, { ...at('2026-01-01T12:00:00Z'), serves: () => false })).toMatchObject({ step: 'agent' });
    expect(judge(all, at('2026-01-01T12:00:00Z'))).toMatchObject({ step: 'interaction' });
  });
});

function localOfferWithoutDeadline(): Offer {
  const { deadline: _gone, ...contract } = VECTORS.contract;
  const signatures = { 'game-mira': signObject(contract, 'game-mira#1', privateKeyOf('game-mira')) };
  const { counterpartyBrief: _brief, ...rest } = VECTORS.offer;
  return { ...rest, contract: { ...contract, signatures }, contractHash: contractHash({ ...contract, signatures }) };
}

function selfOffer(): Offer {
  const offer = offerWith({ signers: [], brief: null });
  return { ...offer, counterparty: { ...offer.counterparty, agentId: 'game-mira' } };
}

/** Signed in a party's name with somebody's key. */
function resigned(party: string, by: 'game-mira' | 'stranger', keyId = keyOf(by).keyId): Offer {
  const offer = offerWith({ signers: ['game-mira'] });
  offer.contract.signatures[party] = signObject(offer.contract, keyId, privateKeyOf(by));
  return offer;
}

function withoutPlatform(): KeyRegistry {
  const { keys } = JSON.parse(trustText());
  return KeyRegistry.read(JSON.stringify({ keys }));
}
