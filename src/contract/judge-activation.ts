import { quoted } from '../base/quoted.ts';
import { CONTRACT_LIMITS } from './contract-limits.ts';
import { readPublicKey } from './ed25519.ts';
import { checkBrief, type OfferContext } from './judge-offer.ts';
import type { Activation, Offer } from './messages.ts';
import { judged, Refusal, type Refused } from './refused.ts';
import { readShape } from './shapes.ts';

/** The offer that was accepted, and the session id that the relay gave it. */
export interface AcceptedOffer {
  offer: Offer;
  sessionId: string;
}

export type ActivationVerdict = { ok: true; activation: Activation } | Refused;

/**
 * Judges an activation against the offer that was accepted (T5). It came signed from the platform.
 * @param find the accepted offer of an interaction that still goes on
 */
export function judgeActivation(
  text: string,
  find: (interactionId: string) => AcceptedOffer | undefined,
  context: Pick<OfferContext, 'keys' | 'nowMs' | 'platformKey'>,
): ActivationVerdict {
  return judged(() => {
    const activation = readShape('activation', text);
    checkShape(activation);
    const accepted = find(activation.interactionId);
    if (accepted === undefined) throw new Refusal('interaction', 'no offer of this interaction has been accepted here, or it is over');
    checkTime(activation, accepted.offer, context.nowMs);
    checkMatch(activation, accepted);
    if (context.keys.isRevoked(activation.peer.agentId, activation.peer.verificationKey))
      throw new Refusal('signature', `the key of ${quoted(activation.peer.agentId)} is revoked`);
    const { counterpartyBrief } = activation;
    if (counterpartyBrief !== undefined) {
      checkBrief(counterpartyBrief, accepted.offer, { ...context, fromPlatform: true });
      if (counterpartyBrief.decision === 'DENY') throw new Refusal('decision', 'the brief says DENY');
    }
    return { ok: true, activation };
  });
}

/** What a schema cannot say. */
function checkShape({ peer, reporting }: Activation): void {
  if (readPublicKey(peer.verificationKey) === undefined)
    throw new Refusal('schema', '/peer/verificationKey must be an Ed25519 public key: 44 bytes of SPKI DER in base64url without padding');
  for (const [name, address] of Object.entries(reporting))
    if (name !== 'bearerToken' && !isSafeAddress(address))
      throw new Refusal('schema', `/reporting/${name} must be an https address without a user name`);
  // It becomes a header.
  if (!/^[\x21-\x7e]+$/.test(reporting.bearerToken))
    throw new Refusal('schema', '/reporting/bearerToken must be visible ASCII without spaces');
}

function checkTime({ activatedAt, expiresAt }: Activation, offer: Offer, nowMs: number): void {
  const activated = Date.parse(activatedAt);
  if (!(activated <= nowMs + CONTRACT_LIMITS.skewMs)) throw new Refusal('time', 'activatedAt is in the future');
  if (!(activated >= Date.parse(offer.issuedAt) - CONTRACT_LIMITS.skewMs)) throw new Refusal('time', 'activatedAt is before the offer');
  if (!(Date.parse(expiresAt) > nowMs)) throw new Refusal('time', 'the activation has expired');
}

function checkMatch(activation: Activation, { offer, sessionId }: AcceptedOffer): void {
  const { agentId, contractHash, peer, role } = activation;
  if (agentId !== offer.agentId) throw new Refusal('agent', `the accepted offer is for ${quoted(offer.agentId)}, not ${quoted(agentId)}`);
  if (activation.sessionId !== sessionId) throw new Refusal('interaction', 'the sessionId is not the one that was given to the offer');
  if (role !== offer.role) throw new Refusal('interaction', `the accepted offer gave the role ${offer.role}, not ${role}`);
  if (contractHash !== offer.contractHash) throw new Refusal('hash', 'contractHash is not that of the accepted offer');
  if (peer.agentId !== offer.counterparty.agentId)
    throw new Refusal('parties', `the peer ${quoted(peer.agentId)} is not the counterparty of the accepted offer`);
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** T16: what the relay may send to: https, or this machine. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, password, protocol, username } = new URL(address);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
