import { type Accepted, type Activation, asShape, endOf, judged, type Offer, type Refused } from '../../contract/node.ts';
import type { RetainedFile } from './retained-file.ts';

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
  /** What the platform was answered. */
  accepted?: Accepted;
  /** Why it was declined, so that the same offer gets the same answer. */
  declined?: string;
  activation?: Activation;
  activationId?: string;
  activationDigest?: string;
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

/** The interactions that are known, by their ids; each change is written to a file that survives a restart. */
export class Interactions {
  readonly #known = new Map<string, Interaction>();
  readonly #file: RetainedFile | undefined;
  readonly #now: () => number;

  private constructor(known: readonly Interaction[], file: RetainedFile | undefined, now: () => number) {
    for (const each of known) this.#known.set(each.interactionId, each);
    this.#file = file;
    this.#now = now;
  }

  static async load(file: RetainedFile | undefined, now: () => number): Promise<Interactions> {
    return new Interactions((await file?.read(readAll)) ?? [], file, now);
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
    return this.all().find((each) => each.offerId === offerId);
  }

  live(interactionId: string): Interaction | undefined {
    const known = this.#known.get(interactionId);
    return known && isLive(known, this.#now()) ? known : undefined;
  }

  /** Remembers it, or what changed of it. Resolves when that is on disk; rejects when it cannot be. */
  keep(interaction: Interaction): Promise<void> {
    this.#forget();
    this.#known.set(interaction.interactionId, interaction);
    return this.#save();
  }

  /** T14: an interaction that is over leaves its ids alone. */
  end(interaction: Interaction, reason: string): Promise<void> {
    interaction.ended ??= reason;
    delete interaction.offer;
    delete interaction.activation;
    return this.#save();
  }

  /** Resolves when everything is on disk, or cannot be. */
  async flushed(): Promise<void> {
    await this.#file?.flushed();
  }

  #save(): Promise<void> {
    return this.#file?.write(JSON.stringify({ version: 1, interactions: this.all() })) ?? Promise.resolve();
  }

  #forget(): void {
    const now = this.#now();
    for (const [id, each] of this.#known) if (each.forgetAt <= now) this.#known.delete(id);
  }
}

/** @throws {TypeError} one sentence */
function readAll(text: string): Interaction[] {
  const file = JSON.parse(text) as { version?: unknown; interactions?: unknown };
  if (file?.version !== 1 || !Array.isArray(file.interactions)) throw new TypeError('it is no list of interactions of version 1');
  return file.interactions.map((each: unknown, index) => {
    if (!isInteraction(each)) throw new TypeError(`its interaction ${index} is not whole`);
    return each;
  });
}

function isInteraction(value: unknown): value is Interaction {
  if (typeof value !== 'object' || value === null) return false;
  const { activation, endsAt, forgetAt: forget, from, offer, ...texts } = value as Interaction;
  const areTexts = ['interactionId', 'offerId', 'digest', 'agentId', 'counterparty', 'contractHash'].every(
    (name) => typeof (texts as Record<string, unknown>)[name] === 'string',
  );
  if (!areTexts || !Number.isFinite(endsAt) || !Number.isFinite(forget) || (from !== 'platform' && from !== 'local')) return false;
  return judged(() => {
    if (offer !== undefined && endOf(asShape('offer', offer)).atMs !== endsAt) throw new TypeError('its end was changed');
    if (activation !== undefined) asShape('activation', activation);
    return { ok: true };
  }).ok;
}
