import { fitsMessage, type JsonObject, LIMITS, type ToolResult, uuid, type WireError } from '../protocol/index.ts';
import { outcomeOf } from './envelope.ts';
import { CallError } from './errors.ts';

export interface CallOptions {
  /**
   * Give up after this many milliseconds of wall time: the call is cancelled and rejects with `timeout`.
   * Default none: the bridge's own limits (30 s of world time, 120 s of wall time) end every call.
   */
  timeoutMs?: number;
  /** Aborting cancels the call; it rejects at once with `execution_failed`, the signal's reason as `cause`. */
  signal?: AbortSignal;
  /** An abort still cancels the call, but the promise settles with what truly became of it: it may have been done already. Default false. */
  awaitOutcome?: boolean;
}

/** AICC D17 */
const CANCEL = 'cancel_call';

interface Pending {
  tool: string;
  /** As JSON: a caller may change its object meanwhile, and D1 asks for the same content. */
  input: string;
  resolve(output: JsonObject): void;
  fail(error: WireError, options?: ErrorOptions): void;
  /** Takes back the timer and the abort listener. */
  release(): void;
}

/** The calls of one session whose result has not come. Each promise settles exactly once, whatever the bridge does. */
export class Calls {
  readonly #pending = new Map<string, Pending>();
  /** Given up, or the cancelling call itself, with what it cancels: their results are expected and concern nobody. */
  readonly #unheard = new Map<string, string | undefined>();
  readonly #send: (callId: string, tool: string, input: JsonObject) => void;

  /** @param send sends a `tool_call`; `callId` is a UUID and serves as message id too, so that an `error` finds its call (AICC A7). */
  constructor(send: (callId: string, tool: string, input: JsonObject) => void) {
    this.#send = send;
  }

  start(tool: string, input: JsonObject, { timeoutMs, signal, awaitOutcome = false }: CallOptions): Promise<JsonObject> {
    const callId = uuid();
    return new Promise((resolve, reject) => {
      const fail = (error: WireError, options?: ErrorOptions) => reject(new CallError(error, { tool, callId }, options));
      const cancelled = () => ({ code: 'execution_failed', message: 'cancelled', retryable: false }) as const;
      if (signal?.aborted) return fail(cancelled(), { cause: signal.reason });
      const sendable = asJson(input);
      if ('problem' in sendable) return fail({ code: 'invalid_input', message: sendable.problem, retryable: false });

      const onAbort = () => {
        if (awaitOutcome) this.#cancel(callId);
        else this.#giveUp(callId, cancelled(), { cause: signal?.reason });
      };
      signal?.addEventListener('abort', onAbort);
      const late = () => this.#giveUp(callId, { code: 'timeout', message: `no result within ${timeoutMs} ms`, retryable: true });
      const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      this.#pending.set(callId, { tool, input: sendable.text, resolve, fail, release });
      this.#send(callId, tool, input);
    });
  }

  /** C5: on a new connection. What the bridge has had already it knows by its id (D1); what was given up is only cancelled. */
  sendAgain(): void {
    for (const [callId, { tool, input }] of this.#pending) this.#send(callId, tool, JSON.parse(input));
    for (const [callId, target] of this.#unheard) if (target !== undefined) this.#send(callId, CANCEL, { call_id: target });
  }

  /** @returns whether anybody waited for this result. */
  settle(result: ToolResult): boolean {
    if (this.#unheard.delete(result.call_id)) return true;
    const call = this.#take(result.call_id);
    if (call === undefined) return false;
    const outcome = outcomeOf(result);
    if ('output' in outcome) call.resolve(outcome.output);
    else call.fail(outcome.error);
    return true;
  }

  /** An `error` that answers a call's message. @returns whether it did. */
  refuse(callId: string, error: WireError): boolean {
    if (this.#unheard.delete(callId)) return true;
    const call = this.#take(callId);
    call?.fail(error);
    return call !== undefined;
  }

  /** Ends every call that is still waiting. */
  failAll(error: WireError): void {
    for (const callId of [...this.#pending.keys()]) this.#take(callId)?.fail(error);
    this.#unheard.clear();
  }

  #giveUp(callId: string, error: WireError, options?: ErrorOptions): void {
    const call = this.#take(callId);
    if (call === undefined) return;
    this.#unheard.set(callId, undefined);
    call.fail(error, options);
    this.#cancel(callId);
  }

  #cancel(callId: string): void {
    const cancelId = uuid();
    this.#unheard.set(cancelId, callId);
    this.#send(cancelId, CANCEL, { call_id: callId });
  }

  #take(callId: string): Pending | undefined {
    const call = this.#pending.get(callId);
    this.#pending.delete(callId);
    call?.release();
    return call;
  }
}

/** An input as it travels, or why it cannot: no JSON, or over A2 (less a kilobyte for what surrounds it), which would cost the whole connection. */
function asJson(input: JsonObject): { text: string } | { problem: string } {
  try {
    const room = LIMITS.messageBytes - 1024;
    const text = JSON.stringify(input);
    return fitsMessage(text, room) ? { text } : { problem: `the input is larger than ${room} bytes of JSON` };
  } catch (thrown) {
    return { problem: `the input is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}
