import { type EventMessage, LIMITS, type Topic } from '../protocol/index.ts';

/**
 * Keeps the events that come before their listener could be there: a bridge may send the first tick right behind `session_init`, while the
 * caller's `await connect()` has not returned. What nobody has asked for by the next turn of the event loop is dropped.
 */
export class EarlyEvents {
  readonly #deliver: (event: EventMessage) => void;
  #kept: EventMessage[] | undefined = [];

  constructor(deliver: (event: EventMessage) => void) {
    this.#deliver = deliver;
    // A turn after the promise of `connect` resolved, so that chains of `await` have run.
    setTimeout(() => {
      this.#kept = undefined;
    }, 0);
  }

  /** @param wanted whether somebody listens already */
  pass(event: EventMessage, wanted: boolean): void {
    if (wanted) {
      this.#release(event.topic);
      this.#deliver(event);
    } else if (this.#kept !== undefined && this.#kept.length < LIMITS.queuedEvents) {
      this.#kept.push(event);
    }
  }

  /** A topic has a listener now: it hears what was kept, in order, but not before `on()` has returned. */
  heard(topic: Topic): void {
    if (this.#kept?.some((event) => event.topic === topic)) queueMicrotask(() => this.#release(topic));
  }

  #release(topic: Topic): void {
    const kept = this.#kept?.filter((event) => event.topic === topic);
    if (kept === undefined || kept.length === 0) return;
    this.#kept = this.#kept?.filter((event) => event.topic !== topic);
    for (const event of kept) this.#deliver(event);
  }
}
