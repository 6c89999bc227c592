import { aStar } from 'ngraph.path';
import type { Rect, XY } from '../compat.ts';
import { everyStep, type Walls } from '../walls.ts';
import { distance } from './geometry.ts';
import { Lattice, type Place } from './lattice.ts';

/** What is to be walked. All places are of the walker's middle. */
export interface WayRequest {
  from: XY;
  to: XY;
  /** The walker's size in world pixels; 0 for a point. */
  width: number;
  height: number;
  /** It is enough to come that near to `to`, which may itself lie in a wall. 0: the very place. */
  within: number;
  /** Places found to be obstructed by something that no map tells. */
  avoid: readonly Rect[];
}

/** A way there, or the nearest place to it that can be reached (absent: the walker cannot move at all). */
export type Way = { found: true; points: XY[] } | { found: false; nearest: XY | undefined };

interface Node extends XY {
  id: number | 'start' | 'goal';
}

/** What the path library needs of a graph. */
interface VirtualGraph {
  getNode(id: Node['id']): Node | undefined;
  forEachLinkedNode(id: Node['id'], visit: (node: Node, link: object) => void): void;
}

/** So many places are looked around from before a search gives up: a map of 200 by 100 cells. It bounds how long a hopeless search holds a frame up. */
export const MOST_PLACES = 20_000;

const LINK = {};

/** Finds the shortest way for a body of that size, straightened where nothing is in between. Does not cut corners. */
export function findWay(walls: Walls, request: WayRequest): Way {
  const { from, to, width, height, within } = request;
  const free = (at: XY) => !walls.blocks(at, width, height) && !request.avoid.some((rect) => overlaps(rect, at, width, height));
  const { cell, origin } = walls.grid;
  const clear = (a: XY, b: XY) => everyStep(a, b, cell / 4, (x, y) => free({ x, y }));
  const exact = within === 0;
  if (exact ? free(from) && clear(from, to) : distance(from, to) <= within) return { found: true, points: exact ? [to] : [] };

  // A body wider than a cell fits through gaps that no cell's middle shows: look at the cells' borders too.
  const step = Math.max(width, height) > cell ? cell / 2 : cell;
  const lattice = new Lattice({ x: origin.x + cell / 2, y: origin.y + cell / 2 }, step, free);
  const entrances = lattice.around(from);
  const clearEntrances = entrances.filter((at) => clear(from, at));
  // A body that touches a wall overlaps it by rounding: its nearest free place will do.
  const firstSteps = clearEntrances.length > 0 ? clearEntrances : entrances.slice(0, 1);
  const lastSteps = new Set(exact && free(to) ? lattice.around(to).filter((at) => clear(at, to)) : []);

  const start: Node = { id: 'start', ...from };
  const goal: Node = { id: 'goal', ...to };
  let looked = 0;
  let nearest: Place | undefined;
  let leastLeft = Number.POSITIVE_INFINITY;
  const graph: VirtualGraph = {
    getNode: (id) => (id === 'start' ? start : id === 'goal' ? goal : lattice.byId(id)),
    forEachLinkedNode(id, visit) {
      const here = typeof id === 'number' ? lattice.byId(id) : undefined;
      if (!here) {
        for (const place of firstSteps) visit(place, LINK);
        return;
      }
      const left = distance(here, to);
      if (left < leastLeft) {
        leastLeft = left;
        nearest = here;
      }
      if (exact ? lastSteps.has(here) : left <= within) visit(goal, LINK);
      if (++looked <= MOST_PLACES) lattice.eachNext(here, (place) => visit(place, LINK));
    },
  };
  const finder = aStar(graph, { oriented: true, heuristic: distance, distance });
  const nodes = (finder.find('start', 'goal') as Node[]).slice().reverse();
  if (nodes.length === 0) return { found: false, nearest: nearest && { x: nearest.x, y: nearest.y } };
  const points = nodes.map(({ x, y }) => ({ x, y }));
  if (!exact) points.pop();
  return { found: true, points: straighten(withoutInnerPoints(points), clear).slice(1) };
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
function straighten(points: XY[], clear: (a: XY, b: XY) => boolean): XY[] {
  const kept = points.slice(0, 1);
  for (let at = 0; at < points.length - 1; ) {
    let next = at + 1;
    while (next + 1 < points.length && clear(points[at]!, points[next + 1]!)) next++;
    kept.push(points[next]!);
    at = next;
  }
  return kept;
}

function overlaps(rect: Rect, center: XY, width: number, height: number): boolean {
  return (
    Math.abs(rect.x + rect.width / 2 - center.x) < (rect.width + width) / 2 &&
    Math.abs(rect.y + rect.height / 2 - center.y) < (rect.height + height) / 2
  );
}
