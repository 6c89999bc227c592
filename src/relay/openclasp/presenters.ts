import { judgeToken, type Offer, type Refused, readPublicKey, readToken, type TokenKey } from '../../contract/node.ts';
import { type Admitted, admitted } from './admitted.ts';
import { type AuditLog, about, denied } from './audit-log.ts';
import type { Interaction, Interactions } from './interactions.ts';
import type { AgentPlace } from './options.ts';
import type { Trust } from './trust.ts';

export interface PresentersOptions {
  interactions: Interactions;
  trust: Trust;
  audit: AuditLog;
  /** Where an agent's character is; undefined: nothing of it is served here. */
  placeOf(agentId: string): AgentPlace | undefined;
  now(): number;
}

/** Who comes with a token alone, for an interaction that was offered before (OpenClasp T8). */
export class Presenters {
  readonly #options: PresentersOptions;

  constructor(options: PresentersOptions) {
    this.#options = options;
  }

  /** Whether a token is one of ours to judge; then no other way in counts for who shows it. */
  isOurs(token: string | undefined): token is string {
    return token !== undefined && readToken(token) !== undefined;
  }

  /** Whether a token is good for a socket: of an active interaction, or of somebody who may still show an offer. */
  mayKnock(text: string): boolean {
    const { now, trust } = this.#options;
    const claims = readToken(text)?.claims;
    if (claims === undefined) return false;
    const { interactionId, recipientAgentId, senderAgentId } = claims;
    const keys = trust.keys.keysOf(senderAgentId);
    return judgeToken(text, { nowMs: now(), keys, interactionId, senderAgentId, recipientAgentId }).ok || this.#judge(text).shown.ok;
  }

  /** Who comes: for an interaction that the platform has activated, or whose local offer was shown before. */
  present(text: string): Admitted | Refused {
    const { audit, placeOf } = this.#options;
    const { ids, interaction, offer, shown } = this.#judge(text);
    audit.write({ what: 'token', decision: 'ALLOW', ...(shown.ok ? {} : denied(shown)), ...ids });
    if (!shown.ok) return shown;
    const { agentId } = offer as Offer;
    return admitted(offer as Offer, interaction?.from === 'platform', shown.by, placeOf(agentId));
  }

  /** The same without a trace: strangers may knock as often as they like. */
  #judge(text: string) {
    const { interactions, now } = this.#options;
    const interactionId = readToken(text)?.claims.interactionId ?? '';
    const interaction = interactions.live(interactionId);
    const offer = interaction?.offer;
    const keys = interaction === undefined ? [] : this.#keysOf(interaction);
    const shown =
      offer === undefined || keys.length === 0
        ? ({ ok: false, step: 'presenter', reason: 'the interaction of the token is not active here' } as const)
        : judgeToken(text, {
            nowMs: now(),
            keys,
            interactionId,
            senderAgentId: offer.counterparty.agentId,
            recipientAgentId: offer.agentId,
          });
    return { interaction, offer, shown, ids: offer === undefined ? { interactionId } : about(offer) };
  }

  /** Whose token counts: the registered counterparty's, or the one that the activation names. */
  #keysOf({ activation, counterparty, from }: Interaction): readonly TokenKey[] {
    const { now, trust } = this.#options;
    if (from === 'local') return trust.keys.keysOf(counterparty);
    if (activation === undefined || Date.parse(activation.expiresAt) <= now()) return [];
    const publicKey = activation.peer.verificationKey;
    const key = readPublicKey(publicKey);
    return key === undefined ? [] : [{ key, publicKey, revoked: trust.keys.isRevoked(counterparty, publicKey) }];
  }
}
