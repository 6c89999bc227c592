import type * as Phaser from 'phaser';
import { type DefineTool, defineTool as defineBridgeTool, type HostContext, type ToolContext, ToolError } from '../src/bridge/index.ts';
import type { Body } from './bodies/index.ts';
import type { Character } from './character.ts';

/**
 * Given to every tool of a game: time, randomness, progress and abort from the bridge, and the character's side of Phaser.
 * When the call has ended, whatever changes something through `body` and `character` throws; they can still be looked at. Only who listens to the
 * signal's abort may still clean up. A body that an aborted call has set going stands still by itself. The scene and `body.object` are the game's own
 * objects, which nobody guards.
 */
export interface Context extends ToolContext {
  /** What it is made of; for a squad the body of the `unit`. Without a body, asking for the position fails with a sentence for the agent. */
  readonly body: Body;
  /** The scene it was declared in. */
  readonly scene: Phaser.Scene;
  /** Whom the call is for, in the hands of this call: tell characters apart by their `id`. */
  readonly character: Character;
}

/**
 * Makes a tool out of its description; the input's type comes from its JSON Schema.
 * @throws TypeError when the description cannot work; the message names the tool and what to change
 */
// Sound, because every context that a tool of a game ever gets was made by `gameContext`.
export const defineTool = defineBridgeTool as unknown as DefineTool<Context>;

/** What of a body can be asked when the call is over. */
const READING: readonly unknown[] = ['position', 'velocity', 'facing', 'bounds'] satisfies (keyof Body)[];

/** The bridge's context with the game's side added to it: the same object, for its signal and its end must be the call's own. */
export function gameContext(base: HostContext, scene: Phaser.Scene, character: Character, body: Body | null | undefined): Context {
  const halt = () => body?.stop?.();
  const ask = (member: unknown) => {
    if (READING.includes(member)) return;
    base.assertActive();
    // However often it moves, it halts once.
    if (member === 'move') base.signal.addEventListener('abort', halt);
  };
  const ownBody = body ? guarded(body, ask) : NO_BODY;
  const more = { body: ownBody, scene, character: guarded(character, ask, character.body && ownBody), [OWN]: body ?? character };
  return Object.assign(base, more);
}

/** Whether the caller has a body. */
export function isEmbodied({ body }: Context): boolean {
  return body !== NO_BODY;
}

const OWN = Symbol('own');

/** Tells the caller's body from others', and the character from others where it has none: the same in all its calls. */
export function ownKey(context: Context): object {
  return (context as Context & { [OWN]: object })[OWN];
}

/** The same thing in the hands of one call: what is done with it asks first (AICC D12). @param body in place of its own */
function guarded<T extends object>(target: T, ask: (member: unknown) => void, body?: Body | null): T {
  // Made of another object, for what is frozen must be shown as it is.
  return new Proxy(Object.create(target) as T, {
    get(_, member) {
      const value: unknown = (member === 'body' && body) || Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        ask(member);
        return Reflect.apply(value, target, args);
      };
    },
    set(_, member, value) {
      ask(member);
      return Reflect.set(target, member, value);
    },
  });
}

/** Stands in for a character without a body, so that tools need not ask first. */
const NO_BODY: Body<null> = Object.freeze({
  object: null,
  position() {
    throw new ToolError('tool_unavailable', 'this character has no body', false, 'no_body');
  },
});
