import { AiccError, LIMITS } from '../protocol/index.ts';
import type { OnBusy } from './tool.ts';

/** What a lane needs of a call. */
export interface LaneUser {
  readonly done: boolean;
  start(): void;
  fail(error: AiccError): void;
  /** Calls `run` after so much wall time unless the call has started or ended by then. */
  expireWaiting(run: () => void, ms: number): void;
}

/** A part of the body that one call at a time may use (AICC D10). */
export class Lane {
  readonly #name: string;
  #running: LaneUser | undefined;
  #waiting: LaneUser[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Starts the call now, or does with it (or with the running one) what `onBusy` says. */
  enter(call: LaneUser, onBusy: OnBusy): void {
    if (this.#running === undefined || this.#running.done) return this.#take(call);
    if (onBusy === 'reject') {
      return call.fail(new AiccError('tool_unavailable', `lane '${this.#name}' is busy; try again when its call has ended`, true, 'busy'));
    }
    if (onBusy === 'queue') return this.#wait(call);
    const preempted = this.#running;
    // Taken before the old one ends, so that nothing waiting can slip in between.
    this.#running = call;
    preempted.fail(new AiccError('execution_failed', 'preempted', true, 'preempted'));
    if (!call.done) call.start();
  }

  /** The call has its result: whoever waits is next. */
  leave(call: LaneUser): void {
    this.#waiting = this.#waiting.filter((other) => other !== call);
    if (this.#running !== call) return;
    this.#running = undefined;
    const next = this.#waiting.shift();
    if (next) this.#take(next);
  }

  #take(call: LaneUser): void {
    this.#running = call;
    call.start();
  }

  #wait(call: LaneUser): void {
    if (this.#waiting.length >= LIMITS.laneQueue) {
      return call.fail(
        new AiccError(
          'tool_unavailable',
          `lane '${this.#name}' already has ${LIMITS.laneQueue} calls waiting; try again later`,
          true,
          'queue_full',
        ),
      );
    }
    this.#waiting.push(call);
    call.expireWaiting(
      () => call.fail(new AiccError('timeout', `waited ${LIMITS.laneQueueMs / 1000} s for lane '${this.#name}'`)),
      LIMITS.laneQueueMs,
    );
  }
}
