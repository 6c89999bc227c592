import { describe, expect, test } from 'vitest';
import { type Activation, judgeActivation } from '../../src/contract/node.ts';
import { context, keyOf, offerWith, VECTORS } from './vectors.ts';

const SESSION = '0b0c2b1a-6c1d-4b7e-9a52-0d6f1f2e3c4b';
const activation = (more: Partial<Activation> = {}): Activation => ({
  type: 'openclasp.session.activation',
  version: '1',
  activationId: '3f0c2b1a-6c1d-4b7e-9a52-0d6f1f2e3c4b',
  interactionId: VECTORS.offer.interactionId,
  agentId: 'game-mira',
  sessionId: SESSION,
  role: 'responder',
  peer: {
    agentId: 'driver-one',
    sessionId: 'theirs',
    endpoint: 'https://driver.example/a2a',
    bearerToken: 'for-them',
    verificationKey: keyOf('driver-one').publicKey,
  },
  reporting: { endpoint: 'https://platform.example/report', bearerToken: 'for-us' },
  contractHash: VECTORS.contractHash,
  activatedAt: '2026-06-01T00:00:00Z',
  expiresAt: '2026-06-02T00:00:00Z',
  ...more,
});
const { peer, reporting } = activation();
const judge = (value: Activation | string) =>
  judgeActivation(
    typeof value === 'string' ? value : JSON.stringify(value),
    (interactionId) => (interactionId === VECTORS.offer.interactionId ? { offer: VECTORS.offer, sessionId: SESSION } : undefined),
    context(),
  );

describe('T5: an activation', () => {
  test('that matches the accepted offer counts, with or without a brief', () => {
    expect(judge(activation())).toEqual({ ok: true, activation: activation() });
    const { counterpartyBrief } = offerWith();
    expect(judge(activation({ counterpartyBrief: counterpartyBrief! }))).toMatchObject({ ok: true });
    expect(judge(activation({ reporting: { ...reporting, endpoint: 'http://127.0.0.1:8080/report' } }))).toMatchObject({ ok: true });
  });

  test.each<[string, Activation | string, string | RegExp]>([
    ['schema', JSON.stringify({ ...activation(), contract: VECTORS.contract }), /^\/contract is not known here/],
    ['schema', activation({ activationId: 'first' }), /^\/activationId must be a UUID/],
    ['schema', activation({ peer: { ...peer, verificationKey: 'none' } }), /^\/peer\/verificationKey must be an Ed25519 public key/],
    [
      'schema',
      activation({ reporting: { ...reporting, endpoint: 'http://platform.example/' } }),
      /^\/reporting\/endpoint must be an https address/,
    ],
    [
      'schema',
      activation({ reporting: { ...reporting, endpoint: 'https://u:p@platform.example/' } }),
      /^\/reporting\/endpoint must be an https address/,
    ],
    [
      'schema',
      activation({ reporting: { ...reporting, feedbackEndpoint: 'file:///etc' } }),
      /^\/reporting\/feedbackEndpoint must be an https/,
    ],
    ['schema', activation({ reporting: { ...reporting, bearerToken: 'a\r\nb' } }), /^\/reporting\/bearerToken must be visible ASCII/],
    [
      'interaction',
      activation({ interactionId: VECTORS.offer.offerId }),
      'no offer of this interaction has been accepted here, or it is over',
    ],
    ['interaction', activation({ sessionId: 'another' }), 'the sessionId is not the one that was given to the offer'],
    ['interaction', activation({ role: 'initiator' }), 'the accepted offer gave the role responder, not initiator'],
    ['agent', activation({ agentId: 'driver-one' }), 'the accepted offer is for "game-mira", not "driver-one"'],
    ['hash', activation({ contractHash: 'other' }), 'contractHash is not that of the accepted offer'],
    [
      'parties',
      activation({ peer: { ...peer, agentId: 'stranger' } }),
      'the peer "stranger" is not the counterparty of the accepted offer',
    ],
    ['time', activation({ activatedAt: '2026-06-01T00:05:00.001Z' }), 'activatedAt is in the future'],
    ['time', activation({ activatedAt: '2025-12-31T23:54:59Z' }), 'activatedAt is before the offer'],
    ['time', activation({ expiresAt: '2026-06-01T00:00:00Z' }), 'the activation has expired'],
    [
      'brief',
      activation({ counterpartyBrief: offerWith({ brief: { subjectAgentId: 'stranger' } }).counterpartyBrief! }),
      /^the brief is about/,
    ],
    ['decision', activation({ counterpartyBrief: offerWith({ brief: { decision: 'DENY' } }).counterpartyBrief! }), 'the brief says DENY'],
  ])('%s, case %#, is refused', (step, value, reason) => {
    expect(judge(value)).toEqual({ ok: false, step, reason: typeof reason === 'string' ? reason : expect.stringMatching(reason) });
  });
});
