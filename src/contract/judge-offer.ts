import type { KeyObject } from 'node:crypto';
import { quoted } from '../base/quoted.ts';
import { CONTRACT_LIMITS } from './contract-limits.ts';
import type { KeyRegistry } from './key-registry.ts';
import type { Brief, Offer } from './messages.ts';
import { judged, Refusal, type Refused } from './refused.ts';
import { asShape, readShape } from './shapes.ts';
import { contractHash, isSignedBy } from './signed.ts';

/** What an offer is judged against. */
export interface OfferContext {
  nowMs: number;
  keys: KeyRegistry;
  /** Default: the registry's. */
  platformKey?: KeyObject | undefined;
  /** The whole offer came signed by the platform (T5); else it is a local one (T6). */
  fromPlatform: boolean;
  /** Whether this relay serves the agent's character. */
  serves(agentId: string): boolean;
  /** Every party must have signed the contract. Default false. */
  requirePartySignatures?: boolean | undefined;
}

/** `challenged`: the brief wants a person to approve, so it is declined unless one does. */
export type OfferVerdict = { ok: true; offer: Offer; challenged: boolean } | Refused;

/**
 * Judges an offer by T7, up to the brief's decision: whether it was used already and who presents it is its taker's to know.
 * @param offer its text, or what was parsed from a text that passed `parseStrict`
 */
export function judgeOffer(offer: string | object, context: OfferContext): OfferVerdict {
  return judged(() => {
    const read = typeof offer === 'string' ? readShape('offer', offer) : asShape('offer', offer);
    checkTime(read, context);
    checkIdentity(read, context);
    checkSignatures(read, context);
    if (read.counterpartyBrief !== undefined) checkBrief(read.counterpartyBrief, read, context);
    const decision = read.counterpartyBrief?.decision;
    if (decision === 'DENY') throw new Refusal('decision', 'the brief says DENY');
    return { ok: true, offer: read, challenged: decision === 'CHALLENGE' };
  });
}

/** When a session under the offer ends at the latest (T12), in milliseconds since 1970, and by which of the two. */
export function endOf({ contract, expiresAt }: Offer): { atMs: number; by: 'deadline' | 'expiresAt' } {
  const expires = Date.parse(expiresAt);
  const deadline = contract.deadline === undefined ? Number.POSITIVE_INFINITY : Date.parse(contract.deadline);
  return deadline <= expires ? { atMs: deadline, by: 'deadline' } : { atMs: expires, by: 'expiresAt' };
}

function checkTime({ contract, expiresAt, issuedAt }: Offer, { fromPlatform, nowMs }: OfferContext): void {
  const refuse = (reason: string): never => {
    throw new Refusal('time', reason);
  };
  if (!(Date.parse(issuedAt) <= nowMs + CONTRACT_LIMITS.skewMs)) refuse('issuedAt is in the future');
  if (!(Date.parse(expiresAt) > nowMs)) refuse('the offer has expired');
  if (contract.deadline !== undefined && !(Date.parse(contract.deadline) > nowMs)) refuse("the contract's deadline has passed");
  if (contract.deadline === undefined && !fromPlatform) refuse('a local offer needs a contract.deadline, so that its end is signed');
}

function checkIdentity(offer: Offer, { serves }: OfferContext): void {
  const { agentId, contract, counterparty, interactionId } = offer;
  if (!serves(agentId)) throw new Refusal('agent', `no character of agent ${quoted(agentId)} is served here`);
  if (contract.interactionId !== interactionId) throw new Refusal('interaction', "the contract's interactionId is not the offer's");
  if (contractHash(contract) !== offer.contractHash) throw new Refusal('hash', "contractHash is not the contract's hash");
  for (const party of [agentId, counterparty.agentId])
    if (!contract.parties.includes(party)) throw new Refusal('parties', `${quoted(party)} is no party to the contract`);
  if (agentId === counterparty.agentId) throw new Refusal('parties', `${quoted(agentId)} cannot be its own counterparty`);
}

function checkSignatures({ agentId, contract }: Offer, { fromPlatform, keys, requirePartySignatures }: OfferContext): void {
  const refuse = (reason: string): never => {
    throw new Refusal('signature', reason);
  };
  const { parties, signatures } = contract;
  for (const [party, signature] of Object.entries(signatures)) {
    if (!parties.includes(party)) refuse(`${quoted(party)} signed the contract and is no party to it`);
    const registered = keys.find(party, signature.keyId);
    if (registered === undefined) return refuse(`${quoted(party)} has no key ${quoted(signature.keyId)} in the registry`);
    if (registered.revoked) refuse(`the key ${quoted(signature.keyId)} of ${quoted(party)} is revoked`);
    if (!isSignedBy(registered.key, contract, signature)) refuse(`the signature of ${quoted(party)} does not fit the contract`);
  }
  const needed = requirePartySignatures ? parties : fromPlatform ? [] : [agentId];
  for (const party of needed) if (!Object.hasOwn(signatures, party)) refuse(`${quoted(party)} has not signed the contract`);
}

/**
 * T4, for an offer or an activation.
 * @throws {Refusal} `brief`
 */
export function checkBrief(
  brief: Brief,
  { agentId, contractHash, counterparty, interactionId }: Pick<Offer, 'agentId' | 'contractHash' | 'counterparty' | 'interactionId'>,
  { fromPlatform, keys, nowMs, platformKey = keys.platformKey }: Pick<OfferContext, 'fromPlatform' | 'keys' | 'nowMs' | 'platformKey'>,
): void {
  const refuse = (reason: string): never => {
    throw new Refusal('brief', reason);
  };
  if (!fromPlatform) refuse('a local offer carries no brief');
  if (brief.interactionId !== interactionId) refuse('the brief is for another interaction');
  if (brief.contractHash !== contractHash) refuse('the brief is for another contract');
  if (brief.recipientAgentId !== agentId) refuse(`the brief is meant for ${quoted(brief.recipientAgentId)}`);
  if (brief.subjectAgentId !== counterparty.agentId) refuse(`the brief is about ${quoted(brief.subjectAgentId)}, not the counterparty`);
  if (brief.signature !== undefined) {
    if (platformKey === undefined) return refuse("the platform's key is not known, so its signature cannot be checked");
    if (!isSignedBy(platformKey, brief, brief.signature)) refuse("the platform's signature does not fit the brief");
  }
  if (!(Date.parse(brief.expiresAt) > nowMs)) refuse('the brief has expired');
}
