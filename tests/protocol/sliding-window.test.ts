import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SlidingWindow } from '../../src/base/sliding-window.ts';

describe('D7: a sliding window', () => {
  test('D7: it has room for the limit, then says when there is room again', () => {
    const window = new SlidingWindow(1_000);
    expect([window.take(2, 0), window.take(2, 300), window.take(2, 400)]).toEqual([0, 0, 600]);
    expect(window.take(2, 999)).toBe(1);
    expect(window.take(2, 1_000)).toBe(0);
    expect(window.take(2, 1_000)).toBe(300);
  });

  test('D7: parts of a millisecond are rounded up, so that who waits gets in', () => {
    const window = new SlidingWindow(1_000);
    window.take(1, 0.5);
    expect(window.take(1, 1)).toBe(1_000);
    expect(window.take(1, 1_001)).toBe(0);
  });

  test('D7: a refused one does not count', () => {
    const window = new SlidingWindow(1_000);
    window.take(1, 0);
    for (let now = 1; now < 1_000; now += 100) window.take(1, now);
    expect(window.take(1, 1_000)).toBe(0);
  });

  test('D7: a lowered limit holds at once and says when really there is room', () => {
    const window = new SlidingWindow(1_000);
    for (const now of [0, 100, 200]) window.take(3, now);
    expect(window.take(1, 300)).toBe(900);
    expect(window.take(1, 1_199)).toBe(1);
    expect(window.take(1, 1_200)).toBe(0);
  });

  test('D7: never more than the limit within any window, and a wait that was kept is rewarded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(400), { maxLength: 60 }), (limit, gaps) => {
        const window = new SlidingWindow(1_000);
        const taken: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const wait = window.take(limit, now);
          const recent = taken.filter((time) => time > now - 1_000).length;
          expect(wait === 0).toBe(recent < limit);
          if (wait === 0) taken.push(now);
          else {
            expect(wait).toBe((taken[taken.length - limit] ?? 0) + 1_000 - now);
          }
        }
      }),
    );
  });
});
