import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pageClock } from '../../plugin/page-clock.ts';

/** Real time, in milliseconds: it passes whether or not the browser runs its timers. */
let now = 0;

beforeEach(() => {
  now = 1_000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function appointments() {
  const clock = pageClock();
  const kept: string[] = [];
  const make = (name: string, ms: number, run: () => void = () => undefined) =>
    clock.schedule(() => {
      kept.push(name);
      run();
    }, ms);
  return { clock, kept, make };
}

describe('E6, C3: the wall clock of a page', () => {
  test("keeps its appointments by the page's own timers", () => {
    const { clock, kept, make } = appointments();
    make('late', 200);
    make('soon', 100);
    make('never', 150)();
    now += 120;
    vi.advanceTimersByTime(120);
    expect(kept).toEqual(['soon']);
    now += 80;
    vi.advanceTimersByTime(80);
    clock.catchUp();
    expect(kept).toEqual(['soon', 'late']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('keeps those that the page holds back when it is told that time has passed: in their order, when they are due, and once', () => {
    const { clock, kept, make } = appointments();
    make('third', 300);
    const stopped = make('called off', 250);
    make('second', 200, () => {
      stopped();
      make('begun by it', 0);
    });
    make('first', 100);
    now += 99;
    clock.catchUp();
    expect(kept).toEqual([]);
    now += 1;
    clock.catchUp();
    expect(kept).toEqual(['first']);
    now += 400;
    clock.catchUp();
    expect(kept).toEqual(['first', 'second', 'third']);
    clock.catchUp();
    expect(kept).toEqual(['first', 'second', 'third', 'begun by it']);
    vi.advanceTimersByTime(10_000);
    expect(kept).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is as good at very long times as the page is', () => {
    const { clock, kept, make } = appointments();
    make('in two months', 5_000_000_000);
    make('never', Number.POSITIVE_INFINITY);
    now += 4_999_999_999;
    clock.catchUp();
    expect(kept).toEqual([]);
    now += 1;
    clock.catchUp();
    expect(kept).toEqual(['in two months']);
  });
});
