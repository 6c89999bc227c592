import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type Contract,
  contractHash,
  KeyRegistry,
  type Offer,
  type OfferContext,
  readPrivateKey,
  signObject,
  type TokenClaims,
} from '../../src/contract/node.ts';

interface VectorKey {
  id: string;
  keyId: string;
  publicKey: string;
  privateKey: string;
}

/** Golden values that an independent program made; its times are to be read at `AT`. */
export const VECTORS = JSON.parse(readFileSync(new URL('../fixtures/openclasp.json', import.meta.url), 'utf8')) as {
  keys: VectorKey[];
  contract: Contract;
  contractCanonical: string;
  contractSigningPayload: string;
  contractHash: string;
  offer: Offer;
  offerRequest: { headers: Record<string, string>; body: string };
  offerFaults: { reason: string; offer: Offer }[];
  bearerToken: string;
  bearerTokenPayload: TokenClaims;
  bearerTokenWrongKey: string;
  jcs: { value: unknown; canonical: string }[];
};

export const AT = Date.parse('2026-06-01T00:00:00Z');

export type Who = 'game-mira' | 'driver-one' | 'platform' | 'stranger';

export function keyOf(who: Who): VectorKey {
  return VECTORS.keys.find(({ id }) => id === who) as VectorKey;
}

export function privateKeyOf(who: Who): KeyObject {
  return readPrivateKey(keyOf(who).privateKey) as KeyObject;
}

/** The registry as a file: both parties and the stranger, and the platform. `revoked`: whose key is. */
export function trustText({ revoked }: { revoked?: Who } = {}): string {
  const entry = (who: Who) => {
    const { id: agentId, keyId, publicKey } = keyOf(who);
    return { agentId, keyId, publicKey, ...(revoked === who && { revoked: true }) };
  };
  return JSON.stringify({
    keys: [entry('game-mira'), entry('driver-one'), entry('stranger')],
    platform: { publicKey: keyOf('platform').publicKey },
  });
}

/** What the offer of the vectors is judged against. */
export function context(more: Partial<OfferContext> = {}): OfferContext {
  return {
    nowMs: AT,
    keys: KeyRegistry.read(trustText()),
    fromPlatform: true,
    serves: (agentId) => agentId === 'game-mira',
    ...more,
  };
}

/** The vectors' offer, changed. The contract is hashed and signed anew by `signers`; the brief goes along with `brief` alone. */
export function offerWith({
  offer = {},
  contract = {},
  signers = ['game-mira', 'driver-one'],
  brief = {},
}: {
  offer?: Partial<Offer>;
  contract?: Partial<Contract>;
  signers?: Who[];
  brief?: Partial<NonNullable<Offer['counterpartyBrief']>> | null;
} = {}): Offer {
  const changed = { ...VECTORS.contract, ...contract, signatures: {} };
  const signatures = Object.fromEntries(signers.map((who) => [who, signObject(changed, keyOf(who).keyId, privateKeyOf(who))]));
  const hash = contractHash(changed);
  const { counterpartyBrief, ...rest } = structuredClone(VECTORS.offer);
  const whole: Offer = { ...rest, contract: { ...changed, signatures }, contractHash: hash, ...offer };
  if (brief === null) return whole;
  const { signature: _old, ...unsigned } = { ...counterpartyBrief!, contractHash: hash, ...brief };
  return { ...whole, counterpartyBrief: { ...unsigned, signature: signObject(unsigned, 'platform#1', privateKeyOf('platform')) } };
}

/** A local offer as T6 wants it: signed by the game's party, no brief. */
export const localOffer = (contract: Partial<Contract> = {}, offer: Partial<Offer> = {}): Offer =>
  offerWith({ contract, offer, signers: ['game-mira'], brief: null });
