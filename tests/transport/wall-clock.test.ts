import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { wallClock } from '../../src/base/clock.ts';

/** What setTimeout can wait at most; more it takes for nothing. */
const LONGEST = 2_147_483_647;
let runs: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  runs = 0;
});

test.each([0, 1, LONGEST - 1, LONGEST, LONGEST + 1, 3 * LONGEST, 3 * LONGEST + 5])(
  'T12: a timer of %i ms runs once, when they are over',
  (ms) => {
    wallClock.schedule(() => runs++, ms);
    vi.advanceTimersByTime(Math.max(0, ms - 1));
    expect(runs).toBe(ms === 0 ? 1 : 0);
    vi.advanceTimersByTime(1);
    vi.runAllTimers();
    expect(runs).toBe(1);
  },
);

test('one that never comes can be waited for', () => {
  const stop = wallClock.schedule(() => runs++, Number.POSITIVE_INFINITY);
  vi.advanceTimersByTime(5 * LONGEST);
  expect(runs).toBe(0);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([0, LONGEST + 1])('a long timer that is called off after %i ms does not run', (after) => {
  const stop = wallClock.schedule(() => runs++, 2 * LONGEST);
  vi.advanceTimersByTime(after);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.runAllTimers();
  expect(runs).toBe(0);
});
