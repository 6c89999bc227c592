import type { ModelClass, ModelDeclaration } from '../protocol/index.ts';

/** How long a model of a class takes for a decision, when it does not say. Milliseconds of wall time. */
const DECISION_MS: Readonly<Record<ModelClass, number>> = { edge_small: 250, edge_medium: 500, cloud_medium: 1_500, cloud_large: 4_000 };

/** Gives an agent its next tick when its model can have dealt with the last one (AICC E5). */
export class TickPace {
  readonly #everyMs: number;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor({ expected_full_response_ms, class: modelClass }: ModelDeclaration) {
    this.#everyMs = expected_full_response_ms ?? DECISION_MS[modelClass];
  }

  isDue(wallNow: number): boolean {
    return wallNow >= this.#nextAt;
  }

  sent(wallNow: number): void {
    this.#nextAt = wallNow + this.#everyMs;
  }

  /** The next one is due at once. */
  reset(): void {
    this.#nextAt = Number.NEGATIVE_INFINITY;
  }
}
