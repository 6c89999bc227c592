import { boundsOf, isDestroyed, type Placed, type Rect, setWorldPosition, worldPosition, type XY } from '../compat.ts';
import { type Body, Facing } from './body.ts';

/** A game object without physics: it goes straight where it is told, once a frame while its scene runs. Walls are the way finder's matter. */
export class PlainBody<T extends Placed> implements Body<T> {
  readonly object: T;
  readonly #look = new Facing();
  #speed: XY = { x: 0, y: 0 };
  #most = Number.POSITIVE_INFINITY;

  constructor(object: T) {
    this.object = object;
  }

  position(): XY {
    return worldPosition(this.object);
  }

  velocity(): XY {
    return { ...this.#speed };
  }

  move(vx: number, vy: number, most = Number.POSITIVE_INFINITY): void {
    this.#speed = { x: vx, y: vy };
    this.#most = most;
    this.#look.follow(this.#speed);
  }

  stop(): void {
    this.#speed = { x: 0, y: 0 };
  }

  face(angle: number): void {
    this.#look.set(angle);
  }

  facing(): number {
    return this.#look.get();
  }

  bounds(): Rect {
    return boundsOf(this.object);
  }

  /** The scene's frame: `ms` of its time have passed. */
  advance(ms: number): void {
    if ((this.#speed.x === 0 && this.#speed.y === 0) || isDestroyed(this.object)) return;
    const { x, y } = this.position();
    const far = (Math.hypot(this.#speed.x, this.#speed.y) * ms) / 1000;
    // A long frame carries it no further than it was told to go.
    const share = Math.min(1, this.#most / far);
    this.#most = Math.max(0, this.#most - far);
    setWorldPosition(this.object, { x: x + (this.#speed.x * ms * share) / 1000, y: y + (this.#speed.y * ms * share) / 1000 });
  }
}
