/** OpenClasp for Node: keys, signatures, offers, tokens, and what of them a game gets to know. */

export { quoted, visible } from '../base/quoted.ts';
export { judgeToken, makeToken, readToken, type TokenExpectation, type TokenKey } from './bearer-token.ts';
export { canonicalJson } from './canonical.ts';
export { CONTRACT_LIMITS } from './contract-limits.ts';
export type { ContractTerms } from './contract-terms.ts';
export { isSignature, newKeyPair, publicKeyOf, readPrivateKey, readPublicKey, sha256, signText } from './ed25519.ts';
export { isSafeAddress, judgeActivation } from './judge-activation.ts';
export { endOf, judgeOffer, type OfferContext, type OfferVerdict } from './judge-offer.ts';
export { KeyRegistry, type RegisteredKey } from './key-registry.ts';
export type {
  Accepted,
  Activation,
  Brief,
  Contract,
  Decision,
  Insight,
  Offer,
  Requirement,
  TokenClaims,
} from './messages.ts';
export { judged, type Refused, STEPS, type Step } from './refused.ts';
export { asShape, readShape } from './shapes.ts';
export { contractHash, isSignedBy, signingPayload, signObject } from './signed.ts';
export { parseStrict } from './strict-json.ts';
export { termsOf } from './terms-of.ts';
