import type { Clock } from '../protocol/index.ts';

/** Real wall time, in Node and in browsers. */
export const wallClock: Clock = {
  wallNow: () => performance.now(),
  schedule(run, ms) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
