import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { OpenRequest } from '../protocol/index.ts';
import { type Contracts, type EngagedSession, Engagement, type InteractionEnd, termsText } from './engagement.ts';
import type { Policy } from './policy.ts';

/** Contracts that are over, or that nobody plays under now, are remembered up to this many. */
const MOST_REMEMBERED = 4_096;

type Request = Pick<OpenRequest, 'contract' | 'principal'>;

/**
 * The contracts that are in force in this world, whether or not somebody is there who plays under them: what ends one while its driver is away ends
 * it all the same (OpenClasp T12, T13).
 */
export class Engagements implements Contracts {
  readonly #clock: Clock;
  readonly #policyFor: (request: Request) => Policy | undefined;
  readonly #conditions = new Set<string>();
  /** In the order in which they came. */
  readonly #all = new Set<Engagement>();
  readonly #named = new Map<string, Engagement>();
  readonly #listeners = new Set<(end: InteractionEnd) => void>();
  readonly #sessionListeners = new Set<(sessionId: string) => void>();

  /** @param policyFor for a session, or a contract that was only announced */
  constructor(clock: Clock, policyFor: (request: Request) => Policy | undefined) {
    this.#clock = clock;
    this.#policyFor = policyFor;
  }

  /**
   * The contract that a request asks to play under, known or new; undefined: none.
   * @throws what the policy's maker throws
   */
  of(request: Request): Engagement | undefined {
    const policy = this.#policyFor(request);
    if (policy === undefined) return undefined;
    const { interaction } = policy;
    const known = interaction === undefined ? undefined : this.#named.get(interaction);
    if (known !== undefined && known.terms !== termsText(request.contract)) throw new TypeError('the interaction has another contract');
    return known ?? new Engagement(policy, request.contract, this.#clock);
  }

  /** A session under it has opened and has said so: a condition that holds already ends it now. */
  joined(engagement: Engagement): void {
    this.#remember(engagement);
    this.#lookAtConditions(engagement);
  }

  /** A session is over, under a contract or not. */
  left(session: EngagedSession): void {
    const { engagement } = session;
    if (session.yielding === undefined) for (const listener of [...this.#sessionListeners]) listener(session.id);
    if (engagement === undefined) return;
    engagement.sessions.delete(session);
    if (engagement.policy.interaction === undefined && engagement.sessions.size === 0) this.#forget(engagement);
  }

  /**
   * A contract is in force for a character, though nobody plays under it here now. One that is over here is told of again.
   * @param hasBegun somebody has played under it, in this run of the game or an earlier one: a condition that holds already ends it
   */
  expect(contract: JsonObject, hasBegun: boolean): void {
    let engagement: Engagement | undefined;
    try {
      engagement = this.of({ contract, principal: '' });
    } catch {
      // Whoever opens a session under it hears of that.
    }
    if (engagement?.policy.interaction === undefined) return;
    if (engagement.end !== undefined) return this.#tell(engagement.end);
    this.#remember(engagement);
    if (hasBegun) this.#lookAtConditions(engagement);
  }

  condition(name: string, holds: boolean): void {
    if (!holds) {
      this.#conditions.delete(name);
      return;
    }
    this.#conditions.add(name);
    for (const engagement of [...this.#all]) this.#hold(engagement, name);
  }

  /** Ends one for a reason that lies outside the game. */
  end(interaction: string, reason: string): void {
    const engagement = this.#named.get(interaction);
    if (engagement !== undefined && engagement.over === undefined) this.#end(engagement, reason);
  }

  /** Told when the game ended an interaction, after its sessions have been closed. @returns the way to stop that */
  onEnd(listener: (end: InteractionEnd) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Told when an agent's session is over, whether its agent was there or not. Must not throw. @returns the way to stop that */
  onSessionOver(listener: (sessionId: string) => void): () => void {
    this.#sessionListeners.add(listener);
    return () => this.#sessionListeners.delete(listener);
  }

  close(): void {
    for (const engagement of this.#all) engagement.deadline.stop();
  }

  #lookAtConditions(engagement: Engagement): void {
    for (const condition of [...this.#conditions]) this.#hold(engagement, condition);
  }

  #hold(engagement: Engagement, condition: string): void {
    if (engagement.over !== undefined) return;
    const reason = engagement.policy.endedBy(condition);
    if (reason !== undefined) this.#endByGame(engagement, reason, condition);
  }

  #endByGame(engagement: Engagement, reason: string, condition: string | undefined): void {
    const { interaction } = engagement.policy;
    const end = interaction === undefined ? undefined : { interaction, condition };
    engagement.end = end;
    this.#end(engagement, reason);
    if (end !== undefined) this.#tell(end);
  }

  #end(engagement: Engagement, reason: string): void {
    engagement.over = reason;
    for (const session of [...engagement.sessions]) session.close(reason);
  }

  #tell(end: InteractionEnd): void {
    for (const listener of [...this.#listeners]) listener(end);
  }

  #remember(engagement: Engagement): void {
    const { deadline, policy } = engagement;
    if (this.#all.has(engagement)) return;
    this.#all.add(engagement);
    if (policy.interaction !== undefined) this.#named.set(policy.interaction, engagement);
    const { deadline: ends } = policy;
    // From then on its offer is refused for its time alone.
    if (ends !== undefined)
      deadline.start(() => {
        if (engagement.over === undefined) this.#endByGame(engagement, ends.reason, undefined);
        this.#forget(engagement);
      }, ends.inMs);
    if (this.#all.size <= MOST_REMEMBERED) return;
    for (const each of this.#all) {
      if (each.sessions.size > 0 || each === engagement) continue;
      this.#forget(each);
      break;
    }
  }

  #forget(engagement: Engagement): void {
    const { interaction } = engagement.policy;
    engagement.deadline.stop();
    this.#all.delete(engagement);
    if (interaction !== undefined && this.#named.get(interaction) === engagement) this.#named.delete(interaction);
  }
}
