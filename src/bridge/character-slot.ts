import { checkOptions, type OptionKind } from '../base/check-options.ts';
import type { JsonObject } from '../base/json.ts';
import { type CharacterInfo, LIMITS, type Topic } from '../protocol/index.ts';
import type { Driver } from './drivers.ts';
import type { Decision, Question } from './open-question.ts';
import type { Tool } from './tool.ts';
import type { HostContext, ToolContext } from './tool-context.ts';

/** Describes a character to the bridge. */
export interface CharacterOptions {
  /** Who it is, for agents and operators to read. */
  description: string;
  /** What it can sense and do; each from `defineTool` or the kit, each id once. */
  tools: readonly Tool[];
  /** Taken by an agent that names no character (AICC B3). Default false. */
  default?: boolean;
  /** How many agents may share it (AICC B4). Default 1. */
  maxSessions?: number;
  /** How many may watch it without driving (AICC B8); 0: nobody. Default 16. */
  maxSpectators?: number;
  /** Wall milliseconds for which its sessions wait for a new body (AICC C8). Default 10,000. */
  rebindMs?: number;
  /** Makes it a squad: the ids of its living units. A unit that is reused must come with a new id (AICC D10). Default: one body or none. */
  units?(): readonly string[];
  /** Adds to every tool's context what the host has to offer, and returns it. */
  extend?(context: HostContext): ToolContext;
  /** Told what a listener to a call's or a question's abort threw, which nobody else hears. Must not throw. */
  mistake?(thrown: unknown): void;
}

/** The events a game may raise (AICC F1); `tick` is the bridge's own. */
export type GameTopic = Exclude<Topic, 'tick'>;

/** A character that agents drive. It outlives its body: when that goes, the sessions stay and wait for the same id to be declared again (AICC C8). */
export interface CharacterSlot {
  /** The id that it was declared with. */
  readonly characterId: string;
  /** Counts the bodies it has had; `unbind` with an older number does nothing. */
  readonly binding: number;
  /** What operators and agents are shown of it. */
  readonly info: CharacterInfo;
  /** Milliseconds of its own world time, which stands still while it is paused. */
  readonly now: number;
  /** Who drives it now. */
  readonly driver: Driver;
  /** What kind of mind drives: the in-page driver's kind or the agent's model class; empty for nobody and for persons. */
  readonly mind: string;
  /** Listens to changes of the driver. @returns the way to stop listening */
  on(type: 'driver', listener: (driver: Driver) => void): () => void;
  /**
   * Raises an event for its sessions (AICC F1, F2); an `agent_message` that none of them can hear now waits for one (F5). `dataClass`: what it tells, for contracts (OpenClasp T10).
   * @throws TypeError for a topic that games cannot raise or a payload that is no JSON object or does not fit into a message
   */
  emit(topic: GameTopic, payload: JsonObject, options?: { dataClass?: string }): void;
  /**
   * Asks for one decision (AICC D18). Resolves when the chosen call has ended well; rejects when it failed. If nobody can answer, the fallback runs at once.
   * @throws TypeError for a question that nobody could answer
   */
  ask(question: Question): Promise<Decision>;
  /**
   * Replaces its tools and tells its agents.
   * @throws TypeError for something that is no tool, an id that is there twice, or more than fits into a message; then nothing has changed
   */
  setTools(tools: readonly Tool[]): void;
  /** Stops or resumes its time, with its scene or game (AICC E6); its agents are told. */
  setPaused(paused: boolean): void;
  /** Says whether a person drives it now: in-page drivers step back (AICC B6). */
  takeOver(person: boolean): void;
  /** Ends the calls of a unit that has died or left the squad (AICC D10). */
  unitGone(unit: string): void;
  /** Ends running calls because its body or scene is gone; its sessions wait for the next declaration (AICC C8). Default: its newest body. */
  unbind(binding?: number): void;
  /** Goes on where a given-up character of the same id ended: a person still drives it, listeners stay, and untold messages are told (AICC F5). */
  inherit(earlier: CharacterSlot): void;
  /**
   * Ends its sessions and takes it out of the world.
   * @param code closes the connections: default `normal`
   */
  remove(reason?: string, code?: number): void;
}

const CHARACTER_OPTIONS: Record<keyof CharacterOptions, OptionKind> = {
  description: 'string',
  tools: 'list',
  default: 'boolean',
  maxSessions: 'count',
  maxSpectators: 'number',
  rebindMs: 'number',
  units: 'function',
  extend: 'function',
  mistake: 'function',
};
const CHARACTER_ID = /^[A-Za-z0-9_.-]{1,64}$/;
/**
 * Checks what a character is declared with.
 * @throws TypeError that says which part is wrong and how to mend it
 */
export function checkCharacter(id: string, options: CharacterOptions): void {
  if (typeof id !== 'string' || !CHARACTER_ID.test(id)) {
    throw new TypeError(`character id '${String(id)}' must be 1 to 64 letters, digits, '_', '-' or '.', like "old_tam"`);
  }
  checkOptions(`character '${id}'`, options, CHARACTER_OPTIONS);
  const { maxSpectators = 0 } = options;
  if (!Number.isInteger(maxSpectators)) throw new TypeError(`character '${id}': maxSpectators must be a whole number, 0 for nobody`);
  if (typeof options?.description !== 'string' || options.description === '')
    throw new TypeError(`character '${id}': description must say who it is`);
  if (options.description.length > LIMITS.errorText)
    throw new TypeError(
      `character '${id}': description must have at most ${LIMITS.errorText} characters, not ${options.description.length}`,
    );
  if (!options.tools) throw new TypeError(`character '${id}': tools must be an array of tools, like [vision(), moveTo()]`);
}
