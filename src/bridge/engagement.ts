import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { CallCounts } from './call-counts.ts';
import { type GuardedPolicy, guardedPolicy, type Policy } from './policy.ts';
import { Timer } from './timer.ts';

/** How the game's own condition, or else time, ended an interaction (OpenClasp T12, T13). */
export interface InteractionEnd {
  /** The id of the interaction. */
  interaction: string;
  /** The condition that held; undefined: its time is over. */
  condition: string | undefined;
}

/** The contracts in force in a world, as those see them who bring them. */
export interface Contracts {
  /** Says that a contract is in force for a character, though nobody plays under it here now. `hasBegun`: somebody has, in this run of the game or an earlier one. */
  expect(contract: JsonObject, hasBegun: boolean): void;
  /** Ends an interaction for a reason that lies outside the game. */
  end(interaction: string, reason: string): void;
  /** Listens to interactions that the game ended, after their sessions have been closed. @returns the way to stop listening */
  onEnd(listener: (end: InteractionEnd) => void): () => void;
  /** Listens to the end of agents' sessions; the listener must not throw. @returns the way to stop listening */
  onSessionOver(listener: (sessionId: string) => void): () => void;
}

/** What a contract needs of the sessions under it. */
export interface EngagedSession {
  readonly id: string;
  readonly yielding: string | undefined;
  readonly engagement: Engagement | undefined;
  close(why: string): void;
}

/** One contract in this world: it outlives the sessions that are opened under it, and what they used up counts for all of them. */
export class Engagement {
  readonly policy: GuardedPolicy;
  /** JSON text of the terms: a session is resumed under these alone (OpenClasp T19). */
  readonly terms: string | undefined;
  readonly counts = new CallCounts();
  readonly sessions = new Set<EngagedSession>();
  readonly deadline: Timer;
  /** Why it is over; undefined while it is not. */
  over: string | undefined;
  /** Set with `over` where the game ended it. */
  end: InteractionEnd | undefined;

  constructor(policy: Policy, contract: JsonObject | undefined, clock: Clock) {
    this.policy = guardedPolicy(policy);
    this.terms = termsText(contract);
    this.deadline = new Timer(clock);
  }
}

/** The same offer always brings the same text. */
export const termsText = (contract: JsonObject | undefined): string | undefined => contract && JSON.stringify(contract);
