import type { Rect, XY } from '../compat.ts';

/**
 * What a character is made of. World pixels, radians (0 = +x, clockwise on the screen, as everywhere in Phaser), pixels a second.
 * Always world coordinates, also inside containers. What a body cannot do is left out, and tools that need it say so.
 */
export interface Body<T = unknown> {
  /** The game's own object. */
  readonly object: T;
  /** Where it is. */
  position(): XY;
  /** How fast it goes, in pixels a second. */
  velocity?(): XY;
  /** Sets the velocity; it goes on until `stop` or the next `move`, or until it has gone `most` world pixels. */
  move?(vx: number, vy: number, most?: number): void;
  /** Ends its movement. */
  stop?(): void;
  /** Turns it. The ready-made bodies only remember it (see `facing`): whether the picture turns or flips is the game's matter. */
  face?(angle: number): void;
  /** Where it looks: where it was told to, or where it last went. */
  facing?(): number;
  /** Whether gravity pulls it: then it walks on the ground, and only to the side. Absent: no. */
  falls?(): boolean;
  /** How fast its time goes: 1 as the game's, 0.1 in slow motion, 0 while its physics stands still. Absent: 1. */
  pace?(): number;
  /** Why it cannot be moved at all now, as a sentence about "your body". Absent, or undefined: it can. */
  whyFixed?(): string | undefined;
  /** The room it takes, for ways through walls and for reach. Absent: a point. */
  bounds?(): Rect;
}

/** A body's look: turned by hand or by walking. */
export class Facing {
  #angle = Math.PI / 2;

  set(angle: number): void {
    this.#angle = normalizeAngle(angle);
  }

  /** Looks where it goes; a body that stands keeps its look. */
  follow({ x, y }: XY): void {
    if (x !== 0 || y !== 0) this.#angle = Math.atan2(y, x);
  }

  get(): number {
    return this.#angle;
  }
}

/** The same angle in (-π, π]. */
export function normalizeAngle(angle: number): number {
  const turn = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  return turn <= -Math.PI ? Math.PI : turn;
}
