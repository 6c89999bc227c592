import { boundsOf, isDestroyed, type Placed, type Rect, setWorldPosition, worldPosition, type XY } from '../compat.ts';
import { type Body, Facing } from './body.ts';

/** A game object without physics: it goes straight where it is told, once a frame while its scene runs. Walls are the way finder's matter. */
export class PlainBody<T extends Placed> implements Body<T> {
  readonly object: T;
  readonly #look = new Facing();
  #speed: XY = { x: 0, y: 0 };

  constructor(object: T) {
    this.object = object;
  }

  position(): XY {
    return worldPosition(this.object);
  }

  velocity(): XY {
    return { ...this.#speed };
  }

  move(vx: number, vy: number): void {
    this.#speed = { x: vx, y: vy };
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
    setWorldPosition(this.object, { x: x + (this.#speed.x * ms) / 1000, y: y + (this.#speed.y * ms) / 1000 });
  }
}
