import { ToolError } from '../../src/bridge/index.ts';
import type { XY } from '../compat.ts';
import type { Context } from '../context.ts';
import { distance } from './geometry.ts';

/** When a walk counts as stuck, in milliseconds of its body's own time. */
const STUCK = {
  /** Hardly moved for so long … */
  still: 800,
  /** … or moving, but not getting on, for so long. */
  aimless: 3_000,
} as const;

/** Watches whether a walker gets on, in the time of its body: in slow motion everything takes longer. */
export class Pace {
  readonly #context: Context;
  readonly #speed: number;
  #last: number;
  /** Milliseconds of the body's time. */
  #walked = 0;
  #stood = 0;
  #anchor: { at: XY; since: number } | undefined;
  #best = { left: Number.POSITIVE_INFINITY, since: 0 };

  /** @throws ToolError when it cannot move at all */
  constructor(context: Context, speed: number) {
    this.#context = context;
    this.#speed = speed;
    this.#last = context.now;
    if (!(speed > 0))
      throw new ToolError('tool_unavailable', `your speed is ${speed}: you cannot walk now; try again later`, true, 'immovable');
    this.#mustMove();
  }

  /** A new way begins. */
  restart(): void {
    this.#anchor = undefined;
    this.#best = { left: Number.POSITIVE_INFINITY, since: this.#walked };
  }

  /**
   * Asked once a frame.
   * @param left how far it still is; undefined when that tells nothing
   * @throws ToolError when no obstacle, but the game keeps it from moving
   */
  isStuck(at: XY, left: number | undefined): boolean {
    const ms = this.#context.now - this.#last;
    this.#last = this.#context.now;
    const pace = this.#context.body.pace?.() ?? 1;
    this.#walked += ms * pace;
    this.#stood = pace > 0 ? 0 : this.#stood + ms;
    if (this.#stood >= STUCK.still) {
      throw new ToolError('tool_unavailable', "the game's physics stands still, and nobody can walk; try again later", true, 'paused');
    }
    this.#mustMove();
    if (!this.#anchor || distance(at, this.#anchor.at) > Math.min(4, this.#speed * 0.2)) this.#anchor = { at, since: this.#walked };
    // So far away, a step changes no number.
    const tellsNothing = left === undefined || left > Number.MAX_SAFE_INTEGER;
    if (tellsNothing || left < this.#best.left - 1) this.#best = { left: left ?? Number.POSITIVE_INFINITY, since: this.#walked };
    return this.#walked - this.#anchor.since >= STUCK.still || this.#walked - this.#best.since >= STUCK.aimless;
  }

  #mustMove(): void {
    const why = this.#context.body.whyFixed?.();
    if (why) throw new ToolError('tool_unavailable', `${why}: you cannot walk now; try again later`, true, 'immovable');
  }
}
