import type { KeyObject } from 'node:crypto';
import { canonicalJson, contractHash, isSignature, isSignedBy, type KeyRegistry, sha256 } from '../../contract/node.ts';
import type { Interaction } from './interactions.ts';

/** What shows that the platform sent a message: its request as it came (T5). */
export interface Proof {
  timestamp: string;
  signature: string;
  body: string;
}

/** What stored offers are checked against. */
export interface StoredContext {
  keys: KeyRegistry;
  /** Undefined: it is not known without asking the platform; then hashes alone are checked. */
  platformKey: KeyObject | undefined;
}

/** The bytes that the platform signs. `id`: the request's. */
export function signedBytes({ body, timestamp }: Pick<Proof, 'timestamp'> & { body: Uint8Array }, id: string): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}.${id}.`, 'utf8'), body]);
}

/**
 * Checks an interaction that was read from disk once more: whoever could write there could else write contracts. Keys that are revoked or gone
 * are not its business: they end the interaction as they do while the relay runs.
 * @throws {TypeError} one clause
 */
export function checkStored(interaction: Interaction, { keys, platformKey }: StoredContext): void {
  const { activation, activationDigest, activationId, activationProof, digest, from, offer, proof } = interaction;
  if (offer !== undefined) {
    const { contract } = offer;
    const isSame = (['interactionId', 'offerId', 'agentId', 'contractHash'] as const).every((name) => offer[name] === interaction[name]);
    if (!isSame || offer.counterparty.agentId !== interaction.counterparty) throw new TypeError('its offer is another one');
    if (sha256(canonicalJson(offer)) !== digest || contractHash(contract) !== offer.contractHash)
      throw new TypeError('its offer was changed');
    if (from === 'local' && !Object.hasOwn(contract.signatures, offer.agentId)) throw new TypeError('a signature is missing');
    for (const [party, signature] of Object.entries(contract.signatures)) {
      const registered = keys.find(party, signature.keyId);
      if (registered !== undefined && !isSignedBy(registered.key, contract, signature)) throw new TypeError('a signature does not fit');
    }
    if (from === 'platform') checkProof(proof, offer.offerId, digest, platformKey);
  }
  if (activation !== undefined) {
    if (activation.activationId !== activationId || sha256(canonicalJson(activation)) !== activationDigest)
      throw new TypeError('its activation was changed');
    checkProof(activationProof, activation.activationId, activationDigest, platformKey);
  }
}

function checkProof(proof: Proof | undefined, id: string, digest: string, platformKey: KeyObject | undefined): void {
  if (typeof proof?.body !== 'string') throw new TypeError("the platform's request is missing");
  const { body, signature } = proof;
  if (sha256(canonicalJson(JSON.parse(body))) !== digest) throw new TypeError("the platform's request is another one");
  const signed = signedBytes({ timestamp: proof.timestamp, body: Buffer.from(body, 'utf8') }, id);
  if (platformKey !== undefined && !isSignature(platformKey, signed, signature))
    throw new TypeError("the platform's signature does not fit");
}
