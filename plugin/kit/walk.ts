import { ToolError } from '../../src/bridge/index.ts';
import type { Rect, XY } from '../compat.ts';
import type { Context } from '../context.ts';
import type { Entity } from '../entities.ts';
import { ownBounds, surroundingsOf, targetOf } from './around.ts';
import { center, distance, gap, placeText, roundXY } from './geometry.ts';
import { findWay, type Way } from './way.ts';

export interface WalkOptions {
  /** World pixels a second. */
  speed: number;
  /** The room to leave to a target. */
  near: number;
  /** The walker's width and height for passages. Absent: its bounds. */
  size: number | undefined;
}

/** When a walk counts as stuck, in milliseconds of world time. */
const STUCK = {
  /** Hardly moved for so long … */
  still: 800,
  /** … or moving, but not getting on, for so long. */
  aimless: 3_000,
  /** So many obstacles are walked around before it gives up. */
  detours: 3,
} as const;
/** A moving target is followed at most so often. */
const FOLLOW_MS = 200;
const PROGRESS_MS = 500;
/** World pixels. */
const THERE = 0.1;
const NEARLY_THERE = 2;
/** A physics step; bodies move in steps of this. */
const PHYSICS_HZ = 60;

/** One way, walked step by step. `step` is asked after every frame until it says true or throws why it cannot go on. */
export class Walk {
  readonly #context: Context;
  readonly #goal: { place: XY } | { target: Entity };
  readonly #options: WalkOptions;
  readonly #startedAt: number;
  #path: XY[] = [];
  readonly #avoid: Rect[] = [];
  #plannedFor: XY = { x: 0, y: 0 };
  #plannedAt = 0;
  #last: number;
  #lastLeft = Number.POSITIVE_INFINITY;
  #anchor: { at: XY; since: number };
  #best: { left: number; since: number };
  #toldAt: number;

  /** @throws ToolError when there is no way */
  constructor(context: Context, goal: { place: XY } | { target: Entity }, options: WalkOptions) {
    this.#context = context;
    this.#goal = goal;
    this.#options = options;
    this.#startedAt = context.now;
    this.#last = this.#startedAt;
    this.#toldAt = this.#startedAt;
    this.#anchor = { at: this.#middle, since: this.#startedAt };
    this.#best = { left: Number.POSITIVE_INFINITY, since: this.#startedAt };
    this.#plan();
  }

  /** How far it still is, along the way. */
  get left(): number {
    return [this.#middle, ...this.#path].reduce((sum, at, index, all) => sum + (index === 0 ? 0 : distance(all[index - 1]!, at)), 0);
  }

  step(): boolean {
    const { now } = this.#context;
    const ms = now - this.#last;
    this.#last = now;
    this.#follow();
    if (this.#isBeside()) return true;
    this.#passWaypoints();
    const next = this.#path[0];
    if (!next) return true;
    this.#watchForObstacles();
    const towards = this.#path[0];
    if (!towards) return true;
    this.#go(towards, Math.max(ms, 1000 / (this.#context.scene.physics?.world?.fps ?? PHYSICS_HZ)));
    this.#tell();
    return false;
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
    const way = this.#findWay();
    if (!way.found) throw this.#noWay(way.nearest);
    this.#path = way.points;
    this.#plannedFor = this.#destination;
    this.#plannedAt = this.#context.now;
    this.#lastLeft = Number.POSITIVE_INFINITY;
    this.#best = { left: Number.POSITIVE_INFINITY, since: this.#context.now };
    this.#anchor = { at: this.#middle, since: this.#context.now };
  }

  #findWay(): Way {
    const { walls } = surroundingsOf(this.#context);
    const { width, height } = this.#size;
    const to = this.#destination;
    const search = (within: number) => findWay(walls, { from: this.#middle, to, width, height, within, avoid: this.#avoid });
    if (!walls.blocks(to, width, height)) return search(0);
    const { cell } = walls.grid;
    if ('target' in this.#goal) {
      const other = this.#goal.target.bounds();
      const sizes = (Math.min(width, height) + Math.min(other.width, other.height)) / 2;
      return search(Math.max(sizes + this.#options.near, 1.5 * cell));
    }
    // A place too near a wall for so wide a body is reached as well as it goes; one inside a wall is not.
    if (!walls.blocks(this.#goal.place, 0, 0)) return search(Math.max(width, height) / 2 + cell);
    const way = search(0);
    return way.found ? { found: false, nearest: way.points.at(-1) } : way;
  }

  #noWay(nearest: XY | undefined): ToolError {
    const to = 'target' in this.#goal ? `'${this.#goal.target.id}'` : placeText(this.#goal.place);
    if (this.#avoid.length > 0) return this.#blocked();
    if (!nearest) return new ToolError('execution_failed', `unreachable: you cannot move from where you stand to ${to}`);
    const { x, y } = this.#context.body.position();
    const at = { x: nearest.x - this.#middle.x + x, y: nearest.y - this.#middle.y + y };
    return new ToolError('execution_failed', `unreachable: no way leads to ${to}; the nearest place you can reach is ${placeText(at)}`);
  }

  #blocked(): ToolError {
    return new ToolError(
      'execution_failed',
      `blocked: something stands in the way near ${placeText(this.#middle)}; try again or go elsewhere`,
      true,
    );
  }

  /** The target may have gone or moved. */
  #follow(): void {
    if (!('target' in this.#goal)) return;
    this.#goal.target = targetOf(this.#context, this.#goal.target.id);
    const moved = distance(this.#destination, this.#plannedFor);
    if (moved > surroundingsOf(this.#context).walls.grid.cell / 2 && this.#context.now - this.#plannedAt >= FOLLOW_MS) this.#plan();
  }

  #isBeside(): boolean {
    return 'target' in this.#goal && gap(ownBounds(this.#context), this.#goal.target.bounds()) <= this.#options.near;
  }

  #passWaypoints(): void {
    for (let next = this.#path[0]; next; next = this.#path[0]) {
      const left = distance(this.#middle, next);
      // Some bodies move in whole pixels: near and not getting nearer is there.
      const there = left <= THERE || (left <= NEARLY_THERE && left >= this.#lastLeft);
      this.#lastLeft = left;
      if (!there) return;
      this.#path.shift();
      this.#lastLeft = Number.POSITIVE_INFINITY;
    }
  }

  #go(towards: XY, ms: number): void {
    const at = this.#middle;
    const left = distance(at, towards);
    // Not past the point within the next frame.
    const speed = Math.min(this.#options.speed, (left * 1000) / ms);
    this.#context.body.move?.(((towards.x - at.x) / left) * speed, ((towards.y - at.y) / left) * speed);
  }

  #watchForObstacles(): void {
    const { now } = this.#context;
    const at = this.#middle;
    const { left } = this;
    if (distance(at, this.#anchor.at) > Math.min(4, this.#options.speed * 0.2)) this.#anchor = { at, since: now };
    const isChase = 'target' in this.#goal && distance(this.#destination, this.#plannedFor) > 0;
    if (left < this.#best.left - 1 || isChase) this.#best = { left, since: now };
    if (now - this.#anchor.since >= STUCK.still || now - this.#best.since >= STUCK.aimless) this.#detour(at);
  }

  /** Takes what is just ahead for an obstacle and looks for another way. */
  #detour(at: XY): void {
    const ahead = this.#path[0];
    if (!ahead || this.#avoid.length >= STUCK.detours) throw this.#blocked();
    const { width, height } = this.#size;
    const cell = surroundingsOf(this.#context).walls.grid.cell;
    const far = (Math.max(width, height) + cell) / 2;
    const left = Math.max(distance(at, ahead), 1);
    const middle = { x: at.x + ((ahead.x - at.x) / left) * far, y: at.y + ((ahead.y - at.y) / left) * far };
    this.#avoid.push({ x: middle.x - cell / 2, y: middle.y - cell / 2, width: cell, height: cell });
    this.#plan();
  }

  #tell(): void {
    if (this.#context.now - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = this.#context.now;
    this.#context.progress({ position: { ...roundXY(this.#context.body.position()) }, left: Math.round(this.left) });
  }
}
