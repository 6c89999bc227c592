import type * as Phaser from 'phaser';
import type { Rect, XY } from './compat.ts';
import type { MapOptions, WallPart } from './wall-part.ts';

type Layer = Phaser.Tilemaps.TilemapLayer;
type Tile = Phaser.Tilemaps.Tile;

/** Phaser's number for maps of rectangles in rows. */
const ORTHOGONAL = 0;

/**
 * Walls told by a tilemap layer: the tiles that collide, read anew at each look, where Arcade physics puts them. All of its tiles are walls while
 * the layer has never had any collision set.
 * @throws TypeError for a layer whose tiles are no rectangles in rows
 */
export function tileWalls(layer: Layer, options: MapOptions): WallPart {
  const data = layer.layer;
  if (Number(data.orientation) !== ORTHOGONAL) {
    throw new TypeError(
      'map(layer): the tiles of an isometric, staggered or hexagonal layer are no rectangles, and the walls cannot be told from it; ' +
        'give a function instead, like map((x, y) => isWall(x, y), { cell, bounds })',
    );
  }
  let hasCollision = false;
  let looked = false;
  let oneSided = false;

  const tileSize = () => ({ width: data.baseTileWidth * layer.scaleX, height: data.baseTileHeight * layer.scaleY });
  const origin = (): XY => {
    const camera = layer.scene.cameras?.main;
    return {
      x: layer.x + (camera?.scrollX ?? 0) * (1 - layer.scrollFactorX),
      y: layer.y + (camera?.scrollY ?? 0) * (1 - layer.scrollFactorY),
    };
  };
  // Tiles of a set with larger tiles than the map's reach into their neighbours' cells.
  const reach = [layer.tileset].flat().some((set) => set && (set.tileWidth > data.baseTileWidth || set.tileHeight > data.baseTileHeight));

  /** Once it has had collisions, a layer without any is open. */
  function isCollisionLayer(): boolean {
    if (!hasCollision && !looked) {
      looked = true;
      hasCollision = data.collideIndexes.length > 0 || data.data.some((row) => row.some((tile: Tile | null) => tile && sides(tile) > 0));
    }
    return hasCollision;
  }

  /** Asks about the tiles that the rectangle touches until one says true. */
  function someTile(rect: Rect, holds: (tile: Tile, at: Rect) => boolean): boolean {
    const { width, height } = tileSize();
    if (!(width > 0 && height > 0)) return false;
    const { x, y } = origin();
    const back = reach ? 1 : 0;
    const lastRow = Math.min(data.height - 1, Math.floor((rect.y + rect.height - y) / height));
    const lastColumn = Math.min(data.width - 1, Math.floor((rect.x + rect.width - x) / width));
    for (let r = Math.max(0, Math.floor((rect.y - y) / height) - back); r <= lastRow; r++) {
      for (let c = Math.max(0, Math.floor((rect.x - x) / width) - back); c <= lastColumn; c++) {
        const tile = data.data[r]?.[c] as Tile | null | undefined;
        if (!tile || tile.index === -1) continue;
        const at = { x: x + c * width, y: y + r * height, width: tile.width * layer.scaleX, height: tile.height * layer.scaleY };
        if (touches(at, rect) && holds(tile, at)) return true;
      }
    }
    return false;
  }

  function isSolid(tile: Tile): boolean {
    const count = sides(tile);
    if (count > 0 && count < ALL_SIDES) oneSided = true;
    if (count > 0) hasCollision = true;
    return count === ALL_SIDES || !isCollisionLayer();
  }

  isCollisionLayer();
  const { width, height } = tileSize();
  return {
    // `destroy()` takes the layer's data away.
    alive: () => (layer.layer as unknown) !== undefined && (layer.scene as unknown) !== undefined,
    sync() {
      looked = false;
    },
    hit: (rect) => someTile(rect, isSolid),
    stops: (from, to) =>
      oneSided &&
      someTile(
        to,
        (tile, at) =>
          !touches(at, from) &&
          ((to.x > from.x && tile.collideLeft && from.x + from.width <= at.x) ||
            (to.x < from.x && tile.collideRight && from.x >= at.x + at.width) ||
            (to.y > from.y && tile.collideUp && from.y + from.height <= at.y) ||
            (to.y < from.y && tile.collideDown && from.y >= at.y + at.height)),
      ),
    hides: (x, y) => someTile({ x, y, width: 0, height: 0 }, isSolid),
    cell: options.cell ?? Math.max(1, Math.min(Math.abs(width), Math.abs(height))),
    origin,
    bounds() {
      if (options.bounds) return options.bounds;
      const size = tileSize();
      return { ...origin(), width: data.width * size.width, height: data.height * size.height };
    },
  };
}

const ALL_SIDES = 4;

/** How many sides stop a body. A callback alone makes a tile "collide", but stops nobody; Matter makes every colliding tile solid. */
function sides(tile: Tile): number {
  if ((tile.physics as { matterBody?: unknown } | undefined)?.matterBody) return ALL_SIDES;
  return Number(tile.collideLeft) + Number(tile.collideRight) + Number(tile.collideUp) + Number(tile.collideDown);
}

/** The lower edges belong to the tile, the upper ones to its neighbour. */
function touches(tile: Rect, rect: Rect): boolean {
  return rect.x < tile.x + tile.width && rect.x + rect.width >= tile.x && rect.y < tile.y + tile.height && rect.y + rect.height >= tile.y;
}
