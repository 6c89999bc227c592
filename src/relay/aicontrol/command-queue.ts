import type { JsonObject } from '../../base/json.ts';
import type { ErrorCode, Reason } from '../../protocol/index.ts';

/** One accepted `act`. */
export interface Command {
  seq: number;
  type: string;
  /** What came beside `type` and `append`. */
  fields: JsonObject;
  /** The tick of what the client observed last (AICC D8). */
  observedTick: number | undefined;
}

export type Outcome = { ok: true; output: JsonObject } | { ok: false; code: ErrorCode; reason: Reason; message: string };

export interface CommandQueueOptions {
  capacity: number;
  /** Does it and reports what became of it. When the signal aborts it is to be cut short, and reports still. */
  run(command: Command, signal: AbortSignal, done: (outcome: Outcome) => void): void;
  /** Told exactly once of every command (AiControl W12). */
  completed(command: Command, outcome: Outcome): void;
}

interface Current {
  readonly command: Command;
  readonly abort: AbortController;
  started: boolean;
  completed: boolean;
}

/**
 * Runs one command at a time (AiControl W21). One that is accepted while nothing runs becomes the running one at once, so the next without `append`
 * preempts it. A preempted one that has been started is cut short first, and completes as what it came to: it may have been done already.
 */
export class CommandQueue {
  readonly #options: CommandQueueOptions;
  #waiting: Command[] = [];
  #current: Current | undefined;
  /** Preempted, and not over yet: the current one starts after it. */
  #ending: Current | undefined;
  #latestSeq = 0;

  constructor(options: CommandQueueOptions) {
    this.#options = options;
  }

  /** Commands that wait. */
  get length(): number {
    return this.#waiting.length;
  }

  get capacity(): number {
    return this.#options.capacity;
  }

  /**
   * Appends the command, or puts it in the place of the running one.
   * @param urgent lets one that takes the running one's place, and so none among those that wait, in when they are too many
   * @returns its number; undefined: no room, nothing has changed
   */
  add(command: Omit<Command, 'seq'>, append: boolean, urgent = false): number | undefined {
    if (this.length >= this.capacity && (append || !urgent)) return undefined;
    const added = { ...command, seq: ++this.#latestSeq };
    if (append) {
      this.#waiting.push(added);
    } else {
      this.#waiting.unshift(added);
      this.#preempt();
    }
    this.#goOn();
    return added.seq;
  }

  /** Completes them all as failures, oldest first. */
  failAll(message: string): void {
    const running = [this.#ending, this.#current].filter((each) => each !== undefined);
    const waiting = this.#waiting;
    this.#ending = undefined;
    this.#current = undefined;
    this.#waiting = [];
    for (const each of running) this.#complete(each, failure(message, 'closed'));
    for (const each of running) each.abort.abort();
    for (const command of waiting) this.#options.completed(command, failure(message, 'closed'));
  }

  #preempt(): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    if (!current.started) return this.#complete(current, failure('preempted', 'preempted'));
    this.#ending = current;
    current.abort.abort();
  }

  #goOn(): void {
    if (this.#current === undefined) {
      const command = this.#waiting.shift();
      if (command === undefined) return;
      this.#current = { command, abort: new AbortController(), started: false, completed: false };
    }
    const current = this.#current;
    if (current.started || this.#ending !== undefined) return;
    current.started = true;
    this.#options.run(current.command, current.abort.signal, (outcome) => this.#over(current, outcome));
  }

  #over(over: Current, outcome: Outcome): void {
    this.#complete(over, over.abort.signal.aborted && !outcome.ok ? failure('preempted', 'preempted') : outcome);
    if (this.#ending === over) this.#ending = undefined;
    else if (this.#current === over) this.#current = undefined;
    this.#goOn();
  }

  #complete(current: Current, outcome: Outcome): void {
    if (current.completed) return;
    current.completed = true;
    this.#options.completed(current.command, outcome);
  }
}

const failure = (message: string, reason: Reason): Outcome => ({ ok: false, code: 'execution_failed', reason, message });
