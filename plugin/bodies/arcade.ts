import type * as Phaser from 'phaser';
import { arcadeBodyOf, boundsOf, type Placed, type Rect, worldPosition, type XY } from '../compat.ts';
import { type Body, Facing } from './body.ts';

/** A game object with an Arcade body: the physics moves it and stops it at walls. A static one cannot move. */
export class ArcadeBody<T extends Placed> implements Body<T> {
  readonly object: T;
  readonly #look = new Facing();

  constructor(object: T) {
    this.object = object;
  }

  position(): XY {
    return worldPosition(this.object);
  }

  velocity(): XY {
    const velocity = this.#dynamic()?.velocity;
    return { x: velocity?.x ?? 0, y: velocity?.y ?? 0 };
  }

  move(vx: number, vy: number): void {
    this.#dynamic()?.setVelocity(vx, vy);
    this.#look.follow({ x: vx, y: vy });
  }

  stop(): void {
    this.#dynamic()?.setVelocity(0, 0);
  }

  face(angle: number): void {
    this.#look.set(angle);
  }

  facing(): number {
    this.#look.follow(this.velocity());
    return this.#look.get();
  }

  bounds(): Rect {
    return boundsOf(this.object);
  }

  /** Absent once the sprite is destroyed, which may happen under a running tool. */
  #dynamic(): Phaser.Physics.Arcade.Body | undefined {
    const body = arcadeBodyOf(this.object);
    return body && 'setVelocity' in body ? (body as Phaser.Physics.Arcade.Body) : undefined;
  }
}
