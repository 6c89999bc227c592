import type { ChannelFault } from './channel-fault.ts';
import { CLOSE_CODES } from './close-codes.ts';
import { LIMITS } from './limits.ts';

/** One line of text, or why the bytes were none. */
export type Framed =
  | {
      /** One line, without its line end. */
      line: string;
    }
  | {
      /** Why the bytes are no line. */
      fault: ChannelFault;
    };

const LF = 10;
const CR = 13;
const BLANK = /^[ \t\r]*$/;
/** A buffer larger than this is given back after its line: a quiet connection must not hold on to the longest line it ever had. */
const KEPT_BYTES = 65_536;

/**
 * Bytes of a stream into lines (AICC A1, A2): LF ends a line, a CR before it is dropped, blank lines are skipped, UTF-8 is strict, and what
 * is buffered of an unfinished line never exceeds the limit. A line that is not UTF-8 is a fault and reading goes on; one that is too long is fatal.
 */
export class NdjsonFramer {
  readonly #limit: number;
  readonly #keepBlank: boolean;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #buffer = new Uint8Array(0);
  #used = 0;
  /** A CR that came as the byte after a full buffer: only an LF may follow. */
  #heldCr = false;
  #ended = false;

  /**
   * @param limit longest line in bytes, without its line end
   * @param options `keepBlank`: blank lines are lines too, for a protocol that answers every line. Default false.
   */
  constructor(limit: number = LIMITS.messageBytes, { keepBlank = false } = {}) {
    this.#limit = limit;
    this.#keepBlank = keepBlank;
  }

  /** Memory held for the unfinished line, in bytes: never more than the limit. */
  get reservedBytes(): number {
    return this.#buffer.length;
  }

  /** Takes the next bytes, in pieces of any size, and gives what they complete. The chunk is not kept. After a fatal fault: nothing. */
  push(chunk: Uint8Array): Framed[] {
    const framed: Framed[] = [];
    let from = 0;
    while (!this.#ended && from < chunk.length) {
      const end = chunk.indexOf(LF, from);
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end);
      from += piece.length + 1;
      const isWhole = end !== -1 && this.#used === 0 && piece.length <= this.#limit;
      if (!isWhole && !this.#append(piece)) {
        this.#ended = true;
        this.#release();
        framed.push({ fault: { code: CLOSE_CODES.tooLarge, message: `a message must be at most ${this.#limit} bytes`, fatal: true } });
      } else if (end !== -1) {
        // Most lines come in one piece: those are read where they lie.
        const line = isWhole ? this.#text(piece, true) : this.#take();
        if (line === undefined) framed.push({ fault: { code: CLOSE_CODES.notUtf8, message: 'the message must be UTF-8', fatal: false } });
        else if (this.#keepBlank || !BLANK.test(line)) framed.push({ line });
      }
    }
    return framed;
  }

  /** Adds to the unfinished line; false when it is too long. */
  #append(piece: Uint8Array): boolean {
    if (piece.length === 0) return true;
    if (this.#heldCr) return false;
    const room = this.#limit - this.#used;
    if (piece.length > room) {
      if (piece.length > room + 1 || piece[room] !== CR) return false;
      this.#heldCr = true;
    }
    const bytes = piece.length > room ? piece.subarray(0, room) : piece;
    this.#reserve(this.#used + bytes.length);
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
    return true;
  }

  #reserve(size: number): void {
    if (size <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.min(this.#limit, Math.max(size, this.#buffer.length * 2, 256)));
    larger.set(this.#buffer.subarray(0, this.#used));
    this.#buffer = larger;
  }

  /** The finished line as text; undefined when it is not UTF-8. */
  #take(): string | undefined {
    const line = this.#text(this.#buffer.subarray(0, this.#used), !this.#heldCr);
    this.#used = 0;
    this.#heldCr = false;
    if (this.#buffer.length > KEPT_BYTES) this.#release();
    return line;
  }

  #text(bytes: Uint8Array, mayEndWithCr: boolean): string | undefined {
    const end = mayEndWithCr && bytes.length > 0 && bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length;
    if (end === 0) return '';
    try {
      return this.#decoder.decode(bytes.subarray(0, end));
    } catch {
      return undefined;
    }
  }

  #release(): void {
    this.#buffer = new Uint8Array(0);
    this.#used = 0;
  }
}
