import type { Clock } from '../base/clock.ts';
import { LIMITS } from '../protocol/index.ts';
import type { Call, CallHost } from './call.ts';
import type { CompiledTool } from './catalogue.ts';
import { expireAtGate, type Gate } from './gate.ts';
import { Timer } from './timer.ts';

/** What this needs of a session, beside what its calls need. */
interface Actor extends CallHost {
  readonly ended: boolean;
  readonly yielding: string | undefined;
}

export interface EventGateOptions<S extends Actor> {
  /** Whether the tool's calls move the world. */
  moves(tool: CompiledTool): boolean;
  /** `any`: the first acting call moves the world; `all`: when every session that can act has acted or was waited for long enough. */
  barrier: 'any' | 'all';
  clock: Clock;
  sessions(): Iterable<S>;
  /** Whether the session can act now: it is there, drives, and has a tool that moves the world. */
  canAct(session: S): boolean;
  /** Work outside world time is pending; the world waits for it. */
  externalPending(): boolean;
}

/**
 * Event mode (AICC E2): the world stands still until an acting call or a trigger moves it, and then moves for as long as acting calls run,
 * in whole ticks and for at least one. Calls that arrive meanwhile start at the next tick boundary; while it stands still, also for work
 * outside world time, sensors answer at once.
 */
export class EventGate<S extends Actor> implements Gate {
  readonly #options: EventGateOptions<S>;
  /** Between two tick boundaries. */
  #moving = false;
  /** Those that wait for a tick of their own. */
  #triggers = 0;
  /** This tick is a trigger's. */
  #triggered = false;
  /** By when each has come, on the wall clock. */
  readonly #arrived = new Map<Call, number>();
  readonly #acting = new Set<Call>();
  /** The sessions of both, with how many. */
  readonly #actors = new Map<CallHost, number>();
  /** `all`: in-page drivers that let the world wait in vain, and are not waited for until they act again. */
  readonly #idle = new WeakSet<CallHost>();
  /** `all`: one that has yet to act, so that a call costs no look at everybody. */
  #awaited: S | undefined;
  readonly #patience: Timer;

  constructor(options: EventGateOptions<S>) {
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
    this.#count(call.session, 1);
    if (this.#options.moves(call.tool)) this.#idle.delete(call.session);
    call.onDone(() => {
      this.#arrived.delete(call);
      this.#acting.delete(call);
      this.#count(call.session, -1);
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
    if (this.#options.barrier === 'all' && !this.#everybodyActed()) {
      const left = oldest + LIMITS.barrierMs - this.#options.clock.wallNow();
      if (left > 0) return this.#patience.start(() => this.sessionsChanged(), left);
      this.#giveUpIdle();
    }
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
    if (this.#actors.size === 0 || this.#triggered || this.#triggers > 0) return true;
    for (const session of this.#actors.keys()) if (!session.character.absence()) return true;
    return false;
  }

  #everybodyActed(): boolean {
    if (this.#awaited && this.#isAwaited(this.#awaited)) return false;
    this.#awaited = undefined;
    for (const session of this.#options.sessions()) {
      if (!this.#isAwaited(session)) continue;
      this.#awaited = session;
      return false;
    }
    return true;
  }

  #isAwaited(session: S): boolean {
    return !session.ended && !this.#actors.has(session) && !this.#idle.has(session) && this.#options.canAct(session);
  }

  #giveUpIdle(): void {
    for (const session of this.#options.sessions()) if (session.yielding !== undefined && this.#isAwaited(session)) this.#idle.add(session);
  }

  #count(session: CallHost, change: 1 | -1): void {
    const count = (this.#actors.get(session) ?? 0) + change;
    if (count > 0) this.#actors.set(session, count);
    else this.#actors.delete(session);
  }
}
