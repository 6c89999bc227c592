import { isSignedBy, type KeyRegistry, quoted, type RegisteredKey } from '../../contract/node.ts';
import { type Interaction, isLive } from './interactions.ts';

/** Live interactions that stand on a key which does not count any more, each with why (T8). */
export function withdrawn(
  interactions: readonly Interaction[],
  keys: KeyRegistry,
  nowMs: number,
): { interaction: Interaction; reason: string }[] {
  const found: { interaction: Interaction; reason: string }[] = [];
  for (const interaction of interactions) {
    const party = isLive(interaction, nowMs) ? partyWithout(interaction, keys) : undefined;
    if (party !== undefined) found.push({ interaction, reason: `a key of ${quoted(party)} was revoked` });
  }
  return found;
}

/** Whether the key that a session was opened with counts no more. */
export function isWithdrawn({ counterparty, from }: Interaction, publicKey: string, keys: KeyRegistry): boolean {
  if (from === 'platform') return keys.isRevoked(counterparty, publicKey);
  return !keys.keysOf(counterparty).some((each) => each.publicKey === publicKey && isGood(each));
}

/** The party whose key has gone that the interaction cannot do without. */
function partyWithout({ activation, from, offer }: Interaction, keys: KeyRegistry): string | undefined {
  if (offer === undefined) return undefined;
  const { contract, counterparty } = offer;
  for (const [party, signature] of Object.entries(contract.signatures)) {
    const registered = keys.find(party, signature.keyId);
    // The same id may have come to mean another key.
    if (!isGood(registered) || !isSignedBy(registered.key, contract, signature)) return party;
  }
  if (activation !== undefined && keys.isRevoked(counterparty.agentId, activation.peer.verificationKey)) return counterparty.agentId;
  return from === 'local' && !keys.keysOf(counterparty.agentId).some(isGood) ? counterparty.agentId : undefined;
}

const isGood = (key: RegisteredKey | undefined): key is RegisteredKey => key !== undefined && !key.revoked;
