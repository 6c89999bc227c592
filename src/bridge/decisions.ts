import { checkOptions, type OptionKind } from '../base/check-options.ts';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { describeThrown } from '../base/thrown.ts';
import { AiccError } from '../protocol/index.ts';
import type { BridgeCore } from './bridge-core.ts';
import { Call, type Outcome } from './call.ts';
import { OBSERVED_TICK } from './catalogue.ts';
import type { CharacterSlot } from './character.ts';
import { jsonCopy } from './json-copy.ts';
import { payloadText } from './message-text.ts';
import { PausableTimer } from './pausable-timer.ts';
import type { Rights } from './rights.ts';
import { Session } from './session.ts';

/** A question's state stands at this depth of its message. */
const STATE_DEPTH = 3;

/** A call as a game or an answer names it. */
export interface Decided {
  tool: string;
  input: JsonObject;
}

/** What a game wants to have decided (AICC D18). */
export interface Question {
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

const QUESTION: Record<keyof Question, OptionKind> = {
  prompt: 'string',
  tools: 'list',
  state: 'object',
  deadlineMs: 'number',
  fallback: 'object|function',
  dataClass: 'string',
};

/** What was done, and who chose it. */
export interface Decision {
  call: Decided;
  by: 'agent' | 'builtin' | 'fallback';
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
function decisionText(askId: string, { prompt, tools, state = {} }: Question, remainingMs: number): string {
  return payloadText({ kind: 'decision', ask_id: askId, prompt, tools: [...tools], state, deadline_ms: Math.round(remainingMs) }, 'ask');
}

function toolsFor({ dataClass, tools }: Question, rights: Rights): string[] {
  return rights.mayTell(dataClass) ? tools.filter((id) => rights.mayName(id)) : [];
}

/** The questions of one character. */
export class Decisions {
  /** Whether there has ever been one: from then on `decide` is in the catalogue. */
  asked = false;
  readonly #core: BridgeCore;
  readonly #character: CharacterSlot;
  readonly #open = new Map<string, OpenQuestion>();
  #closed = false;

  constructor(core: BridgeCore, character: CharacterSlot) {
    this.#core = core;
    this.#character = character;
  }

  /**
   * Opens a question; with nobody there to answer, its deadline is now. `announce` sends it to whoever drives.
   * @throws TypeError for a question that nobody could answer
   */
  ask(question: Question, announce: (open: OpenQuestion) => void): Promise<Decision> {
    const { characterId, drivers } = this.#character;
    const wrong = (what: string) => new TypeError(`ask('${characterId}'): ${what}`);
    checkOptions(`ask('${characterId}')`, question, QUESTION);
    if (typeof question?.prompt !== 'string') throw wrong('prompt must say what is to be decided');
    if (!question.tools?.length) throw wrong('tools must name at least one tool');
    const unknown = question.tools.find((id) => this.#character.tool(id) === undefined);
    if (unknown !== undefined) throw wrong(`there is no tool '${unknown}'; add it to the character's tools first`);
    const { deadlineMs } = question;
    if (!(Number.isFinite(deadlineMs) && deadlineMs >= 0) || !question.fallback)
      throw wrong('deadlineMs (a number of at least 0) and fallback must say when who acts if nobody answers');
    const state = jsonCopy(question.state ?? {}, STATE_DEPTH) as JsonObject;
    const canBeAsked = [...drivers.sessions].some(({ rights, spectates }) => !spectates && toolsFor(question, rights).length > 0);
    const asked = { ...question, state, deadlineMs: canBeAsked ? deadlineMs : 0 };
    const askId = this.#core.newId();
    // What no event can hold throws here, before anybody has heard of it.
    decisionText(askId, asked, deadlineMs);
    if (this.#closed) return Promise.reject(this.#removed());
    this.asked = true;
    return new Promise((resolve, reject) => {
      const { clock } = this.#core;
      const settle = { resolve, reject };
      const open: OpenQuestion = new OpenQuestion(askId, asked, clock, this.#character.paused, () => this.#fallBack(open), settle);
      this.#open.set(askId, open);
      announce(open);
    });
  }

  /** The question, while it can be answered. */
  find(askId: string): OpenQuestion | undefined {
    const open = this.#open.get(askId);
    return open?.taken ? undefined : open;
  }

  /** Those that can be answered now. */
  all(): OpenQuestion[] {
    return [...this.#open.values()].filter((open) => !open.taken);
  }

  /** The call that took the question has ended: it has been acted on, or `begun` is false and it is open to others again. */
  ended(open: OpenQuestion, call: Decided, by: Decision['by'], outcome: Outcome, begun: boolean): void {
    if (begun) {
      this.#forget(open);
      return open.done(call, by, outcome);
    }
    if (this.#open.has(open.askId)) open.reopen();
  }

  setPaused(paused: boolean): void {
    for (const open of this.#open.values()) open.setPaused(paused);
  }

  close(): void {
    this.#closed = true;
    for (const open of this.#open.values()) {
      this.#forget(open);
      open.fail(this.#removed());
    }
  }

  #removed(): AiccError {
    return new AiccError('tool_unavailable', `'${this.#character.characterId}' was removed`, false, 'gone');
  }

  #forget(open: OpenQuestion): void {
    open.end();
    this.#open.delete(open.askId);
  }

  /** Runs the fallback as the game's own call: checked and on its lane like any other. */
  #fallBack(open: OpenQuestion): void {
    if (open.taken) return;
    this.#forget(open);
    try {
      const { fallback } = open.question;
      const chosen = typeof fallback === 'function' ? fallback() : fallback;
      const tool = this.#character.tool(chosen.tool);
      if (tool === undefined)
        throw new AiccError(
          'tool_unknown',
          `the fallback names the tool '${chosen.tool}', which '${this.#character.characterId}' does not have`,
        );
      const now = tool.definition.maxAgeTicks === undefined ? {} : { [OBSERVED_TICK]: this.#core.tick };
      const { problems, value, unit, observedTick } = tool.checkInput({ ...now, ...chosen.input });
      if (problems.length > 0) throw new AiccError('invalid_input', `wrong input of the fallback '${chosen.tool}': ${problems.join('; ')}`);
      const session = new Session(this.#core, this.#character, { principal: 'game' }, 'fallback');
      this.#core.admit(new Call(session, open.askId, tool, value, unit, observedTick, (outcome) => open.done(chosen, 'fallback', outcome)));
    } catch (error) {
      open.fail(error instanceof AiccError ? error : new AiccError('execution_failed', `the fallback failed: ${describeThrown(error)}`));
    }
  }
}
