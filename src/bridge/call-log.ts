import { LIMITS } from '../protocol/index.ts';
import type { Call } from './call.ts';
import type { SentResult } from './outbox.ts';

/** One `call_id` of a session: running, or ended with its result. */
interface CallRecord {
  /** What makes two calls the same: tool and input, whatever the order of members. */
  readonly content: string;
  /** Of its JSON, while it is pending. */
  readonly bytes: number;
  call: Call | undefined;
  result: SentResult | undefined;
}

/** Every pending call of a session and the last finished ones: what makes a call run at most once (AICC D1). */
export class CallLog {
  readonly #records = new Map<string, CallRecord>();
  readonly #finished: string[] = [];
  readonly #counts = new Map<string, number>();
  #pendingCount = 0;
  #pendingBytes = 0;

  get pending(): number {
    return this.#pendingCount;
  }

  /** The JSON of all pending calls. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  find(callId: string): CallRecord | undefined {
    return this.#records.get(callId);
  }

  /** Notes a new call, before its checks. */
  open(callId: string, content: string, bytes: number): void {
    this.#records.set(callId, { content, bytes, call: undefined, result: undefined });
    this.#pendingCount++;
    this.#pendingBytes += bytes;
  }

  /** The call has passed its checks and can be cancelled from now on. */
  passed(call: Call): void {
    const record = this.#records.get(call.callId);
    if (record) record.call = call;
  }

  close(callId: string, result: SentResult): void {
    const record = this.#records.get(callId);
    if (record === undefined || record.result) return;
    record.call = undefined;
    record.result = result;
    this.#pendingCount--;
    this.#pendingBytes -= record.bytes;
    this.#finished.push(callId);
    if (this.#finished.length > LIMITS.rememberedCalls) this.#records.delete(this.#finished.shift() as string);
  }

  /** How many calls of this tool have passed its limits (AICC D7). */
  timesCalled(toolId: string): number {
    return this.#counts.get(toolId) ?? 0;
  }

  count(toolId: string): void {
    this.#counts.set(toolId, this.timesCalled(toolId) + 1);
  }

  pendingCalls(): Call[] {
    const calls: Call[] = [];
    for (const record of this.#records.values()) if (record.call) calls.push(record.call);
    return calls;
  }
}
