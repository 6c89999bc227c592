import { type EventMessage, LIMITS, type Topic } from '../protocol/index.ts';

/**
 * Keeps the events that come before their listener could be there: a bridge may send the first tick right behind `session_init`, while the
 * caller's `await connect()` has not returned. What nobody has asked for by the next turn of the event loop is dropped, except words to the
 * character (AICC F5): they wait for the first listener to `agent_message`, however long the caller loads its mind.
 */
export class EarlyEvents {
  readonly #deliver: (event: EventMessage) => void;
  #kept: EventMessage[] = [];
  #isEarly = true;
  #wordsHadListener = false;

  constructor(deliver: (event: EventMessage) => void) {
    this.#deliver = deliver;
    // A turn after the promise of `connect` resolved, so that chains of `await` have run.
    setTimeout(() => {
      this.#isEarly = false;
      this.#kept = this.#kept.filter((event) => this.#waits(event.topic));
    }, 0);
  }

  /** @param wanted whether somebody listens already */
  pass(event: EventMessage, wanted: boolean): void {
    if (wanted) {
      this.#release(event.topic);
      this.#deliver(event);
    } else if (this.#waits(event.topic)) {
      this.#kept.push(event);
      if (this.#kept.length > LIMITS.queuedEvents) this.#kept.shift();
    }
  }

  /** A topic has a listener now: it hears what was kept, in order, but not before `on()` has returned. */
  heard(topic: Topic): void {
    if (topic === 'agent_message') this.#wordsHadListener = true;
    if (this.#kept.some((event) => event.topic === topic)) queueMicrotask(() => this.#release(topic));
  }

  #waits(topic: string): boolean {
    return this.#isEarly || (topic === 'agent_message' && !this.#wordsHadListener);
  }

  #release(topic: string): void {
    const kept = this.#kept.filter((event) => event.topic === topic);
    if (kept.length === 0) return;
    this.#kept = this.#kept.filter((event) => event.topic !== topic);
    for (const event of kept) this.#deliver(event);
  }
}
