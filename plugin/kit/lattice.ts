import type { XY } from '../compat.ts';

/** A place where a walker's middle may be. */
export interface Place extends XY {
  readonly id: number;
  readonly column: number;
  readonly row: number;
  /** Undefined until somebody asked. */
  free: boolean | undefined;
}

/** Room for this many columns on either side of the origin. */
const SPAN = 1 << 20;

/** A grid of places, made and looked at only where a search comes by. */
export class Lattice {
  /** The middle of the first place. */
  readonly #origin: XY;
  readonly #step: number;
  readonly #isFree: (at: XY) => boolean;
  readonly #places = new Map<number, Place>();

  constructor(origin: XY, step: number, isFree: (at: XY) => boolean) {
    this.#origin = origin;
    this.#step = step;
    this.#isFree = isFree;
  }

  /** The place if one can stand there. */
  at(column: number, row: number): Place | undefined {
    const id = row * 2 * SPAN + column;
    let place = this.#places.get(id);
    if (!place) {
      place = { id, column, row, x: this.#origin.x + column * this.#step, y: this.#origin.y + row * this.#step, free: undefined };
      this.#places.set(id, place);
    }
    place.free ??= this.#isFree(place);
    return place.free ? place : undefined;
  }

  byId(id: number): Place | undefined {
    return this.#places.get(id);
  }

  /** The nine places around a point where one can stand, nearest first. */
  around(at: XY): Place[] {
    const column = Math.round((at.x - this.#origin.x) / this.#step);
    const row = Math.round((at.y - this.#origin.y) / this.#step);
    const found: Place[] = [];
    for (let r = row - 1; r <= row + 1; r++) {
      for (let c = column - 1; c <= column + 1; c++) {
        const place = this.at(c, r);
        if (place) found.push(place);
      }
    }
    const far = (place: Place) => Math.hypot(place.x - at.x, place.y - at.y);
    return found.sort((a, b) => far(a) - far(b));
  }

  /** Visits where one can go in one step: straight, and aslant only between two free places, so that no corner is cut. */
  eachNext({ column, row }: Place, visit: (place: Place) => void): void {
    const east = this.at(column + 1, row);
    const west = this.at(column - 1, row);
    const south = this.at(column, row + 1);
    const north = this.at(column, row - 1);
    const slanted = (a: Place | undefined, b: Place | undefined, c: number, r: number) => (a && b ? this.at(c, r) : undefined);
    const next = [
      east,
      west,
      south,
      north,
      slanted(east, south, column + 1, row + 1),
      slanted(east, north, column + 1, row - 1),
      slanted(west, south, column - 1, row + 1),
      slanted(west, north, column - 1, row - 1),
    ];
    for (const place of next) if (place) visit(place);
  }
}
