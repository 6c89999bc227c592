import { describe, expect, test } from 'vitest';
import { judgeToken, KeyRegistry, makeToken, readPublicKey, type TokenClaims, type TokenExpectation } from '../../src/contract/node.ts';
import { AT, keyOf, privateKeyOf, VECTORS, type Who } from './vectors.ts';

const { contract } = VECTORS;
const publicKey = (who: Who) => readPublicKey(keyOf(who).publicKey)!;
const expected = (more: Partial<TokenExpectation> = {}): TokenExpectation => ({
  nowMs: AT,
  keys: [
    { key: publicKey('stranger'), keyId: 'driver-one#0', revoked: true },
    { key: publicKey('driver-one'), keyId: 'driver-one#1' },
  ],
  interactionId: contract.interactionId,
  senderAgentId: 'driver-one',
  recipientAgentId: 'game-mira',
  ...more,
});
const claims = (more: Partial<TokenClaims> = {}): TokenClaims => ({
  interactionId: contract.interactionId,
  senderAgentId: 'driver-one',
  recipientAgentId: 'game-mira',
  expiresAt: AT + 3_600_000,
  ...more,
});
const token = (more: Partial<TokenClaims> = {}, who: Who = 'driver-one') => makeToken(claims(more), privateKeyOf(who));
const encoded = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

describe('T8: a bearer token', () => {
  test('counts until its last millisecond, for an hour at most', () => {
    expect(judgeToken(token(), expected())).toMatchObject({ ok: true, by: { keyId: 'driver-one#1' } });
    expect(judgeToken(token({ expiresAt: AT + 1 }), expected())).toMatchObject({ ok: true });
  });

  test.each<[string | undefined, string]>([
    [undefined, 'a token must prove who presents the offer, and there is none'],
    [token({ expiresAt: AT }), 'the token has expired'],
    [token({ expiresAt: AT + 3_600_001 }), 'the token ends more than an hour from now'],
    [token({ interactionId: VECTORS.offer.offerId }), 'the token is for another interaction'],
    [token({ recipientAgentId: 'stranger' }), 'the token is meant for "stranger", not for "game-mira"'],
    [token({ senderAgentId: 'stranger' }, 'stranger'), 'the token is "stranger"\'s, not of the counterparty "driver-one"'],
    [token({}, 'game-mira'), 'the token is not signed by a key of "driver-one"'],
    [token({}, 'stranger'), 'the key that signed the token is revoked'],
    [token().replace('.', '..'), 'the token is not of the form PAYLOAD.SIGNATURE'],
    [token().slice(0, token().indexOf('.')), 'the token is not of the form PAYLOAD.SIGNATURE'],
    ['', 'the token is not of the form PAYLOAD.SIGNATURE'],
    [`${encoded('[1]')}.AAAA`, 'the token is not of the form PAYLOAD.SIGNATURE'],
    [`${encoded({ ...claims(), admin: true })}.AAAA`, 'the token is not of the form PAYLOAD.SIGNATURE'],
    [`${encoded({ ...claims(), expiresAt: 'never' })}.AAAA`, 'the token is not of the form PAYLOAD.SIGNATURE'],
    [`${encoded(claims())}=.AAAA`, 'the token is not of the form PAYLOAD.SIGNATURE'],
    [`${encoded(claims())}.AAAA`, 'the token is not signed by a key of "driver-one"'],
  ])('case %# is refused: %s', (text, reason) => {
    expect(judgeToken(text, expected())).toEqual({ ok: false, step: 'presenter', reason });
  });

  test('no key at all proves nothing', () => {
    expect(judgeToken(token(), expected({ keys: [] }))).toMatchObject({ ok: false, step: 'presenter' });
  });
});

test.each([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])('T1: the point %s is no public key: anybody could sign for it', (point) => {
  const text = Buffer.from(`302a300506032b6570032100${point}`, 'hex').toString('base64url');
  expect(readPublicKey(text)).toBeUndefined();
  const trust = { keys: [{ agentId: 'game-mira', keyId: 'weak', publicKey: text }] };
  expect(() => KeyRegistry.read(JSON.stringify(trust))).toThrow('/keys/0/publicKey must be an Ed25519 public key');
});
