import type { Rect, XY } from './compat.ts';

/** How a map is to be read. */
export interface MapOptions {
  /** The grid of the way finder in world pixels. Default: a tile, or 16 for a function. Walls thinner than half of it can be overlooked. */
  cell?: number;
  /** Where one can be at all. Default: the layer; for a function the physics world, else the game's size. */
  bounds?: Rect;
  /** One cannot walk there but can look over it (water, a fence). Default false. */
  seeThrough?: boolean;
}

/** The walls of one declared map. */
export interface WallPart {
  /** False when the game has destroyed what told the walls: then there are none. */
  alive(): boolean;
  /** A frame has passed: what was remembered of the game's map may be out of date. */
  sync(): void;
  /** Any wall within the rectangle? */
  hit(rect: Rect): boolean;
  /** Whether a one-sided wall stops who goes from one place to the next, a short step away. */
  stops(from: Rect, to: Rect): boolean;
  /** Whether one cannot look through that place. */
  hides(x: number, y: number): boolean;
  readonly cell: number;
  origin(): XY;
  bounds(): Rect;
}

export function contains(rect: Rect, { x, y }: XY): boolean {
  return x >= rect.x && y >= rect.y && x <= rect.x + rect.width && y <= rect.y + rect.height;
}
