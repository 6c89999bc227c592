import type { Clock } from '../base/clock.ts';
import { LIMITS, utf8Bytes } from '../protocol/index.ts';
import { numbered, type Unnumbered } from './message-text.ts';
import { Portions } from './portions.ts';
import { Retained } from './retained.ts';

/** What waits for sending or is kept for a resume. */
interface Entry {
  readonly kind: 'result' | 'event';
  /** An unsent event with the same key is replaced by a newer one: ticks, and one call's progress (AICC E4, F2). */
  readonly key: string | undefined;
  readonly keep: boolean;
  /** 0 until it is first sent (AICC D15). */
  seq: number;
  /** Until then. */
  unsent: Unnumbered | undefined;
  /** What a result becomes when too many bytes of results wait. */
  lost: (() => Unnumbered) | undefined;
  /** Known once it waits or is kept. */
  bytes: number;
  /** As sent; undefined before, and again when it is no longer kept (AICC D1). */
  text: string | undefined;
}

/** A result that was or will be sent, for answering a repeated call (AICC D1). */
export type SentResult = Entry;

/**
 * One session's way out. Results and events share one counter. Everything sent is kept as far as AICC C5 says, so that a resume can send it
 * again; while there is no connection, or it is held, events wait (F3, F4). What waited and what is repeated leaves in portions, as the
 * connection takes it.
 */
export class Outbox {
  #nextSeq = 1;
  #transmit: ((text: string) => void) | undefined;
  #held = false;
  #unsent: Entry[] = [];
  #unsentBytes = { result: 0, event: 0 };
  readonly #results = new Retained<Entry>({ count: LIMITS.retainedResults, bytes: LIMITS.retainedResultBytes });
  readonly #events = new Retained<Entry>({ count: LIMITS.retainedEvents, bytes: LIMITS.retainedEventBytes });
  /** What is to be sent once more, each once however often it is asked for; its text stays although it may no longer be kept. */
  readonly #repeats = new Map<Entry, string>();
  #repeatBytes = 0;
  /** The repeats are a resume's: whatever is new comes after them, for `seq` grows on one connection. */
  #catchingUp = false;
  #dropped = 0;
  #lostAt = 0;
  readonly #portions: Portions;

  constructor(clock: Clock) {
    this.#portions = new Portions(clock);
  }

  /** Whether the connection takes no more for now (AICC F4). */
  get held(): boolean {
    return this.#held;
  }

  /** The greatest `seq` that what comes next may get. */
  get greatestSeq(): number {
    return this.#nextSeq + this.#unsent.length;
  }

  /** A result: goes out when there is a connection. `lost` takes its place when more than 8 MiB of results wait. */
  result(message: Unnumbered, lost: () => Unnumbered): SentResult {
    return this.#add({ kind: 'result', key: undefined, keep: true, seq: 0, unsent: message, lost, bytes: 0, text: undefined });
  }

  /** An event. `keep` false: of no use later, like a tick. `waited`: one of many that have waited for a session, so it leaves in portions too. */
  event(message: Unnumbered, { key, keep, waited = false }: { key?: string; keep: boolean; waited?: boolean }): void {
    if (key !== undefined) this.#forget((other) => other.key === key);
    this.#add({ kind: 'event', key, keep, seq: 0, unsent: message, lost: undefined, bytes: 0, text: undefined }, waited);
  }

  /** Sends a kept result once more: `gone` when it is no longer kept, `busy` when too much is repeated already. An unsent one comes by itself. */
  again(result: SentResult): 'coming' | 'gone' | 'busy' {
    if (result.seq === 0 || this.#repeats.has(result)) return 'coming';
    if (result.text === undefined) return 'gone';
    if (this.#repeatBytes + result.bytes > LIMITS.retainedResultBytes) return 'busy';
    this.#repeat(result);
    this.#pump();
    return 'coming';
  }

  /**
   * A connection is there. What a resume must repeat goes first, then what waited, in order (AICC C5).
   * @param lastSeq the last `seq` that the agent knows; undefined: every kept result and the events since the loss
   */
  attach(transmit: (text: string) => void, resume?: { lastSeq: number | undefined }): void {
    this.#stopRepeating();
    this.#transmit = transmit;
    this.#held = false;
    if (resume) {
      this.#catchingUp = true;
      this.repeat(resume.lastSeq);
    } else this.#pump();
  }

  /** Sends what is kept once more; `lastSeq` as for `attach`. */
  repeat(lastSeq: number | undefined): void {
    const wanted = (entry: Entry) => (lastSeq !== undefined ? entry.seq > lastSeq : entry.kind === 'result' || entry.seq >= this.#lostAt);
    const kept = [...this.#results.filter(wanted), ...this.#events.filter(wanted)].sort((a, b) => a.seq - b.seq);
    for (const entry of kept) if (!this.#repeats.has(entry)) this.#repeat(entry);
    this.#pump();
  }

  detach(): void {
    this.#stopRepeating();
    this.#transmit = undefined;
    this.#held = false;
    this.#lostAt = this.#nextSeq;
    // What a held connection left behind may be a tick: old by the time of a resume.
    this.#forget((entry) => !entry.keep);
  }

  /** The session is over: results that wait go out at once, for each call is answered (AICC C7), and nothing after them. */
  close(): void {
    this.#stopRepeating();
    const results = this.#unsent.filter((entry) => entry.kind === 'result');
    this.#unsent = [];
    if (this.#transmit) for (const entry of results) this.#send(entry);
    this.#transmit = undefined;
  }

  /** Flow control: events and repeats wait, results flow (AICC F4). */
  hold(held: boolean): void {
    this.#held = held;
    this.#pump();
  }

  #add(entry: Entry, inPortions = false): Entry {
    if (!inPortions && this.#unsent.length === 0 && this.#canSend(entry)) this.#send(entry);
    else {
      this.#unsent.push(entry);
      entry.bytes = bytesOf(entry.unsent as Unnumbered);
      this.#unsentBytes[entry.kind] += entry.bytes;
      this.#trim();
      this.#pump();
    }
    return entry;
  }

  #canSend(entry: Entry): boolean {
    if (this.#transmit === undefined || (this.#catchingUp && this.#repeats.size > 0)) return false;
    return entry.kind === 'result' || !this.#held;
  }

  /** Sends what waited and can go, a portion at a time. */
  #pump(): void {
    if (this.#repeats.size === 0) this.#catchingUp = false;
    while (this.#transmit) {
      const repeat = this.#held ? undefined : this.#repeats.entries().next().value;
      const at = repeat ? -1 : this.#unsent.findIndex((entry) => this.#canSend(entry));
      if (!repeat && at < 0) return;
      if (!this.#portions.hasRoom) return this.#portions.whenRoom(() => this.#pump());
      if (repeat) {
        const [entry, text] = repeat;
        this.#repeats.delete(entry);
        this.#repeatBytes -= entry.bytes;
        if (this.#repeats.size === 0) this.#catchingUp = false;
        this.#portions.took(entry.bytes);
        this.#transmit(text);
      } else {
        const [entry] = this.#unsent.splice(at, 1) as [Entry];
        this.#unsentBytes[entry.kind] -= entry.bytes;
        this.#portions.took(entry.bytes);
        this.#send(entry);
      }
    }
  }

  #send(entry: Entry): void {
    entry.seq = this.#nextSeq++;
    const message = entry.unsent as Unnumbered;
    const text = numbered(message, entry.seq, entry.kind === 'event' ? this.#dropped : 0);
    entry.unsent = undefined;
    entry.lost = undefined;
    if (entry.kind === 'event') this.#dropped = 0;
    if (entry.keep) {
      entry.bytes ||= bytesOf(message);
      entry.text = text;
      (entry.kind === 'event' ? this.#events : this.#results).add(entry);
    }
    this.#transmit?.(text);
  }

  #repeat(entry: Entry): void {
    if (entry.text === undefined) return;
    this.#repeats.set(entry, entry.text);
    this.#repeatBytes += entry.bytes;
  }

  #stopRepeating(): void {
    this.#portions.stop();
    this.#repeats.clear();
    this.#repeatBytes = 0;
    this.#catchingUp = false;
  }

  #forget(which: (entry: Entry) => boolean): void {
    this.#unsent = this.#unsent.filter((entry) => {
      if (!which(entry)) return true;
      this.#unsentBytes[entry.kind] -= entry.bytes;
      return false;
    });
  }

  /** F3: the oldest waiting events go, and the next one that is sent says how many went. C5: of waiting results the oldest lose what they say. */
  #trim(): void {
    const limit = this.#transmit === undefined ? LIMITS.retainedEvents : LIMITS.queuedEvents;
    let surplus = this.#unsent.reduce((count, entry) => count + (entry.kind === 'event' ? 1 : 0), -limit);
    this.#forget((entry) => {
      if (entry.kind !== 'event' || (surplus <= 0 && this.#unsentBytes.event <= LIMITS.retainedEventBytes)) return false;
      surplus--;
      this.#dropped++;
      return true;
    });
    for (const entry of this.#unsent) {
      if (this.#unsentBytes.result <= LIMITS.retainedResultBytes) break;
      if (entry.lost === undefined) continue;
      const lost = entry.lost();
      entry.lost = undefined;
      this.#unsentBytes.result += bytesOf(lost) - entry.bytes;
      entry.unsent = lost;
      entry.bytes = bytesOf(lost);
    }
  }
}

function bytesOf({ before, after }: Unnumbered): number {
  return utf8Bytes(before) + utf8Bytes(after);
}
