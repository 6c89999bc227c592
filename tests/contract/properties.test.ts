import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalJson,
  isSignature,
  judgeActivation,
  judgeOffer,
  judgeToken,
  KeyRegistry,
  newKeyPair,
  parseStrict,
  readPrivateKey,
  readPublicKey,
  readToken,
  STEPS,
  signText,
} from '../../src/contract/node.ts';
import { context, VECTORS } from './vectors.ts';

/** Any JSON value whose texts are Unicode. */
const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' });

/** The same value, its members in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, each]) => [name, shuffled(each)]),
  );
}

describe('T1: canonical JSON', () => {
  test.each([
    // RFC 8785, 3.2.2 and 3.2.3
    [
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ],
    [
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    ],
    // Appendix B
    [
      '[0,-0,5e-324,1.7976931348623157e308,9007199254740992,295147905179352825856]',
      '[0,0,5e-324,1.7976931348623157e+308,9007199254740992,295147905179352830000]',
    ],
    [
      '[9.999999999999997e22,1e23,1.0000000000000001e23,999999999999999700000,999999999999999900000,1e21]',
      '[9.999999999999997e+22,1e+23,1.0000000000000001e+23,999999999999999700000,999999999999999900000,1e+21]',
    ],
    [
      '[9.999999999999997e-7,0.000001,333333333.33333325,-0.0000033333333333333333,1424953923781206.2]',
      '[9.999999999999997e-7,0.000001,333333333.33333325,-0.0000033333333333333333,1424953923781206.2]',
    ],
  ])('is that of RFC 8785, example %#', (text, canonical) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical);
  });

  test('means the same, does not depend on the order of members, and is its own canonical form', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udfff': 1 }, undefined])('%j has none', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  test('strict reading takes exactly what has one meaning', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parseStrict(JSON.stringify(value))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), json, json, (name, one, two) => {
        const key = JSON.stringify(name);
        expect(parseStrict(`{"a":[{${key}:${JSON.stringify(one)},"${'\\u0061'}b":0,${key}:${JSON.stringify(two)}}]}`)).toMatchObject({
          ok: false,
        });
      }),
    );
  });
});

describe('T1: Ed25519', () => {
  test('what is signed verifies, and nothing else does', () => {
    const { privateKey, publicKey } = newKeyPair();
    const [mine, theirs] = [readPublicKey(publicKey)!, readPublicKey(newKeyPair().publicKey)!];
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, place) => {
        const signature = signText(readPrivateKey(privateKey)!, text);
        expect(signature).toMatch(/^[\w-]{86}$/);
        expect(isSignature(mine, text, signature)).toBe(true);
        expect(isSignature(theirs, text, signature)).toBe(false);
        expect(isSignature(mine, `${text}.`, signature)).toBe(false);
        const at = place % signature.length;
        const other = signature[at] === 'A' ? 'B' : 'A';
        expect(isSignature(mine, text, signature.slice(0, at) + other + signature.slice(at + 1))).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  test('a public key has one spelling', () => {
    const { publicKey } = newKeyPair();
    expect(publicKey).toMatch(/^[\w-]{59}$/);
    for (const odd of [
      '',
      `${publicKey}=`,
      publicKey.slice(1),
      `${publicKey}A`,
      publicKey.replace('MCowBQYDK2Vw', 'MCowBQYDK2Vu'),
      newKeyPair().privateKey,
    ])
      expect(readPublicKey(odd)).toBeUndefined();
  });
});

describe('no input makes a judge throw', () => {
  const typed = (verdict: { ok: boolean; step?: string; reason?: string }) => {
    if (verdict.ok) return;
    expect(STEPS).toContain(verdict.step);
    expect(verdict.reason).toMatch(/./);
  };
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    json.map((value) => JSON.stringify(value)),
    // An offer with something else in some place of it.
    fc.tuple(fc.nat(), fc.anything()).map(([place, value]) => {
      const offer = structuredClone(VECTORS.offer) as unknown as Record<string, unknown>;
      const holders = [offer, offer.contract, offer.counterparty, offer.counterpartyBrief] as Record<string, unknown>[];
      const holder = holders[place % holders.length]!;
      const names = Object.keys(holder);
      holder[names[place % names.length]!] = value;
      try {
        return JSON.stringify(offer);
      } catch {
        return '{}';
      }
    }),
  );

  test('T7: of offers', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, fromPlatform) => typed(judgeOffer(text, context({ fromPlatform })))),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.object(), (value) => typed(judgeOffer(value, context()))));
  });

  test('T5: of activations', () => {
    const find = () => ({ offer: VECTORS.offer, sessionId: 's' });
    fc.assert(fc.property(texts, (text) => typed(judgeActivation(text, find, context()))));
  });

  test('T8: of tokens', () => {
    const expected = { nowMs: 0, keys: [], interactionId: 'i', senderAgentId: 's', recipientAgentId: 'r' };
    const tokens = fc.oneof(
      fc.string(),
      fc.tuple(json, fc.base64String()).map(([claims, s]) => `${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${s}`),
    );
    fc.assert(
      fc.property(tokens, (text) => {
        readToken(text);
        typed(judgeToken(text, expected));
      }),
    );
  });

  test('of registries of keys: they throw one sentence', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(() => KeyRegistry.read(text)).toThrow(TypeError);
      }),
    );
  });
});
