import type * as Phaser from 'phaser';
import { isTilemapLayer, type Rect, type XY } from './compat.ts';

/** How a map is to be read. */
export interface MapOptions {
  /** The grid of the way finder in world pixels. Default: a tile, or 16 for a function. */
  cell?: number;
  /** Where one can be at all. Default: the layer; for a function the physics world, else the game's size. */
  bounds?: Rect;
  /** One cannot walk there but can look over it (water, a fence). Default false. */
  seeThrough?: boolean;
}

type WallAt = (x: number, y: number) => boolean;

interface Part {
  /** Any wall within the rectangle? */
  hit(rect: Rect): boolean;
  at: WallAt;
  cell: number;
  origin: XY;
  bounds: Rect;
  seeThrough: boolean;
}

const DEFAULT_CELL = 16;
/** A body that exactly fits between two walls does fit. */
const SLACK = 0.01;

/** Where one cannot walk or see through: the union of all declared maps. With none, everything is free. */
export class Walls {
  readonly #parts: Part[] = [];

  /** @throws TypeError when it is neither a tilemap layer nor a function */
  add(walls: Phaser.Tilemaps.TilemapLayer | WallAt, options: MapOptions, defaultBounds: Rect): void {
    if (options.cell !== undefined && !(options.cell > 0))
      throw new TypeError('map(walls, { cell }): cell must be a number of pixels above 0');
    const seeThrough = options.seeThrough ?? false;
    if (isTilemapLayer(walls)) this.#parts.push({ ...layerPart(walls, options), seeThrough });
    else if (typeof walls === 'function') this.#parts.push({ ...functionPart(walls, options, defaultBounds), seeThrough });
    else throw new TypeError('map(walls): walls must be a tilemap layer or a function (x, y) => boolean in world pixels');
  }

  get declared(): boolean {
    return this.#parts.length > 0;
  }

  /** The grid for ways: the finest of the maps' grids. */
  get grid(): { cell: number; origin: XY } {
    const [first] = this.#parts;
    return {
      cell: Math.min(...this.#parts.map((part) => part.cell), first?.cell ?? DEFAULT_CELL),
      origin: first?.origin ?? { x: 0, y: 0 },
    };
  }

  /** Whether something of that size, centred there, would stand in a wall or outside the map. */
  blocks(center: XY, width: number, height: number): boolean {
    const rect = {
      x: center.x - width / 2 + SLACK,
      y: center.y - height / 2 + SLACK,
      width: Math.max(0, width - 2 * SLACK),
      height: Math.max(0, height - 2 * SLACK),
    };
    if (this.#parts.length === 0) return false;
    return !this.#parts.some((part) => contains(part.bounds, center)) || this.#parts.some((part) => part.hit(rect));
  }

  /** Whether one can look from one place to the other: no wall and none of `screens` between them. The two ends do not count. */
  sees(from: XY, to: XY, screens: readonly Rect[]): boolean {
    const opaque = this.#parts.filter((part) => !part.seeThrough);
    if (opaque.length === 0 && screens.length === 0) return true;
    const { cell } = this.grid;
    // What stands in a wall's tile (a lantern on a post) is seen, else a wall would hide its own face.
    const near = (x: number, y: number, end: XY) => Math.abs(x - end.x) < cell / 2 && Math.abs(y - end.y) < cell / 2;
    return everyStep(from, to, cell / 4, (x, y) => {
      if (near(x, y, from) || near(x, y, to)) return true;
      return !opaque.some((part) => part.at(x, y)) && !screens.some((screen) => contains(screen, { x, y }));
    });
  }
}

function layerPart(layer: Phaser.Tilemaps.TilemapLayer, options: MapOptions): Omit<Part, 'seeThrough'> {
  const { tileWidth, tileHeight } = layer.layer;
  const size = () => ({ width: tileWidth * layer.scaleX, height: tileHeight * layer.scaleY });
  // A layer without any collision set is all walls, as its name will say.
  const isWall = (column: number, row: number) => {
    const tile = layer.getTileAt(column, row) as Phaser.Tilemaps.Tile | null;
    return tile !== null && (tile.collides || layer.layer.collideIndexes.length === 0);
  };
  const column = (x: number) => Math.floor((x - layer.x) / size().width);
  const row = (y: number) => Math.floor((y - layer.y) / size().height);
  const { width, height } = size();
  return {
    hit(rect) {
      for (let r = row(rect.y); r <= row(rect.y + rect.height); r++) {
        for (let c = column(rect.x); c <= column(rect.x + rect.width); c++) if (isWall(c, r)) return true;
      }
      return false;
    },
    at: (x, y) => isWall(column(x), row(y)),
    cell: options.cell ?? Math.min(width, height),
    origin: { x: layer.x, y: layer.y },
    bounds: options.bounds ?? { x: layer.x, y: layer.y, width: layer.layer.width * width, height: layer.layer.height * height },
  };
}

function functionPart(wallAt: WallAt, options: MapOptions, defaultBounds: Rect): Omit<Part, 'seeThrough'> {
  const cell = options.cell ?? DEFAULT_CELL;
  return {
    hit(rect) {
      const right = rect.x + rect.width;
      const bottom = rect.y + rect.height;
      // At most half a cell between two probes, and always the far edges: no wall of a cell's size slips through.
      for (let y = rect.y; ; y = Math.min(y + cell / 2, bottom)) {
        for (let x = rect.x; ; x = Math.min(x + cell / 2, right)) {
          if (wallAt(x, y)) return true;
          if (x >= right) break;
        }
        if (y >= bottom) return false;
      }
    },
    at: wallAt,
    cell,
    origin: { x: options.bounds?.x ?? defaultBounds.x, y: options.bounds?.y ?? defaultBounds.y },
    bounds: options.bounds ?? defaultBounds,
  };
}

function contains(rect: Rect, { x, y }: XY): boolean {
  return x >= rect.x && y >= rect.y && x <= rect.x + rect.width && y <= rect.y + rect.height;
}

/** Asks along the line, both ends included, at most `step` apart. */
export function everyStep(from: XY, to: XY, step: number, holds: (x: number, y: number) => boolean): boolean {
  const count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / step));
  for (let i = 0; i <= count; i++) {
    if (!holds(from.x + ((to.x - from.x) * i) / count, from.y + ((to.y - from.y) * i) / count)) return false;
  }
  return true;
}
