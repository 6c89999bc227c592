import type { Rect, XY } from '../compat.ts';
import type { Context } from '../context.ts';
import { everyStep } from '../walls.ts';
import { isBeside, ownBounds, seesFrom, surroundingsOf, targetOf } from './around.ts';
import { center, distance, roundXY } from './geometry.ts';
import { Pace } from './pace.ts';
import { blocked, type Goal, noWay } from './walk-errors.ts';
import { findWay, type Way } from './way.ts';

export interface WalkOptions {
  /** World pixels a second. */
  speed: number;
  /** The room to leave to a target. */
  near: number;
  /** The walker's width and height for passages. Absent: its bounds. */
  size: number | undefined;
}

/** So many obstacles are walked around before it gives up. */
const MOST_DETOURS = 3;
/** A moving target is followed at most so often, in milliseconds of world time. */
const FOLLOW_MS = 200;
const PROGRESS_MS = 500;
/** World pixels. */
const THERE = 0.1;
const NEARLY_THERE = 2;
/** Two physics steps. */
const IDLE_MS = 33;
/** A physics step; bodies move in steps of this. */
const PHYSICS_HZ = 60;

/** One way, walked step by step. `step` is asked at once and after every frame until it says true or throws why it cannot go on. */
export class Walk {
  readonly #context: Context;
  readonly #goal: Goal;
  readonly #options: WalkOptions;
  readonly #pace: Pace;
  #path: XY[] = [];
  #search: Generator<number, Way> | undefined;
  #searchEnds: () => void = () => undefined;
  readonly #avoid: Rect[] = [];
  #plannedFor: XY = { x: 0, y: 0 };
  #plannedAt = 0;
  #last: number;
  #lastLeft = Number.POSITIVE_INFINITY;
  #idle = 0;
  #toldAt: number;

  constructor(context: Context, goal: Goal, options: WalkOptions) {
    this.#context = context;
    this.#goal = goal;
    this.#options = options;
    this.#last = context.now;
    this.#toldAt = context.now;
    this.#pace = new Pace(context, options.speed);
    this.#plan();
  }

  /** How far it still is, along the way. */
  get left(): number {
    return [this.#middle, ...this.#path].reduce((sum, at, index, all) => sum + (index === 0 ? 0 : distance(all[index - 1]!, at)), 0);
  }

  /** @throws ToolError when there is no way, or none any more */
  step(): boolean {
    const { now } = this.#context;
    const ms = now - this.#last;
    this.#last = now;
    this.#follow();
    if (isBeside(this.#context, this.#goal, this.#options.near)) return true;
    if (this.#search) this.#think(this.#search);
    this.#passWaypoints(ms * (this.#context.body.pace?.() ?? 1));
    if (this.#search && this.#path.length === 0) return this.#wait();
    if (this.#path.length === 0) return true;
    if (this.#isShut()) {
      // The map has changed.
      this.#path = [];
      this.#plan();
      return this.#wait();
    }
    this.#watchForObstacles();
    const towards = this.#path[0];
    if (!towards) return this.#wait();
    this.#go(towards, Math.max(ms, 1000 / (this.#context.scene.physics?.world?.fps ?? PHYSICS_HZ)));
    this.#tell();
    return false;
  }

  /** It is over, however it ended. */
  end(): void {
    this.#search = undefined;
    this.#searchEnds();
  }

  get #middle(): XY {
    return center(ownBounds(this.#context));
  }

  get #size(): { width: number; height: number } {
    const { size } = this.#options;
    return size === undefined ? ownBounds(this.#context) : { width: size, height: size };
  }

  /** Where the walker's middle has to go. */
  get #destination(): XY {
    if ('target' in this.#goal) return center(this.#goal.target.bounds());
    const middle = this.#middle;
    const position = this.#context.body.position();
    return { x: this.#goal.place.x + middle.x - position.x, y: this.#goal.place.y + middle.y - position.y };
  }

  #plan(): void {
    this.end();
    this.#searchEnds = surroundingsOf(this.#context).searches.enter();
    this.#search = this.#findWay();
    this.#plannedFor = this.#destination;
    this.#plannedAt = this.#context.now;
  }

  /** Carries the search on for as long as this frame has room for it. */
  #think(search: Generator<number, Way>): void {
    const way = surroundingsOf(this.#context).searches.run(search);
    if (!way) return;
    this.end();
    if (!way.found) throw this.#avoid.length > 0 ? blocked(this.#middle) : noWay(this.#context, this.#goal, way);
    this.#path = way.points;
    this.#lastLeft = Number.POSITIVE_INFINITY;
    this.#pace.restart();
  }

  *#findWay(): Generator<number, Way> {
    const { walls } = surroundingsOf(this.#context);
    const { width, height } = this.#size;
    const from = this.#middle;
    const to = this.#destination;
    const goal = this.#goal;
    const search = (within: number, willDo?: (at: XY) => boolean) =>
      findWay(walls, { from, to, width, height, within, avoid: this.#avoid, ...(willDo && { willDo }) });
    if (!walls.blocks(to, width, height)) return yield* search(0);
    const { cell } = walls.grid;
    if ('target' in goal) {
      const other = goal.target.bounds();
      const sizes = (Math.min(width, height) + Math.min(other.width, other.height)) / 2;
      // A thin wall may stand between.
      return yield* search(Math.max(sizes + this.#options.near, 1.5 * cell), (at) => seesFrom(this.#context, at, goal.target));
    }
    // A place too near a wall for so wide a body is reached as well as it goes; one inside a wall is not.
    if (!walls.blocks(goal.place, 0, 0)) return yield* search(Math.max(width, height) / 2 + cell);
    const way = yield* search(0);
    return way.found ? { found: false, nearest: way.points.at(-1), gaveUp: false } : way;
  }

  /** The target may have gone or moved. */
  #follow(): void {
    if (!('target' in this.#goal)) return;
    this.#goal.target = targetOf(this.#context, this.#goal.target.id);
    const moved = distance(this.#destination, this.#plannedFor);
    const isLate = this.#context.now - this.#plannedAt >= FOLLOW_MS;
    if (!this.#search && isLate && moved > surroundingsOf(this.#context).walls.grid.cell / 2) this.#plan();
  }

  /** @param ms of the body's own time */
  #passWaypoints(ms: number): void {
    for (let next = this.#path[0]; next; next = this.#path[0]) {
      const left = distance(this.#middle, next);
      // Some bodies move in whole pixels: near and not getting nearer is there. Not after one frame, for physics may have taken no step in it.
      this.#idle = left < this.#lastLeft ? 0 : this.#idle + ms;
      this.#lastLeft = Math.min(left, this.#lastLeft);
      if (left > THERE && !(left <= NEARLY_THERE && this.#idle >= IDLE_MS)) return;
      this.#path.shift();
      this.#lastLeft = Number.POSITIVE_INFINITY;
      this.#idle = 0;
    }
  }

  /** Whether a wall stands just ahead where none stood when the way was found. */
  #isShut(): boolean {
    const { walls } = surroundingsOf(this.#context);
    const next = this.#path[0];
    if (!walls.declared || !next) return false;
    const at = this.#middle;
    const left = distance(at, next);
    const { cell } = walls.grid;
    const far = Math.min(left, Math.max(cell / 2, (this.#options.speed * 2) / PHYSICS_HZ));
    const ahead = { x: at.x + ((next.x - at.x) * far) / Math.max(left, THERE), y: at.y + ((next.y - at.y) * far) / Math.max(left, THERE) };
    // It may stray so far from its way, and touch a wall beside it.
    const { width, height } = this.#size;
    const [narrow, low] = [Math.max(0, width - 2 * NEARLY_THERE), Math.max(0, height - 2 * NEARLY_THERE)];
    if (walls.blocks(at, narrow, low)) return false;
    return !everyStep(at, ahead, cell / 4, (x, y) => !walls.blocks({ x, y }, narrow, low));
  }

  #wait(): false {
    this.#context.body.stop?.();
    return false;
  }

  #go(towards: XY, ms: number): void {
    const at = this.#middle;
    const left = distance(at, towards);
    // Not past the point within the next frame.
    const speed = Math.min(this.#options.speed, (left * 1000) / ms);
    this.#context.body.move?.(((towards.x - at.x) / left) * speed, ((towards.y - at.y) / left) * speed, left);
  }

  #watchForObstacles(): void {
    const isChase = 'target' in this.#goal && distance(this.#destination, this.#plannedFor) > 0;
    if (this.#pace.isStuck(this.#middle, isChase ? undefined : this.left)) this.#detour(this.#middle);
  }

  /** Takes what is just ahead for an obstacle and looks for another way. */
  #detour(at: XY): void {
    const ahead = this.#path[0];
    if (!ahead || this.#avoid.length >= MOST_DETOURS) throw blocked(at);
    const { width, height } = this.#size;
    const cell = surroundingsOf(this.#context).walls.grid.cell;
    const far = (Math.max(width, height) + cell) / 2;
    const left = Math.max(distance(at, ahead), 1);
    const middle = { x: at.x + ((ahead.x - at.x) / left) * far, y: at.y + ((ahead.y - at.y) / left) * far };
    this.#avoid.push({ x: middle.x - cell / 2, y: middle.y - cell / 2, width: cell, height: cell });
    this.#path = [];
    this.#plan();
  }

  #tell(): void {
    if (this.#context.now - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = this.#context.now;
    this.#context.progress({ position: { ...roundXY(this.#context.body.position()) }, left: Math.round(this.left) });
  }
}
