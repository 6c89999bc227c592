import { AiccError, type JsonObject } from '../protocol/index.ts';
import { describeThrown } from '../protocol/thrown.ts';
import type { BridgeCore } from './bridge-core.ts';
import { Call, type Outcome } from './call.ts';
import { OBSERVED_TICK } from './catalogue.ts';
import type { CharacterSlot } from './character.ts';
import { jsonCopy } from './json-copy.ts';
import { Session } from './session.ts';
import { Timer } from './timer.ts';

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
  /** Wall milliseconds, not counted while paused. */
  deadlineMs: number;
  /** What is done when nobody has answered by then. */
  fallback: Decided | (() => Decided);
}

/** What was done, and who chose it. */
export interface Decision {
  call: Decided;
  by: 'agent' | 'builtin' | 'fallback';
  output: JsonObject;
}

/** One question until it is taken by the first valid answer or by its deadline: exactly one of them. */
export class OpenQuestion {
  readonly askId: string;
  readonly question: Question;
  readonly #core: BridgeCore;
  readonly #onDeadline: () => void;
  readonly #settle: { resolve(decision: Decision): void; reject(error: AiccError): void };
  #taken = false;
  #remaining: number;
  #startedAt = 0;
  readonly #timer: Timer;

  constructor(
    askId: string,
    question: Question,
    core: BridgeCore,
    onDeadline: () => void,
    settle: { resolve(decision: Decision): void; reject(error: AiccError): void },
  ) {
    this.askId = askId;
    this.question = question;
    this.#core = core;
    this.#onDeadline = onDeadline;
    this.#settle = settle;
    this.#remaining = question.deadlineMs;
    this.#timer = new Timer(core.clock);
  }

  /** Lets the deadline run, or stand still. */
  setRunning(running: boolean): void {
    if (this.#taken || running === this.#timer.running) return;
    if (running) {
      this.#startedAt = this.#core.clock.wallNow();
      this.#timer.start(this.#onDeadline, this.#remaining);
    } else {
      this.#timer.stop();
      this.#remaining = Math.max(0, this.#remaining - (this.#core.clock.wallNow() - this.#startedAt));
    }
  }

  /** Whoever gets `true` acts; nobody else does. */
  take(): boolean {
    if (this.#taken) return false;
    this.#taken = true;
    this.#timer.stop();
    return true;
  }

  /** Tells the game how it ended: a failure of what was chosen is the game's to handle. */
  done(call: Decided, by: Decision['by'], outcome: Outcome): void {
    if (outcome.ok) this.#settle.resolve({ call, by, output: outcome.output });
    else this.#settle.reject(outcome.error);
  }

  fail(error: AiccError): void {
    this.#settle.reject(error);
  }

  /** The event's payload (AICC D18). JSON text. */
  get payload(): string {
    const { prompt, tools, state = {}, deadlineMs } = this.question;
    return JSON.stringify({ kind: 'decision', ask_id: this.askId, prompt, tools, state, deadline_ms: deadlineMs });
  }
}

/** The open questions of one character. */
export class Decisions {
  /** Whether there has ever been one: from then on `decide` is in the catalogue. */
  asked = false;
  readonly #core: BridgeCore;
  readonly #character: CharacterSlot;
  readonly #open = new Map<string, OpenQuestion>();
  #paused = false;

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
    if (question.tools.length === 0) throw wrong('tools must name at least one tool');
    const unknown = question.tools.find((id) => this.#character.tool(id) === undefined);
    if (unknown !== undefined) throw wrong(`there is no tool '${unknown}'; add it to the character's tools first`);
    if (!(question.deadlineMs >= 0)) throw wrong('deadlineMs must be a number of at least 0');
    const state = jsonCopy(question.state ?? {}, STATE_DEPTH) as JsonObject;
    const asked = { ...question, state, deadlineMs: drivers.sessions.size > 0 ? question.deadlineMs : 0 };
    this.asked = true;
    return new Promise((resolve, reject) => {
      const askId = this.#core.newId();
      const open: OpenQuestion = new OpenQuestion(askId, asked, this.#core, () => this.#fallBack(open), { resolve, reject });
      this.#open.set(askId, open);
      open.setRunning(!this.#paused);
      announce(open);
    });
  }

  find(askId: string): OpenQuestion | undefined {
    return this.#open.get(askId);
  }

  all(): OpenQuestion[] {
    return [...this.#open.values()];
  }

  /** True once: the question is the caller's to act on. */
  take(open: OpenQuestion): boolean {
    this.#open.delete(open.askId);
    return open.take();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    for (const open of this.#open.values()) open.setRunning(!paused);
  }

  close(): void {
    for (const open of this.all())
      if (this.take(open)) open.fail(new AiccError('tool_unavailable', `'${this.#character.characterId}' was removed`, false));
  }

  /** Runs the fallback as the game's own call: checked and on its lane like any other. */
  #fallBack(open: OpenQuestion): void {
    if (!this.take(open)) return;
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
