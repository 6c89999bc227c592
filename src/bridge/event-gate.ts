import { type Clock, LIMITS, type ToolClass } from '../protocol/index.ts';
import type { Call } from './call.ts';
import { expireAtGate, type Gate } from './gate.ts';
import type { Session } from './session.ts';
import { Timer } from './timer.ts';

export interface EventGateOptions {
  /** Classes of tools whose calls move the world. */
  advanceOn: readonly ToolClass[];
  /** `any`: the first acting call moves the world; `all`: when every attached session has acted or waited long enough. */
  barrier: 'any' | 'all';
  clock: Clock;
  /** Every attached session that may act. */
  drivers(): Session[];
  /** Work outside world time is pending; the world waits for it. */
  externalPending(): boolean;
}

/**
 * Event mode (AICC E2): the world stands still until an acting call or a trigger moves it, and then moves for as long as acting calls run,
 * in whole ticks and for at least one. Calls that arrive meanwhile start at the next tick boundary; at a standstill sensors answer at once.
 */
export class EventGate implements Gate {
  readonly #options: EventGateOptions;
  #moving = false;
  #triggers = 0;
  #arrived: Call[] = [];
  readonly #acting = new Set<Call>();
  readonly #patience: Timer;

  constructor(options: EventGateOptions) {
    this.#options = options;
    this.#patience = new Timer(options.clock);
  }

  get open(): boolean {
    return this.#moving && !this.#options.externalPending();
  }

  admit(call: Call): void {
    if (!this.#moving && !this.#acts(call)) return call.enterLane();
    expireAtGate(call);
    this.#arrived.push(call);
    if (!this.#moving) this.#moveIfReady();
  }

  startDue(): void {}

  tick(): void {
    if (this.#triggers > 0) this.#triggers--;
    const waiting = this.#arrived;
    this.#arrived = [];
    // Sensors see the boundary; acting calls may have to wait for the others (`all`).
    for (const call of waiting) if (!this.#acts(call)) call.enterLane();
    this.#arrived.push(...waiting.filter((call) => this.#acts(call) && !call.done));
    this.#moving = this.#acting.size > 0 || this.#triggers > 0;
    if (this.#arrived.length > 0) this.#moveIfReady();
  }

  sessionsChanged(): void {
    if (!this.#moving && this.#arrived.length > 0) this.#moveIfReady();
  }

  trigger(): void {
    this.#triggers++;
    this.#moving = true;
  }

  #acts(call: Call): boolean {
    return this.#options.advanceOn.includes(call.tool.definition.class);
  }

  #moveIfReady(): void {
    if (this.#options.barrier === 'any' || this.#everybodyActed()) return this.#move();
    if (!this.#patience.running) this.#patience.start(() => this.#move(), LIMITS.barrierMs);
  }

  #everybodyActed(): boolean {
    const acted = new Set([...this.#arrived, ...this.#acting].filter((call) => !call.done).map((call) => call.session));
    return this.#options.drivers().every((session) => acted.has(session));
  }

  #move(): void {
    this.#patience.stop();
    const calls = this.#arrived.filter((call) => !call.done);
    this.#arrived = [];
    if (calls.length === 0) return;
    this.#moving = true;
    for (const call of calls) {
      this.#acting.add(call);
      call.onDone(() => this.#acting.delete(call));
      call.enterLane();
    }
  }

  close(): void {
    this.#patience.stop();
  }
}
