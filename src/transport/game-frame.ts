/** The game link's wire format: a control message is a frame that begins with `{`; any other frame is lines `CONN SPACE TEXT`. */

/** One AICC message of one agent's connection. */
export interface Line {
  conn: number;
  text: string;
}

/** CONN is base 36; a raw newline in TEXT can only be space between JSON tokens, so a space means the same. */
function encodeLine({ conn, text }: Line): string {
  return `${conn.toString(36)} ${text.includes('\n') ? text.replaceAll('\n', ' ') : text}`;
}

export function encodeLines(lines: readonly Line[]): string {
  return lines.map(encodeLine).join('\n');
}

const CONN = /^[0-9a-z]{1,10}$/;

/** The lines of a frame that is no control message, or undefined when it is malformed. */
export function decodeFrame(frame: string): Line[] | undefined {
  const lines: Line[] = [];
  for (const line of frame.split('\n')) {
    const space = line.indexOf(' ');
    const conn = line.slice(0, Math.max(space, 0));
    if (!CONN.test(conn)) return undefined;
    lines.push({ conn: Number.parseInt(conn, 36), text: line.slice(space + 1) });
  }
  return lines;
}

export interface FrameBatcherOptions {
  send(frame: string): void;
  /** Runs a function when this turn of the event loop has nothing more to add. */
  defer(run: () => void): void;
}

/** Characters gathered before a frame leaves at once. With one more message of at most 1 MiB it stays well under the 4 MiB of a frame. */
const FULL_FRAME = 262_144;

/** Gathers the lines of one turn of the event loop into one frame: a browser is limited by frames, not by bytes. Keeps the order of everything. */
export class FrameBatcher {
  readonly #options: FrameBatcherOptions;
  #lines: string[] = [];
  #size = 0;
  #isDeferred = false;

  constructor(options: FrameBatcherOptions) {
    this.#options = options;
  }

  /** Characters that wait for the next frame. */
  get pending(): number {
    return this.#size;
  }

  line(conn: number, text: string): void {
    const line = encodeLine({ conn, text });
    this.#lines.push(line);
    this.#size += line.length + 1;
    if (this.#size >= FULL_FRAME) this.flush();
    if (this.#isDeferred || this.#size === 0) return;
    this.#isDeferred = true;
    this.#options.defer(() => {
      this.#isDeferred = false;
      this.flush();
    });
  }

  /** Sends a control message, after the lines before it. */
  control(message: { type: string }): void {
    this.flush();
    this.#options.send(JSON.stringify(message));
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    const frame = this.#lines.join('\n');
    this.#lines = [];
    this.#size = 0;
    this.#options.send(frame);
  }
}
