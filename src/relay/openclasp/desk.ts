import type { KeyObject } from 'node:crypto';
import {
  type Accepted,
  type Activation,
  canonicalJson,
  endOf,
  judgeActivation,
  judgeOffer,
  judgeToken,
  type Offer,
  quoted,
  type Refused,
  type RegisteredKey,
  readPublicKey,
  readToken,
  sha256,
  type TokenKey,
  termsOf,
} from '../../contract/node.ts';
import type { JsonObject } from '../../protocol/index.ts';
import type { Principal } from '../../transport/index.ts';
import { type AuditLog, about } from './audit-log.ts';
import { forgetAt, type Interaction, type Interactions, isLive } from './interactions.ts';
import { OPENCLASP_LIMITS } from './limits.ts';
import type { AgentPlace, Challenge } from './options.ts';
import type { Trust } from './trust.ts';

export interface DeskOptions {
  interactions: Interactions;
  trust: Trust;
  audit: AuditLog;
  /** Where an agent's character is; undefined: nothing of it is served here. */
  placeOf(agentId: string): AgentPlace | undefined;
  /** Where agents outside reach a place. */
  addressOf(place: AgentPlace): string;
  requirePartySignatures: boolean;
  /** Whether a challenged offer counts. */
  approve(challenge: Challenge): Promise<boolean>;
  newId(): string;
  now(): number;
}

/** Who may come under an offer, and how they proved to be that. */
export interface Admitted {
  ok: true;
  principal: Principal;
  interactionId: string;
}

/** Takes offers, activations and the tokens of those who come under them: OpenClasp T5–T8, but for how they travel. */
export class OfferDesk {
  readonly #options: DeskOptions;
  /** Platform offers whose answer is being made, by their ids. */
  readonly #pending = new Map<string, { digest: string; answer: Promise<{ ok: true; accepted: Accepted } | Refused> }>();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** An offer from the platform: its whole body is signed (T5). The same offer again gets the same answer. */
  async takeFromPlatform(text: string, platformKey: KeyObject): Promise<{ ok: true; accepted: Accepted } | Refused> {
    const { audit, now, requirePartySignatures, trust } = this.#options;
    const verdict = judgeOffer(text, {
      nowMs: now(),
      keys: trust.keys,
      platformKey,
      fromPlatform: true,
      serves: (agentId) => this.#options.placeOf(agentId) !== undefined,
      requirePartySignatures,
    });
    if (!verdict.ok) {
      if (verdict.step === 'decision') await this.#keepDenied(text, verdict.reason);
      audit.write({ what: 'offer', from: 'platform', ...denied(verdict), ...aboutText(text) });
      return verdict;
    }
    const { challenged, offer } = verdict;
    const digest = digestOf(offer);
    const pending = this.#pending.get(offer.offerId);
    if (pending !== undefined) return pending.digest === digest ? pending.answer : replayed('the offerId was used with other content');
    const answer = this.#answerPlatform(offer, digest, challenged).then((result) => {
      const decision = result.ok ? 'ALLOW' : challenged && result.step === 'decision' ? 'CHALLENGE' : 'DENY';
      audit.write({ what: 'offer', from: 'platform', ...(result.ok ? {} : denied(result)), decision, ...about(offer) });
      return result;
    });
    this.#pending.set(offer.offerId, { digest, answer });
    try {
      return await answer;
    } finally {
      this.#pending.delete(offer.offerId);
    }
  }

  async #answerPlatform(offer: Offer, digest: string, challenged: boolean): Promise<{ ok: true; accepted: Accepted } | Refused> {
    const { addressOf, approve, interactions, newId, placeOf } = this.#options;
    const known = this.#used(offer, digest);
    if (known !== undefined && !('ok' in known)) {
      if (known.declined !== undefined) return { ok: false, step: 'decision', reason: known.declined };
      return known.accepted === undefined ? replayed('the offer was used as a local one') : { ok: true, accepted: known.accepted };
    }
    if (known !== undefined) return known;
    if (this.#isFull) return full();
    const record = recordOf(offer, digest, 'platform');
    if (challenged) {
      const { agentId, counterparty, counterpartyBrief, offerId } = offer;
      const isApproved = await approve({ offerId, agentId, counterparty: counterparty.agentId, brief: counterpartyBrief! });
      // Meanwhile another offer of the interaction may have come.
      const overtaken = this.#used(offer, digest);
      if (overtaken !== undefined && 'ok' in overtaken) return overtaken;
      if (!isApproved) {
        const declined = 'the brief says CHALLENGE, and nobody approved';
        await interactions.keep({ ...record, declined });
        return { ok: false, step: 'decision', reason: declined };
      }
    }
    const accepted: Accepted = {
      type: 'openclasp.session.accepted',
      version: '1',
      offerId: offer.offerId,
      interactionId: offer.interactionId,
      agentId: offer.agentId,
      sessionId: newId(),
      a2aEndpoint: addressOf(placeOf(offer.agentId) ?? {}),
      expiresAt: offer.expiresAt,
    };
    await interactions.keep({ ...record, offer, accepted });
    return { ok: true, accepted };
  }

  /** An activation from the platform, whose body is signed (T5). */
  async activate(text: string, platformKey: KeyObject): Promise<{ ok: true; activationId: string } | Refused> {
    const { audit, interactions, now, trust } = this.#options;
    const verdict = judgeActivation(text, (interactionId) => acceptedOffer(interactions.live(interactionId)), {
      nowMs: now(),
      keys: trust.keys,
      platformKey,
    });
    const result = verdict.ok ? await this.#keepActivation(verdict.activation) : verdict;
    const ids = verdict.ok ? idsOf(verdict.activation) : {};
    audit.write({ what: 'activation', from: 'platform', decision: 'ALLOW', ...(result.ok ? {} : denied(result)), ...ids });
    return result;
  }

  async #keepActivation(activation: Activation): Promise<{ ok: true; activationId: string } | Refused> {
    const { interactions } = this.#options;
    const { activationId, interactionId } = activation;
    const digest = sha256(canonicalJson(activation));
    const interaction = interactions.live(interactionId) as Interaction;
    const other = interactions.all().find((each) => each.activationId === activationId && each !== interaction);
    if (other !== undefined) return replayed('the activationId was used for another interaction');
    if (interaction.activationId === undefined) {
      Object.assign(interaction, { activation, activationId, activationDigest: digest, sequence: OPENCLASP_LIMITS.sequenceBlock });
      await interactions.keep(interaction);
    } else if (interaction.activationDigest !== digest) {
      return replayed('the interaction was activated with other content');
    }
    return { ok: true, activationId };
  }

  /**
   * A local offer with the token of who presents it (T6).
   * @param offer the text of the offer
   */
  async takeLocal(offer: string, token: string | undefined): Promise<Admitted | Refused> {
    const { audit, interactions, now, requirePartySignatures, trust } = this.#options;
    const verdict = judgeOffer(offer, {
      nowMs: now(),
      keys: trust.keys,
      fromPlatform: false,
      serves: (agentId) => this.#options.placeOf(agentId) !== undefined,
      requirePartySignatures,
    });
    const refuse = (refused: Refused): Refused => {
      audit.write({ what: 'offer', from: 'local', ...denied(refused), ...(verdict.ok ? about(verdict.offer) : aboutText(offer)) });
      return refused;
    };
    if (!verdict.ok) return refuse(verdict);
    const read = verdict.offer;
    const digest = digestOf(read);
    const known = this.#used(read, digest);
    if (known !== undefined && 'ok' in known) return refuse(known);
    if (known?.from === 'platform')
      return refuse(replayed('the interaction came from the platform; a local copy of its offer does not count'));
    const { agentId, counterparty, interactionId } = read;
    const shown = judgeToken(token, {
      nowMs: now(),
      keys: trust.keys.keysOf(counterparty.agentId),
      interactionId,
      senderAgentId: counterparty.agentId,
      recipientAgentId: agentId,
    });
    if (!shown.ok) return refuse(shown);
    if (known === undefined) {
      if (this.#isFull) return refuse(full());
      await interactions.keep({ ...recordOf(read, digest, 'local'), offer: read });
    }
    audit.write({ what: 'offer', from: 'local', decision: 'ALLOW', ...about(read) });
    return this.#admit(read, false);
  }

  /** Who comes with a token alone (T8): for an interaction that the platform has activated, or whose local offer was shown before. */
  present(text: string): Admitted | Refused {
    const { interaction, offer, shown, ids } = this.#judgePresenter(text);
    this.#options.audit.write({ what: 'token', decision: 'ALLOW', ...(shown.ok ? {} : denied(shown)), ...ids });
    return shown.ok ? this.#admit(offer as Offer, interaction?.from === 'platform') : shown;
  }

  /** The same without a trace: strangers may knock as often as they like. */
  #judgePresenter(text: string) {
    const { interactions, now } = this.#options;
    const interactionId = readToken(text)?.claims.interactionId ?? '';
    const interaction = interactions.live(interactionId);
    const offer = interaction?.offer;
    const keys = interaction === undefined ? [] : this.#presenterKeys(interaction);
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
  #presenterKeys({ activation, counterparty, from }: Interaction): readonly TokenKey[] {
    const { now, trust } = this.#options;
    if (from === 'local') return trust.keys.keysOf(counterparty);
    if (activation === undefined || Date.parse(activation.expiresAt) <= now()) return [];
    const key = readPublicKey(activation.peer.verificationKey);
    return key === undefined ? [] : [{ key }];
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
    return (
      judgeToken(text, { nowMs: now(), keys, interactionId, senderAgentId, recipientAgentId }).ok || this.#judgePresenter(text).shown.ok
    );
  }

  /** Live interactions that stand on a key which does not count any more, each with why. */
  withdrawn(): { interaction: Interaction; reason: string }[] {
    const { interactions, now, trust } = this.#options;
    const found: { interaction: Interaction; reason: string }[] = [];
    for (const interaction of interactions.all()) {
      const { offer } = interaction;
      if (offer === undefined || !isLive(interaction, now())) continue;
      const { counterparty, contract } = offer;
      const signed = Object.entries(contract.signatures).find(([party, { keyId }]) => !isGood(trust.keys.find(party, keyId)));
      if (signed !== undefined) found.push({ interaction, reason: `a key of ${quoted(signed[0])} was revoked` });
      else if (interaction.from === 'local' && !trust.keys.keysOf(counterparty.agentId).some(isGood))
        found.push({ interaction, reason: `the key of ${quoted(counterparty.agentId)} was revoked` });
    }
    return found;
  }

  /** What was used already under the offer's ids: the same, or why it cannot be. */
  #used(offer: Offer, digest: string): Interaction | Refused | undefined {
    const { interactions } = this.#options;
    const byOffer = interactions.byOffer(offer.offerId);
    if (byOffer !== undefined && byOffer.digest !== digest) return replayed('the offerId was used with other content');
    const known = interactions.find(offer.interactionId);
    if (known === undefined) return undefined;
    if (known.ended !== undefined) return replayed(`the interaction is over: ${known.ended}`);
    if (known.digest === digest) return known;
    return replayed(known.declined === undefined ? 'the interaction has another offer' : `the interaction was declined: ${known.declined}`);
  }

  /** A brief that says DENY stays known: the same contract must not come back without it. */
  async #keepDenied(text: string, declined: string): Promise<void> {
    const offer = JSON.parse(text) as Offer;
    if (this.#isFull || this.#used(offer, digestOf(offer)) !== undefined) return;
    await this.#options.interactions.keep({ ...recordOf(offer, digestOf(offer), 'platform'), declined });
  }

  get #isFull(): boolean {
    return this.#options.interactions.size >= OPENCLASP_LIMITS.interactions;
  }

  #admit(offer: Offer, fromPlatform: boolean): Admitted {
    const { character, world } = this.#options.placeOf(offer.agentId) ?? {};
    const principal: Principal = {
      name: offer.counterparty.agentId,
      contract: { ...termsOf(offer, fromPlatform) } as unknown as JsonObject,
      ...(world !== undefined && { world }),
      ...(character !== undefined && { character, characters: [character] }),
    };
    return { ok: true, principal, interactionId: offer.interactionId };
  }
}

const digestOf = (offer: Offer): string => sha256(canonicalJson(offer));
const replayed = (reason: string): Refused => ({ ok: false, step: 'replay', reason });
const full = (): Refused => ({ ok: false, step: 'decision', reason: 'too many interactions are open here' });
const denied = ({ reason, step }: Refused) => ({ decision: 'DENY', step, reason }) as const;
const isGood = (key: RegisteredKey | undefined): boolean => key !== undefined && !key.revoked;

function recordOf(offer: Offer, digest: string, from: Interaction['from']): Interaction {
  const { agentId, contractHash, counterparty, interactionId, offerId } = offer;
  return {
    interactionId,
    offerId,
    digest,
    from,
    agentId,
    counterparty: counterparty.agentId,
    contractHash,
    endsAt: endOf(offer).atMs,
    forgetAt: forgetAt(offer),
  };
}

function acceptedOffer(interaction: Interaction | undefined): { offer: Offer; sessionId: string } | undefined {
  const { accepted, offer } = interaction ?? {};
  return accepted && offer && { offer, sessionId: accepted.sessionId };
}

function idsOf({ agentId, contractHash, interactionId, peer }: Activation) {
  return { interactionId, agentId, counterparty: peer.agentId, contractHash };
}

/** What can be told of a text that was refused. */
function aboutText(text: string): { offerId?: string; interactionId?: string } {
  try {
    const { interactionId, offerId } = JSON.parse(text) as { offerId?: unknown; interactionId?: unknown };
    return {
      ...(typeof offerId === 'string' && { offerId: offerId.slice(0, 64) }),
      ...(typeof interactionId === 'string' && { interactionId: interactionId.slice(0, 64) }),
    };
  } catch {
    return {};
  }
}
