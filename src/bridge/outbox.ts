import { LIMITS, utf8Bytes } from '../protocol/index.ts';

/** What waits for sending or is kept for a resume. The text is made when first sent, for only then is its `seq` known (AICC D15). */
interface Entry {
  readonly kind: 'result' | 'event';
  readonly make: (seq: number, dropped: number) => string;
  /** An unsent event with the same key is replaced by a newer one: ticks, and one call's progress (AICC E4, F2). */
  readonly key: string | undefined;
  readonly keep: boolean;
  seq: number;
  /** The bytes as sent; undefined before, and again when the store has let them go (AICC D1). */
  text: string | undefined;
}

/** A result that was or will be sent, for answering a repeated call (AICC D1). */
export type SentResult = Entry;

/**
 * One session's way out. Results and events share one counter. Everything sent is kept as far as AICC C5 says, so that a resume can send it
 * again; while there is no connection, or it is held, events wait (F3, F4).
 */
export class Outbox {
  #nextSeq = 1;
  #transmit: ((text: string) => void) | undefined;
  #held = false;
  #unsent: Entry[] = [];
  #results: Entry[] = [];
  #resultBytes = 0;
  #events: Entry[] = [];
  #dropped = 0;
  #lostAt = 0;

  /** A result: always goes out when there is a connection, never dropped unsent. */
  result(make: (seq: number, dropped: number) => string): SentResult {
    const entry: Entry = { kind: 'result', make, key: undefined, keep: true, seq: 0, text: undefined };
    this.#add(entry);
    return entry;
  }

  /** An event. `keep` false: of no use later, like a tick. */
  event(make: (seq: number, dropped: number) => string, options: { key?: string; keep: boolean }): void {
    const entry: Entry = { kind: 'event', make, key: options.key, keep: options.keep, seq: 0, text: undefined };
    if (entry.key !== undefined) this.#unsent = this.#unsent.filter((other) => other.key !== entry.key);
    this.#add(entry);
  }

  /** Sends a kept result once more; false when its bytes are gone. An unsent one comes by itself. */
  again(result: SentResult): boolean {
    if (result.seq === 0) return true;
    if (result.text === undefined) return false;
    this.#transmit?.(result.text);
    return true;
  }

  /**
   * A connection is there. What a resume must repeat goes first, then what waited, in order (AICC C5).
   * @param lastSeq the last `seq` that the agent knows; undefined: every kept result and the events since the loss
   */
  attach(transmit: (text: string) => void, resume?: { lastSeq: number | undefined }): void {
    this.#transmit = transmit;
    this.#held = false;
    if (resume) this.repeat(resume.lastSeq);
    this.#flush();
  }

  /** Sends what is kept once more; `lastSeq` as for `attach`. */
  repeat(lastSeq: number | undefined): void {
    const wanted = (entry: Entry) => (lastSeq !== undefined ? entry.seq > lastSeq : entry.kind === 'result' || entry.seq >= this.#lostAt);
    const kept = [...this.#results, ...this.#events].filter(wanted).sort((a, b) => a.seq - b.seq);
    for (const entry of kept) if (entry.text !== undefined) this.#transmit?.(entry.text);
  }

  detach(): void {
    this.#transmit = undefined;
    this.#held = false;
    this.#lostAt = this.#nextSeq;
    // What a held connection left behind may be a tick: old by the time of a resume.
    this.#unsent = this.#unsent.filter((entry) => entry.keep);
  }

  /** Flow control: events wait, results flow (AICC F4). */
  hold(held: boolean): void {
    this.#held = held;
    this.#flush();
  }

  #add(entry: Entry): void {
    if (this.#canSend(entry) && this.#unsent.length === 0) this.#send(entry);
    else {
      this.#unsent.push(entry);
      this.#trim();
      this.#flush();
    }
  }

  #canSend(entry: Entry): boolean {
    return this.#transmit !== undefined && (entry.kind === 'result' || !this.#held);
  }

  #flush(): void {
    if (this.#transmit === undefined || this.#unsent.length === 0) return;
    const waiting = this.#unsent;
    this.#unsent = waiting.filter((entry) => !this.#canSend(entry));
    for (const entry of waiting) if (this.#canSend(entry)) this.#send(entry);
  }

  #send(entry: Entry): void {
    entry.seq = this.#nextSeq++;
    const text = entry.make(entry.seq, entry.kind === 'event' ? this.#dropped : 0);
    if (entry.kind === 'event') this.#dropped = 0;
    if (entry.keep) this.#retain(entry, text);
    this.#transmit?.(text);
  }

  #retain(entry: Entry, text: string): void {
    entry.text = text;
    if (entry.kind === 'event') {
      this.#events.push(entry);
      if (this.#events.length > LIMITS.retainedEvents) this.#events.shift();
      return;
    }
    this.#results.push(entry);
    this.#resultBytes += utf8Bytes(text);
    while (this.#results.length > LIMITS.retainedResults || this.#resultBytes > LIMITS.retainedResultBytes) {
      const oldest = this.#results.shift();
      if (oldest?.text === undefined) break;
      this.#resultBytes -= utf8Bytes(oldest.text);
      oldest.text = undefined;
    }
  }

  /** F3: the oldest waiting event goes, and the next one that is sent says how many went. */
  #trim(): void {
    const limit = this.#transmit === undefined ? LIMITS.retainedEvents : LIMITS.queuedEvents;
    const events = this.#unsent.filter((entry) => entry.kind === 'event');
    for (const oldest of events.slice(0, Math.max(0, events.length - limit))) {
      this.#unsent = this.#unsent.filter((entry) => entry !== oldest);
      this.#dropped++;
    }
  }
}
