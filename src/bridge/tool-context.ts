import type { JsonObject } from '../base/json.ts';

/** Who calls, as far as a tool needs to know: a name and rights, never the session's id (AICC D11). */
export interface Caller {
  /** The name: a token's, an offer's counterparty, or `anonymous`. */
  readonly principal: string;
  /** The capabilities it holds (AICC G2). */
  readonly capabilities: readonly string[];
}

/**
 * Given to every tool. Time is the world's: it works in hidden tabs and in tests, where `setTimeout` does not.
 * After the call has ended every helper throws, so a late effect through it cannot happen (AICC D12).
 */
export interface ToolContext {
  /** The character's id. */
  readonly characterId: string;
  /** The member of a squad that is meant (AICC D10); absent for characters that are no squad. */
  readonly unit?: string;
  /** Who calls. */
  readonly session: Caller;
  /** Aborts when the call is cancelled, preempted, timed out or its session or body is gone; the reason is an `AiccError`. */
  readonly signal: AbortSignal;
  /** The world's tick now. */
  readonly tick: number;
  /** Milliseconds of this character's world time. */
  readonly now: number;
  /** Seeded, in [0, 1). */
  random(): number;
  /**
   * Resolves after so many milliseconds of world time; rejects when the call is aborted. In event mode a call that does not move the world
   * ends as `execution_failed` when it waits so, or by `until` (AICC E2).
   */
  sleep(ms: number): Promise<void>;
  /** Resolves when the condition holds; asked at once and then after every frame. Rejects when it throws or the call is aborted. */
  until(condition: () => boolean): Promise<void>;
  /** For work outside world time (a fetch, a player's answer). Rejects when the call is aborted. */
  external<T>(work: Promise<T>): Promise<T>;
  /** Sends `state_change {kind: 'progress', call_id, …payload}` to the caller. `dataClass`: what it tells, for contracts (OpenClasp T10). */
  progress(payload: JsonObject, options?: { dataClass?: string }): void;
}

/** A context as its host gets it, to add to. */
export interface HostContext extends ToolContext {
  /**
   * To be asked before anything that the host adds may act.
   * @throws the error of its end when the call is over; those who hear of its abort at once may still clean up after it
   */
  assertActive(): void;
}
