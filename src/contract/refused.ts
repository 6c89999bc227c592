/** The checks of an offer in their order (T7); a refusal names the one that decided. */
export const STEPS = [
  'schema',
  'time',
  'agent',
  'interaction',
  'hash',
  'parties',
  'signature',
  'brief',
  'decision',
  'replay',
  'presenter',
] as const;

export type Step = (typeof STEPS)[number];

/** Why an offer, an activation or a token does not count. `reason` is one sentence. */
export interface Refused {
  ok: false;
  step: Step;
  reason: string;
}

/** Thrown within a judgement, never out of it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly step: Step;

  constructor(step: Step, reason: string) {
    super(reason);
    this.step = step;
  }
}

/** Runs a judgement whose steps throw `Refusal`. What else it may throw is a value that could not be judged. */
export function judged<T extends { ok: true }>(judge: () => T): T | Refused {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, step: error.step, reason: error.message };
    return { ok: false, step: 'schema', reason: 'it cannot be judged' };
  }
}
