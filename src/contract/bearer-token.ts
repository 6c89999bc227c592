import type { KeyObject } from 'node:crypto';
import { quoted } from '../base/quoted.ts';
import { CONTRACT_LIMITS } from './contract-limits.ts';
import { isSignature, signText } from './ed25519.ts';
import type { TokenClaims } from './messages.ts';
import { judged, Refusal, type Refused } from './refused.ts';
import { readShape } from './shapes.ts';

/** A bearer token taken apart (T8). Nothing of it is proven. */
export interface BearerToken {
  claims: TokenClaims;
  /** What is signed: the text before the dot. */
  payload: string;
  signature: string;
}

/** A key that may have signed a token. */
export interface TokenKey {
  key: KeyObject;
  /** Its text, where the registry or the activation has it. */
  publicKey?: string;
  keyId?: string;
  revoked?: boolean;
}

/** Who must have made a token, and for what. */
export interface TokenExpectation {
  nowMs: number;
  /** The sender's keys. */
  keys: readonly TokenKey[];
  interactionId: string;
  senderAgentId: string;
  recipientAgentId: string;
}

/** Takes a token apart; undefined: it is no token of this kind. */
export function readToken(text: string): BearerToken | undefined {
  const [payload = '', signature = '', ...more] = text.split('.');
  if (payload === '' || signature === '' || more.length > 0) return undefined;
  const bytes = Buffer.from(payload, 'base64url');
  if (bytes.toString('base64url') !== payload) return undefined;
  try {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { claims: readShape('token', json), payload, signature };
  } catch {
    return undefined;
  }
}

/** Makes a token with the sender's key. */
export function makeToken({ interactionId, senderAgentId, recipientAgentId, expiresAt }: TokenClaims, key: KeyObject): string {
  const payload = Buffer.from(JSON.stringify({ interactionId, senderAgentId, recipientAgentId, expiresAt }), 'utf8').toString('base64url');
  return `${payload}.${signText(key, payload)}`;
}

/** Judges a token (T8): which of the sender's keys signed it, or why it proves nothing. */
export function judgeToken(
  text: string | undefined,
  expected: TokenExpectation,
): { ok: true; claims: TokenClaims; by: TokenKey } | Refused {
  return judged(() => {
    const refuse = (reason: string): never => {
      throw new Refusal('presenter', reason);
    };
    if (text === undefined) return refuse('a token must prove who presents the offer, and there is none');
    const token = readToken(text);
    if (token === undefined) return refuse('the token is not of the form PAYLOAD.SIGNATURE');
    const { claims, payload, signature } = token;
    if (claims.senderAgentId !== expected.senderAgentId)
      refuse(`the token is ${quoted(claims.senderAgentId)}'s, not of the counterparty ${quoted(expected.senderAgentId)}`);
    const by = expected.keys.find(({ key }) => isSignature(key, payload, signature));
    if (by === undefined) return refuse(`the token is not signed by a key of ${quoted(expected.senderAgentId)}`);
    if (by.revoked) refuse('the key that signed the token is revoked');
    if (claims.interactionId !== expected.interactionId) refuse('the token is for another interaction');
    if (claims.recipientAgentId !== expected.recipientAgentId)
      refuse(`the token is meant for ${quoted(claims.recipientAgentId)}, not for ${quoted(expected.recipientAgentId)}`);
    if (claims.expiresAt <= expected.nowMs) refuse('the token has expired');
    if (claims.expiresAt - expected.nowMs > CONTRACT_LIMITS.tokenMs) refuse('the token ends more than an hour from now');
    return { ok: true, claims, by };
  });
}
