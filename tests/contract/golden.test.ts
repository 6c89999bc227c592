import { describe, expect, test } from 'vitest';
import {
  canonicalJson,
  contractHash,
  judgeOffer,
  judgeToken,
  makeToken,
  publicKeyOf,
  readPublicKey,
  signingPayload,
  signObject,
} from '../../src/contract/node.ts';
import { AT, context, keyOf, privateKeyOf, VECTORS } from './vectors.ts';

/** The step that decides each fault of the vectors, in their order. */
const FAULT_STEPS = {
  'schema: version': 'schema',
  'schema: unknown member': 'schema',
  expired: 'time',
  'issued in the future': 'time',
  'interaction differs': 'interaction',
  'contract changed after hashing': 'hash',
  'agent not a party': 'parties',
  'party signature broken': 'signature',
  'brief denies': 'decision',
  'brief signature broken': 'brief',
} as const;

describe('values that an independent program made', () => {
  test('T1: canonical JSON is theirs', () => {
    for (const { value, canonical } of VECTORS.jcs) expect(canonicalJson(value)).toBe(canonical);
    expect(canonicalJson(VECTORS.contract)).toBe(VECTORS.contractCanonical);
  });

  test('T2: what is signed is theirs, and so are the signatures', () => {
    expect(signingPayload(VECTORS.offer.contract)).toBe(VECTORS.contractSigningPayload);
    for (const who of ['game-mira', 'driver-one'] as const)
      expect(signObject(VECTORS.offer.contract, keyOf(who).keyId, privateKeyOf(who))).toEqual(VECTORS.offer.contract.signatures[who]);
    const { counterpartyBrief } = VECTORS.offer;
    expect(signObject(counterpartyBrief!, 'platform#1', privateKeyOf('platform'))).toEqual(counterpartyBrief!.signature);
  });

  test('T3: the hash of the contract is theirs, signed or not', () => {
    expect(contractHash(VECTORS.contract)).toBe(VECTORS.contractHash);
    expect(contractHash(VECTORS.offer.contract)).toBe(VECTORS.contractHash);
  });

  test('T1: keys are theirs', () => {
    for (const { id, publicKey } of VECTORS.keys) {
      expect(readPublicKey(publicKey)).toBeDefined();
      expect(publicKeyOf(privateKeyOf(id as 'platform'))).toBe(publicKey);
    }
  });

  test('T7: their offer is good', () => {
    expect(judgeOffer(JSON.stringify(VECTORS.offer), context())).toEqual({ ok: true, offer: VECTORS.offer, challenged: false });
    expect(judgeOffer(VECTORS.offerRequest.body, context({ requirePartySignatures: true }))).toMatchObject({ ok: true });
  });

  test.each(Object.entries(FAULT_STEPS))('T7: their fault "%s" is decided by step %s', (reason, step) => {
    const { offer } = VECTORS.offerFaults.find((fault) => fault.reason === reason)!;
    expect(judgeOffer(JSON.stringify(offer), context())).toMatchObject({ ok: false, step });
  });

  test('T7: their challenged offer is good but for the person who must approve', () => {
    const { offer } = VECTORS.offerFaults.find(({ reason }) => reason === 'brief challenges')!;
    expect(judgeOffer(offer, context())).toMatchObject({ ok: true, challenged: true });
    expect(VECTORS.offerFaults).toHaveLength(Object.keys(FAULT_STEPS).length + 1);
  });

  test('T8: their token is good, and the one by another key is not', () => {
    const { interactionId, recipientAgentId, senderAgentId } = VECTORS.bearerTokenPayload;
    const expected = {
      nowMs: AT,
      keys: [{ key: readPublicKey(keyOf('driver-one').publicKey)! }],
      interactionId,
      recipientAgentId,
      senderAgentId,
    };
    expect(judgeToken(VECTORS.bearerToken, expected)).toMatchObject({ ok: true, claims: VECTORS.bearerTokenPayload });
    expect(judgeToken(VECTORS.bearerTokenWrongKey, expected)).toMatchObject({
      ok: false,
      step: 'presenter',
      reason: 'the token is not signed by a key of "driver-one"',
    });
    expect(makeToken(VECTORS.bearerTokenPayload, privateKeyOf('driver-one'))).toBe(VECTORS.bearerToken);
  });
});
