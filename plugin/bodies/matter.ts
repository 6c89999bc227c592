import type * as Phaser from 'phaser';
import { boundsOf, type MatterPlaced, type Rect, worldPosition, type XY } from '../compat.ts';
import { type Body, Facing } from './body.ts';

/** Matter's velocities are pixels a step, and its steps are counted as 60ths of a second. */
const STEPS_PER_SECOND = 60;

/** A game object with a Matter body: its motion is kept up against friction until `stop` or the next `move`. */
export class MatterBody<T extends MatterPlaced> implements Body<T> {
  readonly object: T;
  readonly #look = new Facing();
  #wanted: XY | undefined;

  constructor(object: T) {
    this.object = object;
  }

  position(): XY {
    return worldPosition(this.object);
  }

  velocity(): XY {
    const velocity = this.object.body?.velocity;
    return { x: (velocity?.x ?? 0) * STEPS_PER_SECOND, y: (velocity?.y ?? 0) * STEPS_PER_SECOND };
  }

  move(vx: number, vy: number): void {
    this.#wanted = { x: vx, y: vy };
    this.#look.follow(this.#wanted);
    this.advance();
  }

  stop(): void {
    this.#wanted = undefined;
    if (this.object.body) this.object.setVelocity(0, this.falls() ? this.object.body.velocity.y : 0);
  }

  face(angle: number): void {
    this.#look.set(angle);
  }

  facing(): number {
    this.#look.follow(this.#wanted ?? { x: 0, y: 0 });
    return this.#look.get();
  }

  falls(): boolean {
    // Its types leave gravity out.
    const gravity = (this.#world?.engine as { gravity?: { y: number; scale: number } } | undefined)?.gravity;
    const body = this.object.body as (MatterJS.BodyType & { ignoreGravity?: boolean }) | null;
    return !!gravity && !!body && !body.isStatic && !body.ignoreGravity && gravity.y * gravity.scale !== 0;
  }

  pace(): number {
    const world = this.#world;
    return !world ? 1 : world.enabled ? world.engine.timing.timeScale : 0;
  }

  whyFixed(): string | undefined {
    return this.object.body?.isStatic ? 'the game has fixed your body where it is' : undefined;
  }

  get #world(): Phaser.Physics.Matter.World | undefined {
    return (this.object.scene as Phaser.Scene | undefined)?.matter?.world;
  }

  bounds(): Rect {
    return boundsOf(this.object);
  }

  /** The scene's frame. */
  advance(): void {
    // Absent once the sprite is destroyed, which may happen under a running tool.
    if (this.#wanted && this.object.body) this.object.setVelocity(this.#wanted.x / STEPS_PER_SECOND, this.#wanted.y / STEPS_PER_SECOND);
  }
}
