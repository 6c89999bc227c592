import mitt from 'mitt';
import { TOPICS } from '../protocol/index.ts';
import { describeThrown } from '../protocol/thrown.ts';
import type { SessionListeners } from './events.ts';

type Type = keyof SessionListeners;

/** What a session tells of. */
export const TOLD: readonly string[] = [...TOPICS, 'tools', 'lost', 'resumed', 'close', 'error'] satisfies Type[];

type Events = { [T in Type]: Parameters<SessionListeners[T]> };

/** Listeners by type. One that throws (or is async and rejects) does not keep the others from hearing; its error goes to the `error` listeners. */
export class Listeners {
  readonly #emitter = mitt<Events>();

  /** The same listener added twice hears twice; each is removed alone. */
  add<T extends Type>(type: T, listener: SessionListeners[T]): () => void {
    const guarded = (args: Events[T]) => {
      try {
        const returned: unknown = (listener as (...args: Events[T]) => unknown)(...args);
        if (returned instanceof Promise) returned.catch((thrown) => this.#threw(type, thrown));
      } catch (thrown) {
        this.#threw(type, thrown);
      }
    };
    this.#emitter.on(type, guarded);
    return () => this.#emitter.off(type, guarded);
  }

  has(type: Type): boolean {
    return (this.#emitter.all.get(type)?.length ?? 0) > 0;
  }

  emit<T extends Type>(type: T, ...args: Events[T]): void {
    this.#emitter.emit(type, args);
  }

  #threw(type: Type, thrown: unknown): void {
    // An `error` listener that throws has nobody left to tell.
    if (type !== 'error') this.emit('error', thrown instanceof Error ? thrown : new Error(describeThrown(thrown)));
  }
}
