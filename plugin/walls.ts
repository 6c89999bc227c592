import type * as Phaser from 'phaser';
import { isTilemapLayer, type Rect, type XY } from './compat.ts';
import { functionWalls } from './function-walls.ts';
import { tileWalls } from './tile-walls.ts';
import { contains, type MapOptions, type WallPart } from './wall-part.ts';

export type { MapOptions };

const DEFAULT_CELL = 16;
/** A body that exactly fits between two walls does fit. */
const SLACK = 0.01;

/** Where one cannot walk or see through: the union of all declared maps. With none, everything is free. */
export class Walls {
  #all: (WallPart & { seeThrough: boolean })[] = [];

  /** @throws TypeError when it is neither a tilemap layer nor a function, or a layer that cannot be read */
  add(walls: Phaser.Tilemaps.TilemapLayer | ((x: number, y: number) => boolean), options: MapOptions, defaultBounds: Rect): void {
    if (options.cell !== undefined && !(options.cell > 0))
      throw new TypeError('map(walls, { cell }): cell must be a number of pixels above 0');
    const seeThrough = options.seeThrough ?? false;
    if (isTilemapLayer(walls)) this.#all.push({ ...tileWalls(walls, options), seeThrough });
    else if (typeof walls === 'function') this.#all.push({ ...functionWalls(walls, options, defaultBounds), seeThrough });
    else throw new TypeError('map(walls): walls must be a tilemap layer or a function (x, y) => boolean in world pixels');
  }

  /** Called every frame. */
  sync(): void {
    for (const part of this.#parts) part.sync();
  }

  get declared(): boolean {
    return this.#parts.length > 0;
  }

  /** The grid for ways: the finest of the maps' grids. */
  get grid(): { cell: number; origin: XY } {
    const parts = this.#parts;
    return {
      cell: parts.reduce((least, part) => Math.min(least, part.cell), parts[0]?.cell ?? DEFAULT_CELL),
      origin: parts[0]?.origin() ?? { x: 0, y: 0 },
    };
  }

  /** The rectangle around all maps. Undefined without a map. */
  get extent(): Rect | undefined {
    const all = this.#parts.map((part) => part.bounds());
    if (all.length === 0) return undefined;
    const x = Math.min(...all.map((rect) => rect.x));
    const y = Math.min(...all.map((rect) => rect.y));
    const right = Math.max(...all.map((rect) => rect.x + rect.width));
    const bottom = Math.max(...all.map((rect) => rect.y + rect.height));
    return { x, y, width: right - x, height: bottom - y };
  }

  /** Whether something of that size, centred there, would stand in a wall or outside the map. */
  blocks(center: XY, width: number, height: number): boolean {
    const parts = this.#parts;
    if (parts.length === 0) return false;
    const rect = around(center, width, height);
    return !parts.some((part) => contains(part.bounds(), center)) || parts.some((part) => part.hit(rect));
  }

  /** Whether a one-sided wall stops something of that size on a short step from one place to another. */
  stops(from: XY, to: XY, width: number, height: number): boolean {
    return this.#parts.some((part) => part.stops(around(from, width, height), around(to, width, height)));
  }

  /** Whether one cannot look into that place. */
  hides(at: XY): boolean {
    return this.#parts.some((part) => !part.seeThrough && part.hides(at.x, at.y));
  }

  /** Whether one can look from one place to the other: no wall and none of `screens` between them. */
  sees(from: XY, to: XY, screens: readonly Rect[]): boolean {
    const opaque = this.#parts.filter((part) => !part.seeThrough);
    if (opaque.length === 0 && screens.length === 0) return true;
    if (opaque.length === 0) return !screens.some((screen) => crosses(screen, from, to));
    const { cell } = this.grid;
    // What stands in a wall's tile (a lantern on a post) is seen, else a wall would hide its own face.
    const ends = [from, to].filter((end) => this.hides(end));
    const near = (x: number, y: number) => ends.some((end) => Math.abs(x - end.x) < cell / 2 && Math.abs(y - end.y) < cell / 2);
    return (
      !screens.some((screen) => crosses(screen, from, to)) &&
      everyStep(from, to, cell / 4, (x, y) => !opaque.some((part) => part.hides(x, y)) || near(x, y))
    );
  }

  /** A map whose layer the game has destroyed is none any more. */
  get #parts() {
    if (this.#all.some((part) => !part.alive())) this.#all = this.#all.filter((part) => part.alive());
    return this.#all;
  }
}

function around(center: XY, width: number, height: number): Rect {
  return {
    x: center.x - width / 2 + SLACK,
    y: center.y - height / 2 + SLACK,
    width: Math.max(0, width - 2 * SLACK),
    height: Math.max(0, height - 2 * SLACK),
  };
}

/** Whether the straight line between two places goes through the inside of the rectangle. */
export function crosses(rect: Rect, from: XY, to: XY): boolean {
  let enters = 0;
  let leaves = 1;
  for (const [start, way, low, size] of [
    [from.x, to.x - from.x, rect.x, rect.width],
    [from.y, to.y - from.y, rect.y, rect.height],
  ] as const) {
    if (way === 0) {
      if (start <= low || start >= low + size) return false;
      continue;
    }
    const [a, b] = [(low - start) / way, (low + size - start) / way];
    enters = Math.max(enters, Math.min(a, b));
    leaves = Math.min(leaves, Math.max(a, b));
  }
  return enters < leaves;
}

/** Asks along the line, both ends included, at most `step` apart. */
export function everyStep(from: XY, to: XY, step: number, holds: (x: number, y: number) => boolean): boolean {
  const count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / step));
  for (let i = 0; i <= count; i++) {
    if (!holds(from.x + ((to.x - from.x) * i) / count, from.y + ((to.y - from.y) * i) / count)) return false;
  }
  return true;
}
