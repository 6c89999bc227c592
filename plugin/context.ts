import type * as Phaser from 'phaser';
import { type DefineTool, defineTool as defineBridgeTool, type ToolContext, ToolError } from '../src/bridge/index.ts';
import type { Body } from './bodies/index.ts';
import type { Character } from './character.ts';

/** Given to every tool of a game: time, randomness, progress and abort from the bridge, and the character's side of Phaser. */
export interface Context extends ToolContext {
  /** What it is made of; for a squad the body of the `unit`. Without a body, asking for the position fails with a sentence for the agent. */
  readonly body: Body;
  /** The scene it was declared in. */
  readonly scene: Phaser.Scene;
  readonly character: Character;
}

/**
 * Makes a tool out of its description; the input's type comes from its JSON Schema.
 * @throws TypeError when the description cannot work; the message names the tool and what to change
 */
// Sound, because every context that a tool of a game ever gets was made by `gameContext`.
export const defineTool = defineBridgeTool as unknown as DefineTool<Context>;

/** The bridge's context with the game's side added to it: the same object, for its signal and its end must be the call's own. */
export function gameContext(base: ToolContext, scene: Phaser.Scene, character: Character, body: Body | null | undefined): Context {
  const more = { body: body ?? NO_BODY, scene, character };
  return Object.assign(base, more);
}

/** Whether the caller has a body. */
export function isEmbodied({ body }: Context): boolean {
  return body !== NO_BODY;
}

/** Stands in for a character without a body, so that tools need not ask first. */
const NO_BODY: Body<null> = Object.freeze({
  object: null,
  position() {
    throw new ToolError('tool_unavailable', 'this character has no body', false);
  },
});
