import { ToolError } from '../../src/bridge/index.ts';
import type { Context } from '../context.ts';
import { isBeside, ownBounds, targetOf } from './around.ts';
import { center, placeText, roundXY } from './geometry.ts';
import { Pace } from './pace.ts';
import type { WalkOptions } from './walk.ts';
import { blocked, type Goal, goalText } from './walk-errors.ts';

const PROGRESS_MS = 500;
const PHYSICS_HZ = 60;
/** World pixels. */
const THERE = 0.5;
/** Slower than this, in pixels a second, it neither falls nor rises. */
const AT_REST = 20;

/** Walks along the ground under gravity, to the side alone: it does not fly or jump. `step` as a `Walk`'s. */
export class GroundWalk {
  readonly #context: Context;
  readonly #goal: Goal;
  readonly #options: WalkOptions;
  readonly #pace: Pace;
  #last: number;
  #toldAt: number;

  constructor(context: Context, goal: Goal, options: WalkOptions) {
    this.#context = context;
    this.#goal = goal;
    this.#options = options;
    this.#last = context.now;
    this.#toldAt = context.now;
    this.#pace = new Pace(context, options.speed);
  }

  step(): boolean {
    const { body, now } = this.#context;
    const ms = Math.max(now - this.#last, 1000 / (this.#context.scene.physics?.world?.fps ?? PHYSICS_HZ));
    this.#last = now;
    if ('target' in this.#goal) this.#goal.target = targetOf(this.#context, this.#goal.target.id);
    if (isBeside(this.#context, this.#goal, this.#options.near)) return true;
    const bounds = ownBounds(this.#context);
    const to = 'target' in this.#goal ? center(this.#goal.target.bounds()) : this.#goal.place;
    const left = to.x - ('target' in this.#goal ? center(bounds).x : body.position().x);
    const falling = body.velocity?.().y ?? 0;
    if (Math.abs(left) <= THERE) {
      body.move?.(0, falling);
      // It may still fall to where it is going.
      if (Math.abs(falling) > AT_REST) return false;
      return this.#isLevel(to.y) || this.#refuse();
    }
    if (this.#pace.isStuck({ x: bounds.x, y: bounds.y }, 'target' in this.#goal ? undefined : Math.abs(left)))
      throw blocked(center(bounds));
    const speed = Math.min(this.#options.speed, (Math.abs(left) * 1000) / ms);
    body.move?.(Math.sign(left) * speed, falling);
    this.#tell(Math.abs(left));
    return false;
  }

  end(): void {}

  /** A place on the ground may be named by any point of the body that stands there. */
  #isLevel(y: number): boolean {
    const { y: top, height } = ownBounds(this.#context);
    return y >= top - height / 2 - 1 && y <= top + 1.5 * height + 1;
  }

  #refuse(): never {
    const at = placeText(this.#context.body.position());
    const text = `unreachable: gravity holds you on the ground, and move_to does not climb or jump; below or above ${goalText(this.#goal)} you stand at ${at}`;
    throw new ToolError('execution_failed', text, false, 'unreachable');
  }

  #tell(left: number): void {
    if (this.#context.now - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = this.#context.now;
    this.#context.progress({ position: { ...roundXY(this.#context.body.position()) }, left: Math.round(left) });
  }
}
