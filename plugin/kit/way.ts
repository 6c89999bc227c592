import { nearestPoint, type Rect, type XY } from '../compat.ts';
import { crosses, type Walls } from '../walls.ts';
import { distance } from './geometry.ts';
import { Heap } from './heap.ts';
import { DIRECTIONS, Lattice } from './lattice.ts';

/** What is to be walked. All places are of the walker's middle. */
export interface WayRequest {
  from: XY;
  to: XY;
  /** The walker's size in world pixels; 0 for a point. */
  width: number;
  height: number;
  /** It is enough to come that near to `to`, which may itself lie in a wall. 0: the very place. */
  within: number;
  /** Whether such a near place will do. Default: every one. */
  willDo?(at: XY): boolean;
  /** Places found to be obstructed by something that no map tells. */
  avoid: readonly Rect[];
  /** So many places are looked around from before it gives up. Default `MOST_PLACES`. */
  most?: number;
}

/**
 * A way there, or the nearest place to it that was found (absent: the walker cannot move at all). `gaveUp`: there was more to look at, so that there
 * may be a way.
 */
export type Way = { found: true; points: XY[] } | { found: false; nearest: XY | undefined; gaveUp: boolean };

/** So many places are looked around from before a search gives up: a map of 1,000 by 1,000 cells. */
const MOST_PLACES = 1_000_000;
/** A search says how much it has done after about so many places. */
const SLICE = 16;
/** So many probes along a line are as much work as one place. */
const PROBES = 4;
/** Without a map, what stands in the way is walked around within so many cells. */
const DETOUR_CELLS = 64;

/**
 * Finds the shortest way for a body of that size, straightened where nothing is in between. Does not cut corners. A search in slices: each `next()` looks
 * at few places and says at how many.
 */
export function* findWay(walls: Walls, request: WayRequest): Generator<number, Way> {
  const { from, to, width, height, within, avoid, willDo = () => true, most = MOST_PLACES } = request;
  const { cell, origin } = walls.grid;
  const inTheWay = avoid.map((rect) => ({
    x: rect.x - width / 2,
    y: rect.y - height / 2,
    width: rect.width + width,
    height: rect.height + height,
  }));
  const free = (at: XY) => !walls.blocks(at, width, height) && !inTheWay.some((rect) => inside(rect, at));
  /** A wide body has more to look at in each place. */
  const weight = Math.max(1, Math.ceil(((width / cell + 1) * (height / cell + 1)) / 4));

  function* clear(a: XY, b: XY): Generator<number, boolean> {
    if (inTheWay.some((rect) => crosses(rect, a, b))) return false;
    if (!walls.declared) return true;
    const count = Math.max(1, Math.ceil(distance(a, b) / (cell / PROBES)));
    let last = a;
    for (let i = 0; i <= count; i++) {
      const at = { x: a.x + ((b.x - a.x) * i) / count, y: a.y + ((b.y - a.y) * i) / count };
      if (walls.blocks(at, width, height) || (i > 0 && walls.stops(last, at, width, height))) return false;
      last = at;
      if (i % (SLICE * PROBES) === SLICE * PROBES - 1) yield SLICE * weight;
    }
    return true;
  }

  const exact = within === 0;
  if (exact ? free(from) && free(to) && (yield* clear(from, to)) : distance(from, to) <= within && willDo(from))
    return { found: true, points: exact ? [to] : [] };

  // A body wider than a cell fits through gaps that no cell's middle shows: look at the cells' borders too.
  const step = Math.max(width, height) > cell ? cell / 2 : cell;
  const far = DETOUR_CELLS * step;
  const region = walls.extent ?? { x: from.x - 2 * far, y: from.y - 2 * far, width: 4 * far, height: 4 * far };
  const aim = walls.declared ? nearestPoint(region, to) : towards(from, to, far);
  const lattice = new Lattice({ x: origin.x + cell / 2, y: origin.y + cell / 2 }, step, region, from, free);
  const entrances = lattice.around(from);
  const firstSteps: number[] = [];
  for (const id of entrances) if (yield* clear(from, lattice.place(id))) firstSteps.push(id);
  // A body that touches a wall overlaps it by rounding: its nearest free place will do.
  if (firstSteps.length === 0) firstSteps.push(...entrances.slice(0, 1));
  const lastSteps = new Set<number>();
  if (exact && (walls.declared ? free(to) : free(aim)))
    for (const id of lattice.around(aim)) if (yield* clear(lattice.place(id), aim)) lastSteps.add(id);
  const isEnd = (id: number, left: number) => (exact ? lastSteps.has(id) : left <= within && willDo(lattice.place(id)));

  const open = new Heap();
  for (const id of firstSteps) {
    const cost = distance(from, lattice.place(id));
    lattice.reach(id, cost);
    open.push(cost + distance(lattice.place(id), aim), id);
  }
  let looked = 0;
  let nearest: XY | undefined;
  let leastLeft = Number.POSITIVE_INFINITY;
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    if (lattice.finish(here)) continue;
    const at = lattice.place(here);
    const left = distance(at, exact ? aim : to);
    if (left < leastLeft) {
      leastLeft = left;
      nearest = at;
    }
    if (isEnd(here, left)) {
      const points = [from, ...lattice.trail(here)];
      if (exact) points.push(aim);
      if (exact && !walls.declared) points.push(to);
      return { found: true, points: (yield* straighten(withoutInnerPoints(points), clear)).slice(1) };
    }
    if (++looked >= most) return { found: false, nearest, gaveUp: true };
    if (looked % SLICE === 0) yield SLICE * weight;
    for (const [by, direction] of DIRECTIONS.entries()) {
      const next = lattice.next(here, direction);
      if (next === undefined) continue;
      const cost = lattice.cost(here) + (by < 4 ? step : step * Math.SQRT2);
      if (cost >= lattice.cost(next)) continue;
      const place = lattice.place(next);
      if (walls.stops(at, place, width, height)) continue;
      lattice.reach(next, cost, by);
      open.push(cost + distance(place, aim), next);
    }
  }
  return { found: false, nearest, gaveUp: false };
}

/** Leaves out the points within a straight run: exact, and it keeps `straighten` from looking along it again and again. */
function withoutInnerPoints(points: XY[]): XY[] {
  return points.filter((at, index) => {
    const before = points[index - 1];
    const after = points[index + 1];
    return !before || !after || at.x - before.x !== after.x - at.x || at.y - before.y !== after.y - at.y;
  });
}

/** Leaves out every point that can be passed by. */
function* straighten(points: XY[], clear: (a: XY, b: XY) => Generator<number, boolean>): Generator<number, XY[]> {
  const kept = points.slice(0, 1);
  for (let at = 0; at < points.length - 1; ) {
    let next = at + 1;
    while (next + 1 < points.length && (yield* clear(points[at]!, points[next + 1]!))) next++;
    kept.push(points[next]!);
    at = next;
    yield 1;
  }
  return kept;
}

function inside(rect: Rect, { x, y }: XY): boolean {
  return x > rect.x && y > rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

/** As far on the way from one place to another, or the other where that is nearer. */
function towards(from: XY, to: XY, far: number): XY {
  const left = distance(from, to);
  // Divided first, for the product may be beyond all numbers.
  return left <= far ? to : { x: from.x + ((to.x - from.x) / left) * far, y: from.y + ((to.y - from.y) / left) * far };
}
