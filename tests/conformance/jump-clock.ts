import { type Clock, wallClock } from '../../src/base/clock.ts';

interface Timer {
  at: number;
  run: () => void;
}

/** Loopback sockets deliver within a turn of the event loop; a message may have to go through several of them. */
const TURNS = 20;

/** Real wall time that can also be made to jump ahead: what falls due on the way runs, each at its own time, with the answers to it between. */
export class JumpClock implements Clock {
  private skipped = 0;
  private readonly timers = new Map<Timer, () => void>();

  wallNow(): number {
    return performance.now() + this.skipped;
  }

  schedule(run: () => void, ms: number): () => void {
    const timer = { at: this.wallNow() + ms, run };
    this.start(timer);
    return () => this.stop(timer);
  }

  /** `ms` go by at once. */
  async jump(ms: number): Promise<void> {
    await settle();
    const end = this.wallNow() + ms;
    for (;;) {
      const next = [...this.timers.keys()].sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.stop(next);
      this.skipped += Math.max(0, next.at - this.wallNow());
      next.run();
      await settle();
    }
    this.skipped += Math.max(0, end - this.wallNow());
    for (const timer of [...this.timers.keys()]) this.start(timer);
  }

  private start(timer: Timer): void {
    this.stop(timer);
    const due = () => {
      this.timers.delete(timer);
      timer.run();
    };
    this.timers.set(timer, wallClock.schedule(due, Math.max(0, timer.at - this.wallNow())));
  }

  private stop(timer: Timer): void {
    this.timers.get(timer)?.();
    this.timers.delete(timer);
  }
}

/** What was sent before has arrived. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}
