/** Wall time, given from outside so that tests decide it. World time is not here: it moves only when the bridge is advanced. */
export interface Clock {
  /** Milliseconds from any fixed point; never goes back. */
  wallNow(): number;
  /** Runs once after `ms` of wall time, however long that is, also while no frame runs; returns the way to call it off. */
  schedule(run: () => void, ms: number): () => void;
}

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
