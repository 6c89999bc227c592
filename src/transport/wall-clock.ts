import type { Clock } from '../protocol/index.ts';

/** Timers of JavaScript hold no more milliseconds (some 24 days): a longer one would be due at once. */
const LONGEST_TIMER = 2_147_483_647;

/** Real wall time, in Node and in browsers. */
export const wallClock: Clock = {
  wallNow: () => performance.now(),
  schedule(run, ms) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (left: number) => {
      if (left <= LONGEST_TIMER) timer = setTimeout(run, left);
      else timer = setTimeout(() => wait(left - LONGEST_TIMER), LONGEST_TIMER);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
