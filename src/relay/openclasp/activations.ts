import type { KeyObject } from 'node:crypto';
import { type Activation, canonicalJson, judgeActivation, type Offer, type Refused, sha256 } from '../../contract/node.ts';
import { type AuditLog, denied } from './audit-log.ts';
import { type Interaction, type Interactions, replayed } from './interactions.ts';
import { OPENCLASP_LIMITS } from './openclasp-limits.ts';
import type { Proof } from './stored.ts';
import type { Trust } from './trust.ts';

export interface ActivationsOptions {
  interactions: Interactions;
  trust: Trust;
  audit: AuditLog;
  now(): number;
}

/** Takes the platform's activations of offers that were accepted here (OpenClasp T5). */
export class Activations {
  readonly #options: ActivationsOptions;

  constructor(options: ActivationsOptions) {
    this.#options = options;
  }

  /** @param proof the platform's request, whose body is signed */
  async activate(proof: Proof, platformKey: KeyObject): Promise<{ ok: true; activationId: string } | Refused> {
    const { audit, interactions, now, trust } = this.#options;
    const verdict = judgeActivation(proof.body, (interactionId) => acceptedOffer(interactions.live(interactionId)), {
      nowMs: now(),
      keys: trust.keys,
      platformKey,
    });
    const result = verdict.ok ? await this.#keep(verdict.activation, proof) : verdict;
    const ids = verdict.ok ? idsOf(verdict.activation) : {};
    audit.write({ what: 'activation', from: 'platform', decision: 'ALLOW', ...(result.ok ? {} : denied(result)), ...ids });
    return result;
  }

  async #keep(activation: Activation, proof: Proof): Promise<{ ok: true; activationId: string } | Refused> {
    const { interactions } = this.#options;
    const { activationId, interactionId } = activation;
    const digest = sha256(canonicalJson(activation));
    const interaction = interactions.live(interactionId) as Interaction;
    const other = interactions.byActivation(activationId);
    if (other !== undefined && other !== interaction) return replayed('the activationId was used for another interaction');
    if (interaction.activationId === undefined) {
      const sequence = OPENCLASP_LIMITS.sequenceBlock;
      Object.assign(interaction, { activation, activationId, activationDigest: digest, activationProof: proof, sequence });
      await interactions.keep(interaction);
    } else if (interaction.activationDigest !== digest) {
      return replayed('the interaction was activated with other content');
    } else {
      await interactions.kept(interaction);
    }
    return { ok: true, activationId };
  }
}

function acceptedOffer(interaction: Interaction | undefined): { offer: Offer; sessionId: string } | undefined {
  const { accepted, offer } = interaction ?? {};
  return accepted && offer && { offer, sessionId: accepted.sessionId };
}

function idsOf({ agentId, contractHash, interactionId, peer }: Activation) {
  return { interactionId, agentId, counterparty: peer.agentId, contractHash };
}
