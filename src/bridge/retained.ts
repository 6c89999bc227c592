/** A message as it was sent, for as long as it is kept. */
export interface Retainable {
  readonly bytes: number;
  /** `undefined` once it has been let go. */
  text: string | undefined;
}

/** The newest messages of one kind, so many and so many bytes at most (AICC C5). */
export class Retained<E extends Retainable> {
  readonly #entries: E[] = [];
  readonly #most: { count: number; bytes: number };
  #bytes = 0;

  constructor(most: { count: number; bytes: number }) {
    this.#most = most;
  }

  add(entry: E): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    while (this.#entries.length > this.#most.count || this.#bytes > this.#most.bytes) {
      const oldest = this.#entries.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
      oldest.text = undefined;
    }
  }

  filter(wanted: (entry: E) => boolean): E[] {
    return this.#entries.filter(wanted);
  }
}
