import { aStar } from 'ngraph.path';
import type { Rect, XY } from '../compat.ts';
import { everyStep, type Walls } from '../walls.ts';
import { distance } from './geometry.ts';

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

interface Place extends XY {
  id: string;
}

interface VirtualGraph {
  getNode(id: string): Place | undefined;
  forEachLinkedNode(id: string, visit: (node: Place, link: object) => void): void;
}

/** So many places are looked at before a search gives up: a quarter of a million pixels at a cell of 16, some 50 ms. */
export const MOST_PLACES = 40_000;

const LINK = {};
const NEIGHBOURS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const;

/** Finds the shortest way for a body of that size, straightened where nothing is in between. Does not cut corners. */
export function findWay(walls: Walls, request: WayRequest): Way {
  const { from, to, width, height, within } = request;
  const free = (at: XY) => !walls.blocks(at, width, height) && !request.avoid.some((rect) => overlaps(rect, at, width, height));
  const { cell, origin } = walls.grid;
  const clear = (a: XY, b: XY) => everyStep(a, b, cell / 4, (x, y) => free({ x, y }));
  // A body wider than a cell fits through gaps that no cell's middle shows: look at the cells' borders too.
  const step = Math.max(width, height) > cell ? cell / 2 : cell;
  const places = new Map<string, Place>();
  const freePlaces = new Map<string, boolean>();

  const place = (column: number, row: number): Place => {
    const id = `${column},${row}`;
    let found = places.get(id);
    if (!found) {
      found = { id, x: origin.x + cell / 2 + column * step, y: origin.y + cell / 2 + row * step };
      places.set(id, found);
    }
    return found;
  };
  const isFree = (at: Place): boolean => {
    let known = freePlaces.get(at.id);
    if (known === undefined) {
      known = free(at);
      freePlaces.set(at.id, known);
    }
    return known;
  };
  const cellOf = (at: XY) => [Math.round((at.x - origin.x - cell / 2) / step), Math.round((at.y - origin.y - cell / 2) / step)] as const;
  const around = (at: XY): Place[] => {
    const [column, row] = cellOf(at);
    const near = [place(column, row), ...NEIGHBOURS.map(([dx, dy]) => place(column + dx, row + dy))];
    return near.filter(isFree).sort((a, b) => distance(a, at) - distance(b, at));
  };

  const start: Place = { id: 'start', ...from };
  const goal: Place = { id: 'goal', ...to };
  const exact = within === 0;
  const entrances = around(from);
  const clearEntrances = entrances.filter((at) => clear(from, at));
  // A body that touches a wall overlaps it by rounding: its nearest free place will do.
  const firstSteps = clearEntrances.length > 0 ? clearEntrances : entrances.slice(0, 1);
  const lastSteps = exact && free(to) ? new Set(around(to).filter((at) => clear(at, to))) : new Set<Place>();
  const ends = (at: Place) => (exact ? lastSteps.has(at) : distance(at, to) <= within);

  let looked = 0;
  let nearest: XY | undefined;
  const graph: VirtualGraph = {
    getNode: (id) => (id === 'start' ? start : id === 'goal' ? goal : places.get(id)),
    forEachLinkedNode(id, visit) {
      if (++looked > MOST_PLACES) return;
      if (id === 'start') {
        for (const at of firstSteps) visit(at, LINK);
        return;
      }
      const here = places.get(id);
      if (!here) return;
      if (nearest === undefined || distance(here, to) < distance(nearest, to)) nearest = here;
      if (ends(here)) visit(goal, LINK);
      const [column, row] = cellOf(here);
      for (const [dx, dy] of NEIGHBOURS) {
        const next = place(column + dx, row + dy);
        if (!isFree(next)) continue;
        if (dx !== 0 && dy !== 0 && !(isFree(place(column + dx, row)) && isFree(place(column, row + dy)))) continue;
        visit(next, LINK);
      }
    },
  };

  if (exact ? free(from) && clear(from, to) : distance(from, to) <= within) return { found: true, points: exact ? [to] : [] };
  const finder = aStar(graph, { oriented: true, heuristic: distance, distance });
  const nodes = (finder.find('start', 'goal') as Place[]).slice().reverse();
  if (nodes.length === 0) return { found: false, nearest: nearest && { x: nearest.x, y: nearest.y } };
  const points = nodes.map(({ x, y }) => ({ x, y }));
  if (!exact) points.pop();
  return { found: true, points: straighten(points, clear).slice(1) };
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
