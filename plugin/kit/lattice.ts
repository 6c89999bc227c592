import type { Rect, XY } from '../compat.ts';

/** So many columns and rows at most. */
const SPAN = 2 ** 20;
/** What is known of places is kept in squares of so many by so many, made where a search comes by. */
const SIDE = 64;
const UNKNOWN = 0;
const FREE = 1;
const TAKEN = 2;

interface Square {
  /** How far it is from the start. */
  readonly cost: Float64Array;
  readonly free: Uint8Array;
  readonly done: Uint8Array;
  /** The index of the direction it was reached by. */
  readonly by: Int8Array;
}

/** The eight directions, the straight ones first. */
export const DIRECTIONS: readonly (readonly [number, number])[] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
];

/** A grid of places where a walker's middle may be, each named by a number. Looked at only where a search comes by. */
export class Lattice {
  readonly step: number;
  readonly #first: XY;
  readonly #columns: number;
  readonly #rows: number;
  readonly #isFree: (at: XY) => boolean;
  readonly #squares = new Map<number, Square>();
  #lastKey = -1;
  #last: Square | undefined;

  /** @param origin the middle of one of its places @param region where places are; as much of it as there is room for, around `start` */
  constructor(origin: XY, step: number, region: Rect, start: XY, isFree: (at: XY) => boolean) {
    this.step = step;
    this.#isFree = isFree;
    const range = (from: number, low: number, size: number, at: number) => {
      const here = Math.round((at - from) / step);
      const first = Math.max(Math.floor((low - from) / step), here - SPAN / 2);
      return { first, count: Math.min(Math.ceil((low + size - from) / step), here + SPAN / 2 - 1) - first + 1 };
    };
    const columns = range(origin.x, region.x, region.width, start.x);
    const rows = range(origin.y, region.y, region.height, start.y);
    this.#first = { x: origin.x + columns.first * step, y: origin.y + rows.first * step };
    this.#columns = columns.count;
    this.#rows = rows.count;
  }

  place(id: number): XY {
    return { x: this.#first.x + (id % SPAN) * this.step, y: this.#first.y + Math.floor(id / SPAN) * this.step };
  }

  /** The next place in that direction, where one can stand; undefined else. Aslant only between two free places, so that no corner is cut. */
  next(id: number, [dx, dy]: readonly [number, number]): number | undefined {
    const column = id % SPAN;
    const row = Math.floor(id / SPAN);
    if (dx !== 0 && dy !== 0 && !(this.#at(column + dx, row) !== undefined && this.#at(column, row + dy) !== undefined)) return undefined;
    return this.#at(column + dx, row + dy);
  }

  /** The nine places around a point where one can stand, nearest first. */
  around(at: XY): number[] {
    const column = Math.round((at.x - this.#first.x) / this.step);
    const row = Math.round((at.y - this.#first.y) / this.step);
    const found: number[] = [];
    // Counted by offsets: a huge number plus one is the same number.
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const id = this.#at(column + dx, row + dy);
        if (id !== undefined) found.push(id);
      }
    }
    const far = (id: number) => Math.hypot(this.place(id).x - at.x, this.place(id).y - at.y);
    return found.sort((a, b) => far(a) - far(b));
  }

  cost(id: number): number {
    return this.#square(id).cost[slot(id)]!;
  }

  /** @param by the index of the direction it is reached by; absent: a first step */
  reach(id: number, cost: number, by = -1): void {
    const square = this.#square(id);
    square.cost[slot(id)] = cost;
    square.by[slot(id)] = by;
  }

  /** Whether it was done already; from now on it is. */
  finish(id: number): boolean {
    const { done } = this.#square(id);
    const before = done[slot(id)] === 1;
    done[slot(id)] = 1;
    return before;
  }

  /** The places from the first step to that one. */
  trail(id: number): XY[] {
    const found: XY[] = [];
    for (let at = id; ; ) {
      found.push(this.place(at));
      const direction = DIRECTIONS[this.#square(at).by[slot(at)]!];
      if (!direction) return found.reverse();
      at -= direction[0] + direction[1] * SPAN;
    }
  }

  #at(column: number, row: number): number | undefined {
    if (!(column >= 0 && row >= 0 && column < this.#columns && row < this.#rows)) return undefined;
    const id = row * SPAN + column;
    const { free } = this.#square(id);
    const index = slot(id);
    if (free[index] === UNKNOWN) free[index] = this.#isFree(this.place(id)) ? FREE : TAKEN;
    return free[index] === FREE ? id : undefined;
  }

  #square(id: number): Square {
    const key = Math.floor(id / SPAN / SIDE) * (SPAN / SIDE) + Math.floor((id % SPAN) / SIDE);
    if (this.#last && key === this.#lastKey) return this.#last;
    let square = this.#squares.get(key);
    if (!square) {
      const size = SIDE * SIDE;
      square = {
        cost: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
        free: new Uint8Array(size),
        done: new Uint8Array(size),
        by: new Int8Array(size),
      };
      this.#squares.set(key, square);
    }
    this.#lastKey = key;
    this.#last = square;
    return square;
  }
}

function slot(id: number): number {
  return (Math.floor(id / SPAN) % SIDE) * SIDE + (id % SIDE);
}
