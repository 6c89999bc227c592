import { type KeyRegistry, quoted, type RegisteredKey } from '../../contract/node.ts';
import { type Interaction, isLive } from './interactions.ts';

/** Live interactions that stand on a key which does not count any more, each with why (T8). */
export function withdrawn(
  interactions: readonly Interaction[],
  keys: KeyRegistry,
  nowMs: number,
): { interaction: Interaction; reason: string }[] {
  const found: { interaction: Interaction; reason: string }[] = [];
  for (const interaction of interactions) {
    const { offer } = interaction;
    if (offer === undefined || !isLive(interaction, nowMs)) continue;
    const { counterparty, contract } = offer;
    const signed = Object.entries(contract.signatures).find(([party, { keyId }]) => !isGood(keys.find(party, keyId)));
    if (signed !== undefined) found.push({ interaction, reason: `a key of ${quoted(signed[0])} was revoked` });
    else if (interaction.from === 'local' && !keys.keysOf(counterparty.agentId).some(isGood))
      found.push({ interaction, reason: `the key of ${quoted(counterparty.agentId)} was revoked` });
  }
  return found;
}

const isGood = (key: RegisteredKey | undefined): boolean => key !== undefined && !key.revoked;
