import type * as Phaser from 'phaser';
import { arcadeBodyOf, boundsOf, type Placed, type Rect, worldPosition, type XY } from '../compat.ts';
import { type Body, Facing } from './body.ts';

/** A game object with an Arcade body: the physics moves it and stops it at walls. A static one cannot move. */
export class ArcadeBody<T extends Placed> implements Body<T> {
  readonly object: T;
  readonly #look = new Facing();
  #leash: Leash | undefined;

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

  move(vx: number, vy: number, most?: number): void {
    const body = this.#dynamic();
    this.#leash?.end();
    body?.setVelocity(vx, vy);
    if (body && most !== undefined) this.#leash = new Leash(body, most);
    this.#look.follow({ x: vx, y: vy });
  }

  stop(): void {
    this.#leash?.end();
    const body = this.#dynamic();
    body?.setVelocity(0, this.falls() ? body.velocity.y : 0);
  }

  face(angle: number): void {
    this.#look.set(angle);
  }

  facing(): number {
    this.#look.follow(this.velocity());
    return this.#look.get();
  }

  falls(): boolean {
    const body = this.#dynamic();
    return !!body?.moves && body.allowGravity && body.gravity.y + body.world.gravity.y !== 0;
  }

  pace(): number {
    const world = arcadeBodyOf(this.object)?.world;
    return !world ? 1 : world.isPaused ? 0 : 1 / world.timeScale;
  }

  whyFixed(): string | undefined {
    const body = arcadeBodyOf(this.object);
    if (!body) return undefined;
    if (!body.enable) return 'the game has switched your body off';
    return 'setVelocity' in body && (body as Phaser.Physics.Arcade.Body).moves ? undefined : 'the game has fixed your body where it is';
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

/** Where its body may go, however many steps physics takes in a frame: it slows the last step down, and then holds it. */
class Leash {
  readonly #body: Phaser.Physics.Arcade.Body;
  readonly #most: number;
  readonly #from: XY;
  readonly #events: Phaser.Events.EventEmitter;

  constructor(body: Phaser.Physics.Arcade.Body, most: number) {
    this.#body = body;
    this.#most = most;
    this.#from = { x: body.position.x, y: body.position.y };
    this.#events = body.world;
    this.#events.on('worldstep', this.#stepped, this);
  }

  end(): void {
    this.#events.off('worldstep', this.#stepped, this);
  }

  /** @param step in seconds */
  #stepped(step: number): void {
    const { position, velocity, gameObject } = this.#body;
    // The game may have destroyed it in the middle of a frame.
    if (!gameObject) return this.end();
    const left = this.#most - Math.hypot(position.x - this.#from.x, position.y - this.#from.y);
    const next = Math.hypot(velocity.x, velocity.y) * step;
    if (next === 0 || next <= left) return;
    if (left <= 0) this.end();
    velocity.scale(Math.max(0, left) / next);
  }
}
