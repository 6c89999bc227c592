import { type Clock, LIMITS } from '../protocol/index.ts';
import type { Call } from './call.ts';
import type { CompiledTool } from './catalogue.ts';
import { expireAtGate, type Gate } from './gate.ts';
import type { Session } from './session.ts';
import { Timer } from './timer.ts';

export interface EventGateOptions {
  /** Whether the tool's calls move the world. */
  moves(tool: CompiledTool): boolean;
  /** `any`: the first acting call moves the world; `all`: when every session that can act has acted or was waited for long enough. */
  barrier: 'any' | 'all';
  clock: Clock;
  /** Every session that can act now. */
  drivers(): Session[];
  /** Work outside world time is pending; the world waits for it. */
  externalPending(): boolean;
}

/**
 * Event mode (AICC E2): the world stands still until an acting call or a trigger moves it, and then moves for as long as acting calls run,
 * in whole ticks and for at least one. Calls that arrive meanwhile start at the next tick boundary; while it stands still, also for work
 * outside world time, sensors answer at once.
 */
export class EventGate implements Gate {
  readonly #options: EventGateOptions;
  /** Between two tick boundaries. */
  #moving = false;
  /** Those that wait for a tick of their own. */
  #triggers = 0;
  /** This tick is a trigger's. */
  #triggered = false;
  /** By when each has come, on the wall clock. */
  readonly #arrived = new Map<Call, number>();
  readonly #acting = new Set<Call>();
  readonly #patience: Timer;

  constructor(options: EventGateOptions) {
    this.#options = options;
    this.#patience = new Timer(options.clock);
  }

  get open(): boolean {
    return this.#moving && this.#wanted && !this.#options.externalPending();
  }

  admit(call: Call): void {
    if (!this.open && !this.#options.moves(call.tool)) return call.enterLane();
    expireAtGate(call);
    this.#arrived.set(call, this.#options.clock.wallNow());
    call.onDone(() => {
      this.#arrived.delete(call);
      this.#acting.delete(call);
    });
    this.sessionsChanged();
  }

  startDue(): void {}

  tick(): void {
    this.#triggered = this.#triggers > 0;
    this.#moving = this.#acting.size > 0 || this.#triggered;
    if (this.#triggers > 0) this.#triggers--;
    // Sensors see the boundary; acting calls may have to wait for the others (`all`).
    for (const call of [...this.#arrived.keys()]) if (!this.#options.moves(call.tool)) this.#start(call);
    this.#startIfReady();
  }

  sessionsChanged(): void {
    if (!this.#moving) this.#startIfReady();
  }

  trigger(): void {
    if (this.#moving) this.#triggers++;
    else this.#triggered = true;
    this.#moving = true;
  }

  close(): void {
    this.#patience.stop();
  }

  /** At a tick boundary: starts what waits, or sees to it that it does not wait for too long. */
  #startIfReady(): void {
    this.#patience.stop();
    const [oldest] = this.#arrived.values();
    if (oldest === undefined) return;
    const left = this.#options.barrier === 'any' || this.#everybodyActed() ? 0 : oldest + LIMITS.barrierMs - this.#options.clock.wallNow();
    if (left > 0) return this.#patience.start(() => this.sessionsChanged(), left);
    this.#moving = true;
    for (const call of [...this.#arrived.keys()]) {
      this.#acting.add(call);
      this.#start(call);
    }
  }

  #start(call: Call): void {
    this.#arrived.delete(call);
    call.enterLane();
  }

  /** Time would pass in vain for those alone whose own stands still (AICC E6). */
  get #wanted(): boolean {
    const calls = [...this.#acting, ...this.#arrived.keys()];
    return calls.length === 0 || this.#triggered || this.#triggers > 0 || calls.some((call) => !call.session.character.absence());
  }

  #everybodyActed(): boolean {
    const acted = new Set([...this.#arrived.keys(), ...this.#acting].map((call) => call.session));
    return this.#options.drivers().every((session) => acted.has(session));
  }
}
