import { describeThrown } from '../protocol/thrown.ts';
import type { SessionListeners } from './events.ts';

type Type = keyof SessionListeners;
type Entry<T extends Type> = { listener: SessionListeners[T] };

/** Listeners by type. One that throws (or is async and rejects) does not keep the others from hearing; its error goes to the `error` listeners. */
export class Listeners {
  readonly #entries: { [T in Type]: Set<Entry<T>> } = {
    tick: new Set(),
    collision: new Set(),
    audio: new Set(),
    state_change: new Set(),
    agent_message: new Set(),
    tools: new Set(),
    lost: new Set(),
    resumed: new Set(),
    close: new Set(),
    error: new Set(),
  };

  /** The same listener added twice hears twice; each is removed alone. */
  add<T extends Type>(type: T, listener: SessionListeners[T]): () => void {
    const entry: Entry<T> = { listener };
    const entries: Set<Entry<T>> = this.#entries[type];
    entries.add(entry);
    return () => {
      entries.delete(entry);
    };
  }

  has(type: Type): boolean {
    return this.#entries[type].size > 0;
  }

  emit<T extends Type>(type: T, ...args: Parameters<SessionListeners[T]>): void {
    const entries: Set<Entry<T>> = this.#entries[type];
    for (const { listener } of [...entries]) {
      try {
        const returned: unknown = (listener as (...args: Parameters<SessionListeners[T]>) => unknown)(...args);
        if (returned instanceof Promise) returned.catch((thrown) => this.#threw(type, thrown));
      } catch (thrown) {
        this.#threw(type, thrown);
      }
    }
  }

  #threw(type: Type, thrown: unknown): void {
    // An `error` listener that throws has nobody left to tell.
    if (type !== 'error') this.emit('error', thrown instanceof Error ? thrown : new Error(describeThrown(thrown)));
  }
}
