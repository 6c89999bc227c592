import { AiccError, LIMITS } from '../protocol/index.ts';
import type { Call } from './call.ts';

/** Decides when a checked call may start: each tick mode has its own (AICC E1–E3). */
export interface Gate {
  /** Whether world time may move on now; always, but in event mode. */
  readonly open: boolean;
  admit(call: Call): void;
  /** The world is about to step. */
  startDue(): void;
  /** A tick boundary has been reached. */
  tick(): void;
  /** Who can act now is another question than before: a session or a body came, went, was suspended or paused. */
  sessionsChanged(): void;
  /** The game wants one tick (event mode). */
  trigger(): void;
  close(): void;
}

/** E3: a call starts in the turn in which it arrived. */
export class HybridGate implements Gate {
  readonly open = true;

  admit(call: Call): void {
    call.enterLane();
  }

  startDue(): void {}
  tick(): void {}
  sessionsChanged(): void {}
  trigger(): void {}
  close(): void {}
}

/** E1: calls start at the first step after the next tick, in the order they came. */
export class FixedGate implements Gate {
  readonly open = true;
  #arrived: Call[] = [];
  #due: Call[] = [];

  admit(call: Call): void {
    expireAtGate(call);
    this.#arrived.push(call);
  }

  startDue(): void {
    const calls = this.#due;
    this.#due = [];
    for (const call of calls) call.enterLane();
  }

  tick(): void {
    this.#due.push(...this.#arrived);
    this.#arrived = [];
  }

  sessionsChanged(): void {}
  trigger(): void {}

  close(): void {
    this.#arrived = [];
    this.#due = [];
  }
}

/** A world that stands still must not keep a caller waiting for ever (AICC D12). */
export function expireAtGate(call: Call): void {
  call.expireWaiting(
    () => call.fail(new AiccError('timeout', `the world did not tick within ${LIMITS.callWallMs / 1_000} s`)),
    LIMITS.callWallMs,
  );
}
