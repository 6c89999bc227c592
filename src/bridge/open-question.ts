import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { AiccError } from '../protocol/index.ts';
import { payloadText } from './message-text.ts';
import type { Outcome } from './outcome.ts';
import { PausableTimer } from './pausable-timer.ts';
import type { Rights } from './rights.ts';

/** A call as a game or an answer names it. */
export interface Decided {
  /** The tool's id. */
  tool: string;
  /** What the tool gets. */
  input: JsonObject;
}

/** What a game wants to have decided (AICC D18). */
export interface Question {
  /** What is to be decided, in words. */
  prompt: string;
  /** The ids of the tools that an answer may name. */
  tools: readonly string[];
  /** What the answer should rest on, beside what the character senses. */
  state?: JsonObject;
  /** What prompt and state tell, for contracts (OpenClasp T10): who must not know it is not asked. Default: public. */
  dataClass?: string;
  /** Wall milliseconds, not counted while paused. */
  deadlineMs: number;
  /** What is done when nobody has answered by then. */
  fallback: Decided | (() => Decided);
}

/** What was done, and who chose it. */
export interface Decision {
  /** The call that was made. */
  call: Decided;
  /** Who chose it: an agent, the driver in the page, or nobody in time. */
  by: 'agent' | 'builtin' | 'fallback';
  /** The tool's output. */
  output: JsonObject;
}

/** One question, until it has been acted on: by the first valid answer, or else by the fallback. */
export class OpenQuestion {
  readonly askId: string;
  readonly question: Question;
  /** A call has been chosen. Unless that ends before it has begun, nobody else may act. */
  taken = false;
  readonly #onDeadline: () => void;
  readonly #settle: { resolve(decision: Decision): void; reject(error: AiccError): void };
  readonly #timer: PausableTimer;

  constructor(
    askId: string,
    question: Question,
    clock: Clock,
    paused: boolean,
    onDeadline: () => void,
    settle: { resolve(decision: Decision): void; reject(error: AiccError): void },
  ) {
    this.askId = askId;
    this.question = question;
    this.#settle = settle;
    this.#onDeadline = onDeadline;
    this.#timer = new PausableTimer(clock, paused);
    this.#timer.start(onDeadline, question.deadlineMs);
  }

  /** The deadline stands still, or runs on. */
  setPaused(paused: boolean): void {
    this.#timer.setPaused(paused);
  }

  /** The call that took it came to nothing: a deadline that is over comes once more. */
  reopen(): void {
    this.taken = false;
    this.#timer.start(this.#onDeadline, this.#timer.remainingMs);
  }

  /** Nobody can answer it any more. */
  end(): void {
    this.#timer.stop();
  }

  /** Tells the game how it ended: a failure of what was chosen is the game's to handle. */
  done(call: Decided, by: Decision['by'], outcome: Outcome): void {
    if (outcome.ok) this.#settle.resolve({ call, by, output: outcome.output });
    else this.#settle.reject(outcome.error);
  }

  fail(error: AiccError): void {
    this.#settle.reject(error);
  }

  /** The tools by which the session may answer; none: it must not be asked (OpenClasp T9, T10). */
  toolsFor(rights: Rights): string[] {
    return toolsFor(this.question, rights);
  }

  /** The event's payload for a session, if it may be asked. JSON text. */
  payloadFor(rights: Rights): string | undefined {
    const tools = this.toolsFor(rights);
    return tools.length === 0 ? undefined : decisionText(this.askId, { ...this.question, tools }, this.#timer.remainingMs);
  }
}

/** AICC D18. @throws TypeError for what does not fit into an event */
export function decisionText(askId: string, { prompt, tools, state = {} }: Question, remainingMs: number): string {
  return payloadText({ kind: 'decision', ask_id: askId, prompt, tools: [...tools], state, deadline_ms: Math.round(remainingMs) }, 'ask');
}

export function toolsFor({ dataClass, tools }: Question, rights: Rights): string[] {
  return rights.mayTell(dataClass) ? tools.filter((id) => rights.mayName(id)) : [];
}
