import type { Rect } from './compat.ts';
import type { MapOptions, WallPart } from './wall-part.ts';

const DEFAULT_CELL = 16;

/** Walls told by a function of a place in world pixels, asked anew at each look. */
export function functionWalls(wallAt: (x: number, y: number) => boolean, options: MapOptions, defaultBounds: Rect): WallPart {
  const cell = options.cell ?? DEFAULT_CELL;
  const bounds = options.bounds ?? defaultBounds;
  return {
    alive: () => true,
    sync: () => undefined,
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
    stops: () => false,
    hides: wallAt,
    cell,
    origin: () => ({ x: bounds.x, y: bounds.y }),
    bounds: () => bounds,
  };
}
