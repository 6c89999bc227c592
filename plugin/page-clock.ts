import { type Clock, wallClock } from '../src/base/clock.ts';

/** Wall time of a page whose own timers the browser holds back, for up to a minute, while it is hidden. */
export interface PageClock extends Clock {
  /** Runs what is due and has been held back. */
  catchUp(): void;
}

/** The page's wall time, which keeps its appointments as long as somebody calls `catchUp` while the page is hidden. */
export function pageClock(): PageClock {
  const pending = new Set<{ at: number; run(): void }>();
  const { wallNow } = wallClock;
  return {
    wallNow,
    schedule(run, ms) {
      const stop = () => {
        pending.delete(timer);
        stopPages();
      };
      const timer = {
        at: wallNow() + ms,
        run() {
          stop();
          run();
        },
      };
      const stopPages = wallClock.schedule(timer.run, ms);
      pending.add(timer);
      return stop;
    },
    catchUp() {
      const due = [...pending].filter(({ at }) => at <= wallNow()).sort((a, b) => a.at - b.at);
      for (const timer of due) if (pending.has(timer)) timer.run();
    },
  };
}
