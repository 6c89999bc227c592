import { distance, type Point } from './point.ts';

export interface Lantern extends Point {
  readonly id: string;
  lit: boolean;
}

export interface Flask extends Point {
  readonly id: string;
  /** On the ground, in somebody's hands, or burning. */
  where: 'ground' | 'carried' | 'used';
}

/** Done, or why not, in a sentence that a player or an agent can act on, and whether the same can be done later. */
export type Outcome = { ok: true } | { ok: false; why: string; later: boolean };

export type Ending = 'running' | 'won' | 'lost';

/** How near one must be to pick up, light or give, in world pixels. */
export const reach = 30;
/** A night, in milliseconds of world time. */
export const nightMs = 150_000;

const done: Outcome = { ok: true };
const refuse = (why: string, later = true): Outcome => ({ ok: false, why, later });

/** The whole game without a picture: lanterns, oil, hands and the clock. Positions come in with each act. */
export class NightRules {
  readonly lanterns: readonly Lantern[];
  readonly flasks: readonly Flask[];
  #left = nightMs;
  #ending: Ending = 'running';
  readonly #hands = new Map<string, Flask>();

  constructor(lanterns: readonly { id: string; x: number; y: number }[], flasks: readonly { id: string; x: number; y: number }[]) {
    this.lanterns = lanterns.map((lantern) => ({ ...lantern, lit: false }));
    this.flasks = flasks.map((flask) => ({ ...flask, where: 'ground' as const }));
  }

  get ending(): Ending {
    return this.#ending;
  }

  /** Milliseconds until dawn. */
  get left(): number {
    return this.#left;
  }

  /** How much of the night is over, 0 to 1. */
  get progress(): number {
    return 1 - this.#left / nightMs;
  }

  get lit(): number {
    return this.lanterns.filter((lantern) => lantern.lit).length;
  }

  /** The flask in somebody's hands. */
  carried(who: string): Flask | undefined {
    return this.#hands.get(who);
  }

  /** Lets time pass; dawn before the last lantern is lost. */
  advance(ms: number): void {
    if (this.#ending !== 'running') return;
    this.#left = Math.max(0, this.#left - ms);
    if (this.#left === 0) this.#ending = 'lost';
  }

  nearestFlask(at: Point): Flask | undefined {
    return nearest(
      this.flasks.filter((flask) => flask.where === 'ground'),
      at,
    );
  }

  nearestDarkLantern(at: Point): Lantern | undefined {
    return nearest(
      this.lanterns.filter((lantern) => !lantern.lit),
      at,
    );
  }

  pickUp(who: string, at: Point, id: string): Outcome {
    const flask = this.flasks.find((one) => one.id === id);
    if (flask === undefined) return refuse(`there is no flask called ${id}`, false);
    if (this.#hands.has(who)) return refuse('hands are full: one flask at a time');
    if (flask.where !== 'ground') return refuse(`${id} is not on the ground any more`);
    if (distance(at, flask) > reach) return refuse(`${id} is ${Math.round(distance(at, flask))} px away, come within ${reach}`);
    flask.where = 'carried';
    this.#hands.set(who, flask);
    return done;
  }

  light(who: string, at: Point, id: string): Outcome {
    const lantern = this.lanterns.find((one) => one.id === id);
    const flask = this.#hands.get(who);
    if (lantern === undefined) return refuse(`there is no lantern called ${id}`, false);
    if (lantern.lit) return refuse(`${id} burns already`, false);
    if (flask === undefined) return refuse('no oil in hand: pick up a flask first');
    if (distance(at, lantern) > reach) return refuse(`${id} is ${Math.round(distance(at, lantern))} px away, come within ${reach}`);
    flask.where = 'used';
    this.#hands.delete(who);
    lantern.lit = true;
    if (this.#ending === 'running' && this.lit === this.lanterns.length) this.#ending = 'won';
    return done;
  }

  give(from: string, fromAt: Point, to: string, toAt: Point): Outcome {
    const flask = this.#hands.get(from);
    if (from === to) return refuse('one cannot give to oneself', false);
    if (flask === undefined) return refuse('no oil in hand');
    if (this.#hands.has(to)) return refuse(`${to} already carries oil`);
    if (distance(fromAt, toAt) > reach) return refuse(`${to} is ${Math.round(distance(fromAt, toAt))} px away, stand beside them`);
    this.#hands.delete(from);
    this.#hands.set(to, flask);
    return done;
  }

  putDown(who: string, at: Point): Outcome {
    const flask = this.#hands.get(who);
    if (flask === undefined) return refuse('no oil in hand');
    this.#hands.delete(who);
    flask.where = 'ground';
    flask.x = Math.round(at.x);
    flask.y = Math.round(at.y);
    return done;
  }

  /** 1 to 3 for a night that was won, by how much of it is left. */
  get stars(): number {
    if (this.#ending !== 'won') return 0;
    return this.#left > nightMs * 0.5 ? 3 : this.#left > nightMs * 0.36 ? 2 : 1;
  }
}

function nearest<T extends Point>(among: readonly T[], at: Point): T | undefined {
  return among.reduce<T | undefined>((best, one) => (best === undefined || distance(at, one) < distance(at, best) ? one : best), undefined);
}
