import type { JsonObject } from '../../base/json.ts';
import { utf8Bytes } from '../../protocol/index.ts';

interface Kept {
  /** `{"seq":…,"event":…}` */
  text: string;
  bytes: number;
}

export interface EventPage {
  latestSeq: number;
  /** JSON text of each, oldest first. */
  events: string[];
  /** Something that was asked for did not fit. */
  cut: boolean;
}

/** The newest events of one endpoint, numbered from 1 without a gap (AiControl W10). */
export class EventHistory {
  readonly capacity: number;
  readonly #maxBytes: number;
  readonly #kept: Kept[] = [];
  #bytes = 0;
  #latestSeq = 0;

  constructor(capacity: number, maxBytes: number) {
    this.capacity = capacity;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#kept.length;
  }

  add(event: JsonObject): void {
    this.#latestSeq++;
    const text = `{"seq":${this.#latestSeq},"event":${JSON.stringify(event)}}`;
    const bytes = utf8Bytes(text);
    this.#kept.push({ text, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > this.capacity || (this.#bytes > this.#maxBytes && this.#kept.length > 1)) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    }
  }

  /** Those with a greater `seq`, at most `limit`, as many as fit into `room` bytes together with a comma each. */
  after(seq: number, limit: number, room: number): EventPage {
    const oldest = this.#latestSeq - this.#kept.length + 1;
    const wanted = this.#kept.slice(Math.max(0, seq - oldest + 1)).slice(0, limit);
    const events: string[] = [];
    let left = room;
    for (const { text, bytes } of wanted) {
      left -= bytes + 1;
      if (left < 0) break;
      events.push(text);
    }
    return { latestSeq: this.#latestSeq, events, cut: events.length < wanted.length };
  }
}
