import type { JsonObject } from '../base/json.ts';
import { AiccError } from '../protocol/index.ts';
import { tolerantController } from './tolerant-controller.ts';
import type { Caller, HostContext } from './tool-context.ts';

/** A promise of a tool that world time or a condition will settle. */
interface Waiter {
  ready(): boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/** What a context needs of the world around it. */
export interface ContextHost {
  readonly characterId: string;
  /** Milliseconds of the character's world time. */
  readonly now: number;
  readonly tick: number;
  random(): number;
  /** Work outside world time has begun (1) or ended (-1). */
  external(pending: 1 | -1): void;
  /** Told what a listener to a call's abort threw. Never throws. */
  mistake(thrown: unknown): void;
}

/** The context of one call, or of one look at sensors and availability. After `end` nothing goes through it any more. */
export class CallContext implements HostContext {
  /** Somebody has looked at who calls. */
  askedWho = false;
  readonly #caller: Caller;
  readonly characterId: string;
  readonly unit?: string;
  readonly #host: ContextHost;
  readonly #sendProgress: (payload: JsonObject, dataClass: string | undefined) => void;
  readonly #beforeWaiting: () => void;
  // Made when first asked for: most calls end without anybody looking at their signal.
  #controller: AbortController | undefined;
  readonly #waiters = new Set<Waiter>();
  #ended: AiccError | undefined;
  #aborted: AiccError | undefined;
  #aborting = false;

  /** @param beforeWaiting told that somebody is about to wait for world time; it may end the call */
  constructor(
    host: ContextHost,
    session: Caller,
    sendProgress: (payload: JsonObject, dataClass: string | undefined) => void,
    unit: string | undefined,
    beforeWaiting: () => void = () => undefined,
  ) {
    this.#host = host;
    this.#beforeWaiting = beforeWaiting;
    this.#caller = session;
    this.#sendProgress = sendProgress;
    this.characterId = host.characterId;
    if (unit !== undefined) this.unit = unit;
  }

  get session(): Caller {
    this.askedWho = true;
    return this.#caller;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = tolerantController((thrown) => this.#host.mistake(thrown));
      if (this.#aborted) this.#controller.abort(this.#aborted);
    }
    return this.#controller.signal;
  }

  get tick(): number {
    return this.#host.tick;
  }

  get now(): number {
    return this.#host.now;
  }

  random(): number {
    this.#assertLive();
    return this.#host.random();
  }

  sleep(ms: number): Promise<void> {
    const end = this.#host.now + ms;
    return this.#wait(() => this.#host.now >= end);
  }

  until(condition: () => boolean): Promise<void> {
    return this.#wait(condition);
  }

  external<T>(work: Promise<T>): Promise<T> {
    this.#assertLive();
    const outside = new Promise<T>((resolve, reject) => {
      const end = (finish: () => void) => {
        this.#host.external(-1);
        finish();
      };
      const waiter: Waiter = { ready: () => false, resolve: () => undefined, reject: (error) => end(() => reject(error)) };
      this.#waiters.add(waiter);
      this.#host.external(1);
      const settle = (finish: () => void) => {
        if (this.#waiters.delete(waiter)) end(finish);
      };
      Promise.resolve(work).then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
    return this.#unwatched(outside);
  }

  progress(payload: JsonObject, options?: { dataClass?: string }): void {
    this.#assertLive();
    this.#sendProgress(payload, options?.dataClass);
  }

  assertActive(): void {
    if (!this.#aborting) this.#assertLive();
  }

  /** World time has moved or a frame has passed: settles what is ready. Never throws. */
  poll(): void {
    for (const waiter of [...this.#waiters]) {
      // A condition may itself have ended the call.
      if (!this.#waiters.has(waiter)) continue;
      try {
        if (!waiter.ready()) continue;
        this.#waiters.delete(waiter);
        waiter.resolve();
      } catch (error) {
        this.#waiters.delete(waiter);
        waiter.reject(error);
      }
    }
  }

  /** The call is over. `reason` absent: it ended well, and the signal stays quiet. */
  end(reason?: AiccError): void {
    if (this.#ended) return;
    this.#ended = reason ?? new AiccError('execution_failed', 'the call has already ended');
    this.#aborted = reason;
    this.#aborting = true;
    if (reason) this.#controller?.abort(reason);
    this.#aborting = false;
    const left = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of left) waiter.reject(this.#ended);
  }

  #wait(ready: () => boolean): Promise<void> {
    this.#assertLive();
    const waiting = new Promise<void>((resolve, reject) => {
      // What holds already needs no frame; a condition that throws here rejects.
      if (ready()) return resolve();
      this.#beforeWaiting();
      if (this.#ended) return reject(this.#ended);
      this.#waiters.add({ ready, resolve, reject });
    });
    return this.#unwatched(waiting);
  }

  #assertLive(): void {
    if (this.#ended) throw this.#ended;
  }

  /** A handler that started something and no longer waits for it must not bring the game down by its abort. */
  #unwatched<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => undefined);
    return this.#endsQuietly(promise);
  }

  /** Nor by what it chained to it: through that the call's end may pass unheard, and nothing else. `await` does not come by here. */
  #endsQuietly<T>(promise: Promise<T>): Promise<T> {
    const { then } = promise;
    const chain: typeof then = (onDone, onFailed) => {
      const pass = (error: unknown): never => {
        if (error === this.#ended) next.catch(() => undefined);
        throw error;
      };
      const next = this.#endsQuietly(then.call(promise, onDone, onFailed ?? pass) as ReturnType<typeof then>);
      return next as never;
    };
    Reflect.set(promise, 'then', chain);
    return promise;
  }
}
