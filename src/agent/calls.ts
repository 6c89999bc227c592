import { checkOptions } from '../base/check-options.ts';
import { wallClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { flawOf } from '../base/json-flaw.ts';
import { describeThrown } from '../base/thrown.ts';
import { uuid } from '../base/uuid.ts';
import { fitsMessage, LIMITS, type ToolResult } from '../protocol/index.ts';
import { outcomeOf } from './envelope.ts';
import { CallError, type CallFailure, type Caused } from './errors.ts';
import { onAbort } from './on-abort.ts';

/** How long to wait for a call, and how to give it up. */
export interface CallOptions {
  /**
   * Give up after this many milliseconds of wall time: the call is cancelled and rejects with `timeout`.
   * Default none: the bridge's own limits end every call (30 s of world time, 120 s of wall time without pauses, a pause of four hours).
   */
  timeoutMs?: number;
  /** Aborting cancels the call; it rejects at once with `execution_failed`, the signal's reason as `cause`. */
  signal?: AbortSignal;
  /** An abort still cancels the call, but the promise settles with what truly became of it: it may have been done already. Default false. */
  awaitOutcome?: boolean;
}

/** AICC A2: what is left for tool and input when the rest of a message has its place. */
const ROOM = LIMITS.messageBytes - 1024;

/** AICC A3: an input's own depth, one less than its message's. */
const INPUT_DEPTH = LIMITS.messageDepth - 1;

/** AICC D17 */
const CANCEL = 'cancel_call';

interface Pending {
  tool: string;
  /** As JSON: a caller may change its object meanwhile, and D1 asks for the same content. */
  input: string;
  resolve(output: JsonObject): void;
  fail(error: CallFailure, options?: Caused): void;
  /** Takes back the timer and the abort listener. */
  release(): void;
}

/** Sends a `tool_call`, its input as JSON. `callId` is a UUID and serves as message id too, so that an `error` finds its call (AICC A7). */
type SendCall = (callId: string, tool: string, input: string) => void;

/** The calls of one session whose result has not come. Each promise settles exactly once, whatever the bridge does. */
export class Calls {
  readonly #pending = new Map<string, Pending>();
  /** Given up, or the cancelling call itself, with what it cancels: their results are expected and concern nobody. */
  readonly #unheard = new Map<string, string | undefined>();
  readonly #send: SendCall;

  constructor(send: SendCall) {
    this.#send = send;
  }

  start(tool: string, input: JsonObject, options: CallOptions): Promise<JsonObject> {
    const callId = uuid();
    return new Promise((resolve, reject) => {
      checkOptions('call(tool, input, options)', options, { timeoutMs: 'number', signal: 'signal', awaitOutcome: 'boolean' });
      const { timeoutMs, signal, awaitOutcome = false } = options;
      const fail = (error: CallFailure, options?: Caused) => reject(new CallError(error, { tool, callId }, options));
      const cancelled = () => ({ code: 'execution_failed', message: 'cancelled', retryable: false, reason: 'cancelled' }) as const;
      if (signal?.aborted) return fail(cancelled(), { cause: signal.reason });
      const sendable = asJson(tool, input);
      if ('problem' in sendable) return fail({ code: 'invalid_input', message: sendable.problem, retryable: false });

      const stopListening = onAbort(signal, () => {
        if (awaitOutcome) this.#cancel(callId);
        else this.#giveUp(callId, cancelled(), { cause: signal?.reason });
      });
      const late = () => this.#giveUp(callId, { code: 'timeout', message: `no result within ${timeoutMs} ms`, retryable: true });
      const stopTimer = timeoutMs === undefined ? undefined : wallClock.schedule(late, timeoutMs);
      const release = () => {
        stopTimer?.();
        stopListening();
      };
      this.#pending.set(callId, { tool, input: sendable.text, resolve, fail, release });
      this.#send(callId, tool, sendable.text);
    });
  }

  /** C5: on a new connection. What the bridge has had already it knows by its id (D1); what was given up is only cancelled. */
  sendAgain(): void {
    for (const [callId, { tool, input }] of this.#pending) this.#send(callId, tool, input);
    for (const [callId, target] of this.#unheard) if (target !== undefined) this.#sendCancel(callId, target);
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
  refuse(callId: string, error: CallFailure): boolean {
    if (this.#unheard.delete(callId)) return true;
    const call = this.#take(callId);
    call?.fail(error);
    return call !== undefined;
  }

  /** Ends every call that is still waiting. */
  failAll(error: CallFailure): void {
    for (const callId of [...this.#pending.keys()]) this.#take(callId)?.fail(error);
    this.#unheard.clear();
  }

  #giveUp(callId: string, error: CallFailure, options?: Caused): void {
    const call = this.#take(callId);
    if (call === undefined) return;
    this.#unheard.set(callId, undefined);
    call.fail(error, options);
    this.#cancel(callId);
  }

  #cancel(callId: string): void {
    const cancelId = uuid();
    this.#unheard.set(cancelId, callId);
    this.#sendCancel(cancelId, callId);
  }

  #sendCancel(cancelId: string, callId: string): void {
    this.#send(cancelId, CANCEL, JSON.stringify({ call_id: callId }));
  }

  #take(callId: string): Pending | undefined {
    const call = this.#pending.get(callId);
    this.#pending.delete(callId);
    call?.release();
    return call;
  }
}

/** An input as it travels, or why it cannot: no JSON object, nested too deep, or too large, which would cost the whole connection. */
function asJson(tool: string, input: JsonObject): { text: string } | { problem: string } {
  if (typeof tool !== 'string') return { problem: `a tool is called by its id, not by ${typeof tool}` };
  try {
    const text = JSON.stringify(input);
    if (!text?.startsWith('{')) return { problem: 'the input must be an object' };
    if (!fitsMessage(JSON.stringify(tool) + text, ROOM)) return { problem: `the input is larger than ${ROOM} bytes of JSON` };
    // What travels is the text: an object may give another one each time it is asked.
    const problem =
      flawOf(JSON.parse(text), INPUT_DEPTH, 'the input') ?? (text.includes('null') ? flawOf(input, INPUT_DEPTH, 'the input') : undefined);
    return problem === undefined ? { text } : { problem };
  } catch (thrown) {
    return { problem: `the input is not JSON: ${describeThrown(thrown)}` };
  }
}
