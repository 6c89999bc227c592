import { describeThrown } from '../base/thrown.ts';
import { AiccError } from '../protocol/index.ts';

/** Kinds of mistakes told of one tool: one that makes up a new text each time must not fill the game's log. */
const KINDS = 10;

/**
 * Tells the game's developer of mistakes in the game's own code, which agents hear of as failed calls at most: once for each tool, kind and place.
 * What it remembers goes with the tool.
 */
export class Mistakes {
  readonly #log: ((message: string) => void) | undefined;
  readonly #told = new WeakMap<object, Set<string>>();

  constructor(log: ((message: string) => void) | undefined) {
    this.#log = log;
  }

  /**
   * @param of the tool or other thing that the code belongs to
   * @param what begins the sentence: `the tool 'open_gate' of 'tam' threw`
   * @param thrown what was thrown, or a sentence. An `AiccError` is no mistake: somebody chose it.
   */
  tell(of: object, what: string, thrown: unknown): void {
    if (this.#log === undefined || isChosen(thrown)) return;
    const trace = traceOf(thrown);
    const told = this.#told.get(of) ?? new Set();
    this.#told.set(of, told);
    const kind = `${what} ${kindOf(trace)}`;
    if (told.has(kind) || told.size >= KINDS) return;
    told.add(kind);
    try {
      this.#log(`aicc: ${what}: ${trace}`);
    } catch {
      // A log's own mistake has nobody to be told to.
    }
  }
}

function isChosen(thrown: unknown): boolean {
  try {
    return thrown instanceof AiccError;
  } catch {
    return false;
  }
}

/** The error with its stack, where it has one. */
function traceOf(thrown: unknown): string {
  const text = describeThrown(thrown);
  try {
    const stack: unknown = thrown instanceof Error ? thrown.stack : undefined;
    if (typeof stack !== 'string' || stack === '') return text;
    // Some engines leave the message out of it.
    return stack.includes(text) ? stack : `${text}\n${stack}`;
  } catch {
    return text;
  }
}

/** Where it was thrown, and its text without the numbers in it, which may be other ones each time. */
function kindOf(trace: string): string {
  const lines = trace.split('\n');
  const frame = lines.find((line) => /^\s*at |@.*:\d+:\d+$/.test(line)) ?? '';
  return `${lines[0]?.replace(/\d+/g, '#').slice(0, 200)} ${frame}`;
}
