import { type CharacterInfo, LIMITS } from '../protocol/index.ts';
import type { BridgeCore } from './bridge-core.ts';
import type { Session } from './session.ts';

/** Who drives a character now. */
export type Driver = CharacterInfo['driver'];

/** Who drives one character: agents through their sessions, a driver in the page that yields to them, a person, or nobody (AICC B4, B6, B7). */
export class Drivers {
  readonly sessions = new Set<Session>();
  readonly #bridge: BridgeCore;
  #listeners = new Set<(driver: Driver) => void>();
  #person = false;
  #announced: { driver: Driver; mind: string } = { driver: 'none', mind: '' };

  constructor(bridge: BridgeCore) {
    this.#bridge = bridge;
  }

  /** The sessions of agents that drive. */
  get outside(): Session[] {
    return [...this.sessions].filter((session) => session.yielding === undefined && !session.spectates);
  }

  /** Whether somebody is there who can answer and act, now or after coming back. */
  get any(): boolean {
    return this.yielding !== undefined || this.outside.length > 0;
  }

  /** The session of the driver in the page. */
  get yielding(): Session | undefined {
    for (const session of this.sessions) if (session.yielding !== undefined) return session;
    return undefined;
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

  /** Whether another agent may come (AICC B4); long-lost sessions give way (B7). */
  makeRoom(maxSessions: number): boolean {
    const wall = this.#bridge.clock.wallNow();
    for (const session of this.outside) {
      if (this.outside.length < maxSessions) break;
      if (session.detachedAt !== undefined && wall - session.detachedAt >= LIMITS.givesWayMs)
        session.close('another agent has taken the character');
    }
    return this.outside.length < maxSessions;
  }

  /** Whether another spectator may come (AICC B8): who has lost the connection gives way at once. */
  makeRoomToWatch(maxSpectators: number): boolean {
    const watching = [...this.sessions].filter((session) => session.spectates);
    let left = watching.length;
    for (const session of watching) {
      if (left < maxSpectators) break;
      if (session.attached) continue;
      session.close('another spectator has come');
      left--;
    }
    return left < maxSpectators;
  }

  /** A person drives it now, or no longer: in-page drivers step back (AICC B6). */
  takeOver(person: boolean): void {
    this.#person = person;
    this.changed();
  }

  /** The character has come back after it had been given up: a person who drove it still does, and who listened listens on. */
  inherit(earlier: Drivers): void {
    this.#person = earlier.#person;
    this.#listeners = earlier.#listeners;
    this.#announced = earlier.#announced;
    this.changed();
  }

  /** `changed` is to follow once the session has its connection. */
  join(session: Session): void {
    this.sessions.add(session);
  }

  leave(session: Session): void {
    this.sessions.delete(session);
    this.changed();
  }

  /** Somebody came, went, was lost or took over: suspends or resumes in-page drivers and tells who drives. */
  changed(): void {
    const suspended = this.#person || this.#agent !== undefined;
    for (const session of this.sessions) if (session.yielding !== undefined) session.setSuspended(suspended);
    const { driver, mind } = this;
    this.#bridge.driversChanged();
    if (driver === this.#announced.driver && mind === this.#announced.mind) return;
    this.#announced = { driver, mind };
    for (const listener of [...this.#listeners]) {
      try {
        listener(driver);
      } catch {
        // A listener of the game must not keep a session from opening or ending.
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

  get #agent(): Session | undefined {
    return this.outside.find((session) => session.attached);
  }
}
