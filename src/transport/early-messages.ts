import { LIMITS } from '../protocol/index.ts';

/** What a message kept back costs beside its text. */
const OVERHEAD = 64;

/** What came while an opening was under way, to be handled after it; together not more than one message may be (AICC A2). */
export class EarlyMessages {
  readonly #texts: string[] = [];
  #size = 0;

  /** @returns whether there was room for it */
  add(text: string): boolean {
    this.#size += text.length + OVERHEAD;
    if (this.#size > LIMITS.messageBytes) return false;
    this.#texts.push(text);
    return true;
  }

  /** Takes out the oldest. */
  next(): string | undefined {
    const text = this.#texts.shift();
    if (text !== undefined) this.#size -= text.length + OVERHEAD;
    return text;
  }

  clear(): void {
    this.#texts.length = 0;
  }
}
