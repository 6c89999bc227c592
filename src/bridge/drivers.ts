import { LIMITS, type ModelDeclaration } from '../protocol/index.ts';
import type { BridgeCore } from './bridge-core.ts';

/** Who drives a character now. */
export type Driver = 'none' | 'builtin' | 'person' | 'agent';

const TAKEN = 'another agent has taken the character';

/** What this needs of a session. */
export interface DrivingSession {
  /** What kind of mind an in-page driver is; undefined for agents. */
  readonly yielding: string | undefined;
  readonly spectates: boolean;
  readonly attached: boolean;
  /** Wall time at which the connection was lost. */
  readonly detachedAt: number | undefined;
  /** Whether its agent has been silent for so long that it may be gone (AICC C9). */
  readonly quiet: boolean;
  readonly model: ModelDeclaration;
  setSuspended(suspended: boolean): void;
  close(why: string): void;
}

/** Who drives one character: agents through their sessions, a driver in the page that yields to them, a person, or nobody (AICC B4, B6, B7). */
export class Drivers<S extends DrivingSession> {
  readonly sessions = new Set<S>();
  /** Of agents that drive. */
  readonly #outside = new Set<S>();
  /** Of those, with a connection. */
  readonly #attached = new Set<S>();
  /** And without one, the longest lost first. */
  readonly #lost = new Set<S>();
  /** Of spectators (AICC B8). */
  readonly #watching = new Set<S>();
  /** The session of the driver in the page. */
  #yielding: S | undefined;
  readonly #characterId: string;
  readonly #bridge: BridgeCore;
  #listeners = new Set<(driver: Driver) => void>();
  #person = false;
  #announced: { driver: Driver; mind: string } = { driver: 'none', mind: '' };

  constructor(bridge: BridgeCore, characterId: string) {
    this.#bridge = bridge;
    this.#characterId = characterId;
  }

  /** How many sessions of agents that drive there are. */
  get outside(): number {
    return this.#outside.size;
  }

  /** The session of the driver in the page. */
  get yielding(): S | undefined {
    return this.#yielding;
  }

  get driver(): Driver {
    if (this.#person) return 'person';
    if (this.#agent) return 'agent';
    return this.yielding ? 'builtin' : 'none';
  }

  /** What kind of mind drives: the in-page driver's kind or the agent's model class; empty for nobody and for persons. */
  get mind(): string {
    if (this.#person) return '';
    return this.#agent?.model.class ?? this.yielding?.yielding ?? '';
  }

  /** Whether another agent may come (AICC B4); long-lost sessions give way, then those that may be gone (B7). */
  makeRoom(maxSessions: number): boolean {
    const wall = this.#bridge.clock.wallNow();
    for (const session of this.#lost) {
      if (this.outside < maxSessions || wall - (session.detachedAt ?? wall) < LIMITS.givesWayMs) break;
      session.close(TAKEN);
    }
    for (const session of this.#attached) {
      if (this.outside < maxSessions) break;
      if (session.quiet) session.close(TAKEN);
    }
    return this.outside < maxSessions;
  }

  /** Whether another spectator may come (AICC B8): one that has lost its connection, or may have, gives way at once. */
  makeRoomToWatch(maxSpectators: number): boolean {
    for (const session of this.#watching) {
      if (this.#watching.size < maxSpectators) break;
      if (!session.attached || session.quiet) session.close('another spectator has come');
    }
    return this.#watching.size < maxSpectators;
  }

  /** A person drives it now, or no longer: in-page drivers step back (AICC B6). */
  takeOver(person: boolean): void {
    this.#person = person;
    this.changed();
  }

  /** The character has come back after it had been given up: a person who drove it still does, and who listened listens on. */
  inherit(earlier: Drivers<S>): void {
    this.#person = earlier.#person;
    this.#listeners = earlier.#listeners;
    this.#announced = earlier.#announced;
    this.changed();
  }

  /** `changed` is to follow once the session has its connection. */
  join(session: S): void {
    this.sessions.add(session);
    if (session.yielding !== undefined) this.#yielding = session;
    else (session.spectates ? this.#watching : this.#outside).add(session);
  }

  /** The session has got a connection or lost it; `changed` is to follow. */
  connection(session: S, attached: boolean): void {
    if (!this.#outside.has(session)) return;
    (attached ? this.#attached : this.#lost).add(session);
    (attached ? this.#lost : this.#attached).delete(session);
  }

  leave(session: S): void {
    for (const each of [this.sessions, this.#outside, this.#watching, this.#attached, this.#lost]) each.delete(session);
    if (this.#yielding === session) this.#yielding = undefined;
    this.changed();
  }

  /** Somebody came, went, was lost or took over: suspends or resumes in-page drivers and tells who drives. */
  changed(): void {
    const suspended = this.#person || this.#agent !== undefined;
    this.#yielding?.setSuspended(suspended);
    const { driver, mind } = this;
    this.#bridge.driversChanged(this.#characterId);
    if (driver === this.#announced.driver && mind === this.#announced.mind) return;
    this.#announced = { driver, mind };
    for (const listener of [...this.#listeners]) {
      try {
        listener(driver);
      } catch (thrown) {
        // A listener of the game must not keep a session from opening or ending.
        this.#bridge.mistakes.tell(this, `a listener to the driver of '${this.#characterId}' threw`, thrown);
      }
    }
  }

  /** Tells when somebody else begins to drive. @returns the way to stop listening */
  on(listener: (driver: Driver) => void): () => void {
    // The same listener twice is told twice, and each time is taken back alone.
    const once = (driver: Driver) => listener(driver);
    this.#listeners.add(once);
    return () => this.#listeners.delete(once);
  }

  get #agent(): S | undefined {
    return this.#attached.values().next().value;
  }
}
