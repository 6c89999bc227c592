import type { KeyObject } from 'node:crypto';
import { type Accepted, canonicalJson, endOf, judgeOffer, judgeToken, type Offer, type Refused, sha256 } from '../../contract/node.ts';
import { type Admitted, admitted } from './admitted.ts';
import { type AuditLog, about, aboutText, denied } from './audit-log.ts';
import { forgetAt, type Interaction, type Interactions, replayed } from './interactions.ts';
import { OPENCLASP_LIMITS } from './openclasp-limits.ts';
import type { AgentPlace, Challenge } from './options.ts';
import type { Proof } from './stored.ts';
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
  /** An offer has been accepted that was not known. */
  accepted(interaction: Interaction): void;
  newId(): string;
  now(): number;
}

/** Takes offers, from the platform and local ones: OpenClasp T5–T7, but for how they travel. */
export class OfferDesk {
  readonly #options: DeskOptions;
  /** Platform offers whose answer is being made, by their ids. */
  readonly #pending = new Map<string, { digest: string; answer: Promise<{ ok: true; accepted: Accepted } | Refused> }>();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** An offer from the platform: its whole body is signed (T5). The same offer again gets the same answer. */
  async takeFromPlatform(proof: Proof, platformKey: KeyObject): Promise<{ ok: true; accepted: Accepted } | Refused> {
    const { audit, now, requirePartySignatures, trust } = this.#options;
    const text = proof.body;
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
    const answer = this.#answerPlatform(offer, digest, challenged, proof).then((result) => {
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

  async #answerPlatform(
    offer: Offer,
    digest: string,
    challenged: boolean,
    proof: Proof,
  ): Promise<{ ok: true; accepted: Accepted } | Refused> {
    const { addressOf, approve, interactions, newId, placeOf } = this.#options;
    const known = this.#used(offer, digest);
    if (known !== undefined && !('ok' in known)) {
      await interactions.kept(known);
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
    const taken = { ...record, offer, accepted, proof };
    await interactions.keep(taken);
    this.#options.accepted(taken);
    return { ok: true, accepted };
  }

  /**
   * A local offer with the token of who presents it (T6).
   * @param offer the text of the offer
   */
  async takeLocal(offer: string, token: string | undefined): Promise<Admitted | Refused> {
    const { audit, interactions, now, placeOf, requirePartySignatures, trust } = this.#options;
    const verdict = judgeOffer(offer, {
      nowMs: now(),
      keys: trust.keys,
      fromPlatform: false,
      serves: (agentId) => placeOf(agentId) !== undefined,
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
      const taken = { ...recordOf(read, digest, 'local'), offer: read };
      await interactions.keep(taken);
      this.#options.accepted(taken);
    } else {
      await interactions.kept(known);
    }
    audit.write({ what: 'offer', from: 'local', decision: 'ALLOW', ...about(read) });
    return admitted(read, false, shown.by, placeOf(agentId));
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
}

const digestOf = (offer: Offer): string => sha256(canonicalJson(offer));
const full = (): Refused => ({ ok: false, step: 'decision', reason: 'too many interactions are open here' });

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
