import { describe, expect, test } from 'vitest';
import { findWay } from '../../plugin/kit/way.ts';
import { Walls } from '../../plugin/walls.ts';

const CELL = 10;
const middle = (column: number, row: number) => ({ x: (column + 0.5) * CELL, y: (row + 0.5) * CELL });

/** Free but for a goal walled in at its right end. */
function strip(columns: number, rows: number): Walls {
  const walls = new Walls();
  const cage = middle(columns - 2, 1);
  const inCage = (x: number, y: number) => Math.abs(x - cage.x) < 1.5 * CELL && Math.abs(y - cage.y) < 1.5 * CELL;
  walls.add(
    (x, y) => inCage(x, y) && !(Math.abs(x - cage.x) < CELL / 2 && Math.abs(y - cage.y) < CELL / 2),
    { cell: CELL, bounds: { x: 0, y: 0, width: columns * CELL, height: rows * CELL } },
    { x: 0, y: 0, width: 0, height: 0 },
  );
  return walls;
}

const ask = (walls: Walls, from: { x: number; y: number }, to: { x: number; y: number }, within = 0) =>
  whole(findWay(walls, { from, to, width: 8, height: 8, within, avoid: [], most: MOST_PLACES }));

const MOST_PLACES = 20_000;

function whole<T>(search: Generator<number, T>): T {
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
}

describe('findWay', () => {
  test('a goal that is walled in is given up with the nearest place', () => {
    expect(ask(strip(40, 20), middle(0, 19), middle(38, 1))).toEqual({
      found: false,
      gaveUp: false,
      nearest: expect.toSatisfy(({ x, y }) => Math.hypot(x - middle(38, 1).x, y - middle(38, 1).y) <= 2.9 * CELL),
    });
  });

  test('a search looks at so many places and no more', () => {
    let asked = 0;
    const walls = new Walls();
    const columns = MOST_PLACES / 50;
    // Everything is free but the goal's column, so that all else must be searched.
    walls.add(
      (x) => {
        asked++;
        return x > (columns - 2) * CELL && x < (columns - 1) * CELL;
      },
      { cell: CELL, bounds: { x: 0, y: 0, width: columns * CELL, height: 100 * CELL } },
      { x: 0, y: 0, width: 0, height: 0 },
    );
    expect(ask(walls, middle(0, 0), middle(columns - 1, 50)).found).toBe(false);
    // Each place asks for at most nine points of a body of this size, and looks around itself.
    expect(asked).toBeLessThan(MOST_PLACES * 9 * 1.2);
    expect(asked).toBeGreaterThan(MOST_PLACES);
  });

  test('ways are straightened, and near enough is enough', () => {
    const walls = strip(40, 20);
    expect(ask(walls, middle(0, 10), middle(30, 15))).toEqual({ found: true, points: [middle(30, 15)] });
    expect(ask(walls, middle(0, 10), middle(1, 10), 2 * CELL)).toEqual({ found: true, points: [] });
    const beside = ask(walls, middle(0, 10), middle(38, 1), 2.1 * CELL);
    expect(
      beside.found && Math.hypot(beside.points.at(-1)!.x - middle(38, 1).x, beside.points.at(-1)!.y - middle(38, 1).y),
    ).toBeLessThanOrEqual(2.1 * CELL);
  });

  test('who stands inside a wall cannot move', () => {
    const walls = new Walls();
    walls.add(() => true, { cell: CELL, bounds: { x: 0, y: 0, width: 100, height: 100 } }, { x: 0, y: 0, width: 0, height: 0 });
    expect(ask(walls, middle(3, 3), middle(5, 5))).toEqual({ found: false, nearest: undefined, gaveUp: false });
  });

  test.each([
    { x: 1e308, y: 10 },
    { x: -1e308, y: -1e308 },
    { x: 0, y: 1e17 },
  ])('a detour on the way to a place beyond all reckoning is found, and ends: $x, $y', (to) => {
    const length = Math.hypot(to.x, to.y);
    const ahead = { x: (to.x / length) * 16 - 8, y: (to.y / length) * 16 - 8, width: 16, height: 16 };
    const way = whole(findWay(new Walls(), { from: { x: 0, y: 0 }, to, width: 8, height: 8, within: 0, avoid: [ahead] }));
    expect(way).toMatchObject({ found: true, points: expect.toSatisfy((points: object[]) => points.length > 1) });
    expect(way.found && way.points.at(-1)).toEqual(to);
  });
});
