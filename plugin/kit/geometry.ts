import type { Rect, XY } from '../compat.ts';

export function distance(a: XY, b: XY): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The direction from one place to another in radians: 0 = +x, growing clockwise on the screen, as everywhere in Phaser. */
export function bearing(from: XY, to: XY): number {
  return Math.atan2(to.y - from.y, to.x - from.x);
}

export function center({ x, y, width, height }: Rect): XY {
  return { x: x + width / 2, y: y + height / 2 };
}

/** The room between two rectangles; 0 when they touch or overlap. */
export function gap(a: Rect, b: Rect): number {
  const between = (from: number, size: number, otherFrom: number, otherSize: number) =>
    Math.max(0, Math.max(from, otherFrom) - Math.min(from + size, otherFrom + otherSize));
  return Math.hypot(between(a.x, a.width, b.x, b.width), between(a.y, a.height, b.y, b.height));
}

/** Fewer digits for agents that read every one of them. */
export function round(value: number, digits = 1): number {
  const factor = 10 ** digits;
  // Adding 0 turns -0 into 0.
  return Math.round(value * factor) / factor + 0;
}

export function roundXY({ x, y }: XY): XY {
  return { x: round(x), y: round(y) };
}

export function placeText(place: XY): string {
  return `(${Math.round(place.x)}, ${Math.round(place.y)})`;
}
