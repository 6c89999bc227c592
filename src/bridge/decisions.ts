import { checkOptions, type OptionKind } from '../base/check-options.ts';
import type { JsonObject } from '../base/json.ts';
import { describeThrown } from '../base/thrown.ts';
import { AiccError } from '../protocol/index.ts';
import type { BridgeCore } from './bridge-core.ts';
import { Call, type CallBody, type CallHost } from './call.ts';
import { type CompiledTool, OBSERVED_TICK } from './catalogue.ts';
import { jsonCopy } from './json-copy.ts';
import { type Decided, type Decision, decisionText, OpenQuestion, type Question, toolsFor } from './open-question.ts';
import type { Outcome } from './outcome.ts';
import { Rights } from './rights.ts';
import type { Senses } from './senses.ts';
import type { Caller } from './tool-context.ts';

/** A question's state stands at this depth of its message. */
const STATE_DEPTH = 3;

const QUESTION: Record<keyof Question, OptionKind> = {
  prompt: 'string',
  tools: 'list',
  state: 'object',
  deadlineMs: 'number',
  fallback: 'object|function',
  dataClass: 'string',
};

/** What this needs of a character. */
interface Questioned extends CallBody {
  readonly tools: readonly CompiledTool[];
  readonly decisions: Decisions;
  readonly senses: Senses;
  readonly drivers: { readonly sessions: Iterable<{ readonly rights: Rights; readonly spectates: boolean }> };
  tool(id: string): CompiledTool | undefined;
}

/** The questions of one character. */
export class Decisions {
  /** Whether there has ever been one: from then on `decide` is in the catalogue. */
  asked = false;
  readonly #core: BridgeCore;
  readonly #character: Questioned;
  readonly #open = new Map<string, OpenQuestion>();
  #closed = false;

  constructor(core: BridgeCore, character: Questioned) {
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

  /** The game itself as the caller: it holds what an anonymous session holds (AICC G2). */
  #game(): CallHost {
    const character = this.#character;
    const rights = new Rights(character, undefined, this.#core.defaultCapabilities);
    const caller: Caller = { principal: 'game', capabilities: rights.held };
    return {
      bridge: this.#core,
      character,
      caller,
      unavailable: (tool, unit) => rights.refusal(tool) ?? character.absence(unit) ?? character.senses.notNow(tool, caller, unit),
      progress: () => undefined,
    };
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
      this.#core.admit(
        new Call(this.#game(), open.askId, tool, value, unit, observedTick, (outcome) => open.done(chosen, 'fallback', outcome)),
      );
    } catch (error) {
      open.fail(error instanceof AiccError ? error : new AiccError('execution_failed', `the fallback failed: ${describeThrown(error)}`));
    }
  }
}
