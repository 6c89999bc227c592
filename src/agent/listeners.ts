import mitt from 'mitt';
import { shown } from '../base/check-options.ts';
import { didYouMean } from '../base/nearest.ts';
import { describeThrown } from '../base/thrown.ts';
import type { SessionListeners } from './events.ts';

type Type = keyof SessionListeners;

type Events = { [T in Type]: Parameters<SessionListeners[T]> };

const TYPES: Record<Type, true> = {
  tick: true,
  collision: true,
  audio: true,
  state_change: true,
  agent_message: true,
  tools: true,
  lost: true,
  resumed: true,
  close: true,
  error: true,
};

/** Listeners by type. One that throws (or is async and rejects) does not keep the others from hearing; its error goes to the `error` listeners. */
export class Listeners {
  readonly #emitter = mitt<Events>();

  /** The same listener added twice hears twice; each is removed alone. @throws TypeError for a type that there is not, or no function */
  add<T extends Type>(type: T, listener: SessionListeners[T]): () => void {
    if (!Object.hasOwn(TYPES, type)) {
      const names = Object.keys(TYPES);
      throw new TypeError(
        `on('${String(type)}'): a session does not tell that${didYouMean(String(type), names) || `; it tells ${names.join(', ')}`}`,
      );
    }
    if (typeof listener !== 'function')
      throw new TypeError(`on('${type}', listener): the listener must be a function, not ${shown(listener)}`);
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
