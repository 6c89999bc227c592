import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { CallCounts } from './call-counts.ts';
import { type GuardedPolicy, guardedPolicy, type Policy } from './policy.ts';
import type { Session } from './session.ts';
import { Timer } from './timer.ts';

/** How the game's own condition, or else time, ended an interaction (OpenClasp T12, T13). */
export interface InteractionEnd {
  interaction: string;
  /** The condition that held; undefined: its time is over. */
  condition: string | undefined;
}

/** One contract in this world: it outlives the sessions that are opened under it, and what they used up counts for all of them. */
export class Engagement {
  readonly policy: GuardedPolicy;
  /** JSON text of the terms: a session is resumed under these alone. */
  readonly terms: string | undefined;
  readonly counts = new CallCounts();
  readonly sessions = new Set<Session>();
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
