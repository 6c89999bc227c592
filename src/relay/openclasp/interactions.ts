import { type Accepted, type Activation, asShape, endOf, judged, type Offer, type Refused } from '../../contract/node.ts';
import type { RetainedRecords } from './retained-records.ts';
import type { Proof } from './stored.ts';

/** One interaction that was offered here. */
export interface Interaction {
  interactionId: string;
  offerId: string;
  /** Hash of the whole offer. */
  digest: string;
  from: 'platform' | 'local';
  agentId: string;
  counterparty: string;
  contractHash: string;
  /** Milliseconds since 1970: no session goes on after it (T12). */
  endsAt: number;
  /** Until then its ids must not be used for anything else. */
  forgetAt: number;
  /** Goes when the interaction ends (T14). */
  offer?: Offer;
  /** The platform's request that brought it, and the one that brought the activation. */
  proof?: Proof;
  activationProof?: Proof;
  /** What the platform was answered. */
  accepted?: Accepted;
  /** Why it was declined, so that the same offer gets the same answer. */
  declined?: string;
  activation?: Activation;
  activationId?: string;
  activationDigest?: string;
  /** The public keys that opened its sessions and took them up again, by session id (T8). */
  presenters?: Record<string, string[]>;
  /** Why it is over. */
  ended?: string;
  /** The first event of its session was reported. */
  started?: boolean;
  /** Reports have numbers below this one. */
  sequence?: number;
}

/** The latest moment that an offer names, signed or not. */
export function forgetAt({ contract, expiresAt }: Offer): number {
  return Math.max(Date.parse(expiresAt), contract.deadline === undefined ? 0 : Date.parse(contract.deadline));
}

/** Whether the interaction goes on. */
export function isLive({ declined, ended, endsAt }: Interaction, nowMs: number): boolean {
  return ended === undefined && declined === undefined && endsAt > nowMs;
}

/** An id stands for something else already (T7). */
export const replayed = (reason: string): Refused => ({ ok: false, step: 'replay', reason });

/** The interactions that are known, by their ids; each change is written to a record that survives a restart. */
export class Interactions {
  readonly #known = new Map<string, Interaction>();
  readonly #byOffer = new Map<string, Interaction>();
  readonly #byActivation = new Map<string, Interaction>();
  readonly #records: RetainedRecords | undefined;
  readonly #now: () => number;
  /** The newest change of each that is not known to be on disk. */
  readonly #unsaved = new Map<string, object>();
  /** Until then none can be forgotten. */
  #forgetNext = Number.POSITIVE_INFINITY;

  private constructor(known: readonly Interaction[], records: RetainedRecords | undefined, now: () => number) {
    this.#records = records;
    this.#now = now;
    for (const each of known) this.#remember(each);
  }

  /** @param check throws, in one clause, for what must not be used */
  static async load(
    records: RetainedRecords | undefined,
    now: () => number,
    check: (interaction: Interaction) => void = () => {},
  ): Promise<Interactions> {
    const read = (text: string): Interaction => {
      const interaction = readRecord(text);
      check(interaction);
      return interaction;
    };
    return new Interactions((await records?.read(read)) ?? [], records, now);
  }

  get size(): number {
    this.#forget();
    return this.#known.size;
  }

  all(): Interaction[] {
    return [...this.#known.values()];
  }

  find(interactionId: string): Interaction | undefined {
    return this.#known.get(interactionId);
  }

  byOffer(offerId: string): Interaction | undefined {
    return this.#byOffer.get(offerId);
  }

  byActivation(activationId: string): Interaction | undefined {
    return this.#byActivation.get(activationId);
  }

  live(interactionId: string): Interaction | undefined {
    const known = this.#known.get(interactionId);
    return known && isLive(known, this.#now()) ? known : undefined;
  }

  /** Remembers it, or what changed of it. Resolves when that is on disk; rejects when it cannot be. */
  keep(interaction: Interaction): Promise<void> {
    this.#forget();
    this.#remember(interaction);
    return this.#save(interaction);
  }

  /** Resolves when what is known of it is on disk, where it may have failed to be; rejects when it cannot be. */
  async kept(interaction: Interaction): Promise<void> {
    if (this.#unsaved.has(interaction.interactionId)) await this.#save(interaction);
  }

  /** T14: an interaction that is over leaves its ids alone. */
  end(interaction: Interaction, reason: string): Promise<void> {
    interaction.ended ??= reason;
    delete interaction.offer;
    delete interaction.activation;
    delete interaction.proof;
    delete interaction.activationProof;
    delete interaction.presenters;
    return this.#save(interaction);
  }

  /** Resolves when everything is on disk, or cannot be. */
  async flushed(): Promise<void> {
    await this.#records?.flushed();
  }

  async #save(interaction: Interaction): Promise<void> {
    const { interactionId } = interaction;
    const change = {};
    this.#unsaved.set(interactionId, change);
    await this.#records?.write(interactionId, JSON.stringify({ version: 1, interaction }));
    if (this.#unsaved.get(interactionId) === change) this.#unsaved.delete(interactionId);
  }

  #remember(interaction: Interaction): void {
    const { activationId, forgetAt: forget, interactionId, offerId } = interaction;
    this.#known.set(interactionId, interaction);
    this.#byOffer.set(offerId, interaction);
    if (activationId !== undefined) this.#byActivation.set(activationId, interaction);
    this.#forgetNext = Math.min(this.#forgetNext, forget);
  }

  #forget(): void {
    const now = this.#now();
    if (now < this.#forgetNext) return;
    this.#forgetNext = Number.POSITIVE_INFINITY;
    for (const { activationId, forgetAt: forget, interactionId, offerId } of this.all()) {
      if (forget > now) {
        this.#forgetNext = Math.min(this.#forgetNext, forget);
        continue;
      }
      this.#known.delete(interactionId);
      this.#byOffer.delete(offerId);
      if (activationId !== undefined) this.#byActivation.delete(activationId);
      this.#unsaved.delete(interactionId);
      // One that stays on disk is forgotten again after a restart.
      this.#records?.remove(interactionId).catch(() => {});
    }
  }
}

/** @throws {TypeError} one sentence */
function readRecord(text: string): Interaction {
  const record = JSON.parse(text) as { version?: unknown; interaction?: unknown } | null;
  if (record?.version !== 1) throw new TypeError('it is no record of version 1');
  if (!isInteraction(record.interaction)) throw new TypeError('its interaction is not whole');
  return record.interaction;
}

function isInteraction(value: unknown): value is Interaction {
  if (typeof value !== 'object' || value === null) return false;
  const { activation, endsAt, forgetAt: forget, from, offer, presenters = {}, ...texts } = value as Interaction;
  const areTexts = ['interactionId', 'offerId', 'digest', 'agentId', 'counterparty', 'contractHash'].every(
    (name) => typeof (texts as Record<string, unknown>)[name] === 'string',
  );
  if (!areTexts || !Number.isFinite(endsAt) || !Number.isFinite(forget) || (from !== 'platform' && from !== 'local')) return false;
  if (!Object.values(presenters).every((keys) => Array.isArray(keys) && keys.every((key) => typeof key === 'string'))) return false;
  return judged(() => {
    if (offer !== undefined && endOf(asShape('offer', offer)).atMs !== endsAt) throw new TypeError('its end was changed');
    if (activation !== undefined) asShape('activation', activation);
    return { ok: true };
  }).ok;
}
