import type { JsonObject } from '../../base/json.ts';
import { type Offer, type TokenKey, termsOf } from '../../contract/node.ts';
import type { Principal } from '../../transport/index.ts';
import type { AgentPlace } from './options.ts';

/** Who may come under an offer, and how they proved to be that. */
export interface Admitted {
  ok: true;
  principal: Principal;
  interactionId: string;
}

/** The offer's counterparty, at its agent's character and under its contract (T15: a platform's offer says what the counterparty can). */
export function admitted(offer: Offer, fromPlatform: boolean, { publicKey }: TokenKey, { character, world }: AgentPlace = {}): Admitted {
  const principal: Principal = {
    name: offer.counterparty.agentId,
    ...(publicKey !== undefined && { presenter: publicKey }),
    contract: { ...termsOf(offer, fromPlatform) } as unknown as JsonObject,
    ...(world !== undefined && { world }),
    ...(character !== undefined && { character, characters: [character] }),
  };
  return { ok: true, principal, interactionId: offer.interactionId };
}
