import { ToolError } from '../../src/bridge/index.ts';
import type { Rect, XY } from '../compat.ts';
import { type Context, isEmbodied } from '../context.ts';
import type { Entity } from '../entities.ts';
import { scenePluginOf } from '../scene-plugin.ts';
import type { Surroundings } from '../surroundings.ts';
import { center, gap } from './geometry.ts';

/** What the caller's scene has declared. */
export function surroundingsOf(context: Context): Surroundings {
  return scenePluginOf(context.scene).surroundings;
}

/** `available` of tools that need a body. */
export function hasBody(context: Context): true | string {
  return isEmbodied(context) ? true : 'this character has no body';
}

/** The id by which others see the caller: the unit's in a squad. */
export function ownId({ unit, character }: Context): string {
  return unit ?? character.id;
}

/** The room the character takes. */
export function ownBounds({ body }: Context): Rect {
  return body.bounds?.() ?? { ...body.position(), width: 0, height: 0 };
}

/**
 * What an id that an agent names stands for.
 * @throws ToolError when there is no such thing, or no longer
 */
export function targetOf(context: Context, id: string): Entity {
  const around = surroundingsOf(context);
  const found = around.find(id);
  if (found && id !== ownId(context)) return found;
  if (found) throw new ToolError('invalid_input', `'${id}' is you; name something else`, false, 'no_target');
  if (around.isHidden(id)) throw new ToolError('tool_unavailable', `'${id}' cannot be seen now; try again later`, true, 'hidden');
  if (around.wasHere(id)) throw new ToolError('tool_unavailable', `gone: '${id}' is no longer there`, false, 'gone');
  throw new ToolError('invalid_input', `there is no '${id}'; name an id that vision shows`, false, 'no_target');
}

/** Whether it can look at a target from a place of its own middle. */
export function seesFrom(context: Context, at: XY, target: Entity): boolean {
  return surroundingsOf(context).sees(at, context.body.object, target);
}

/** Whether it stands so near to the target of its walk, with no wall between. */
export function isBeside(context: Context, goal: { place: XY } | { target: Entity }, near: number): boolean {
  if (!('target' in goal)) return false;
  const own = ownBounds(context);
  return gap(own, goal.target.bounds()) <= near && seesFrom(context, center(own), goal.target);
}

/**
 * The place or target that an input names.
 * @throws ToolError unless it is exactly one of the two
 */
export function whereTo(
  context: Context,
  { x, y, target }: { x?: number; y?: number; target?: string },
): { place: XY } | { target: Entity } {
  if (target !== undefined && x === undefined && y === undefined) return { target: targetOf(context, target) };
  if (target === undefined && x !== undefined && y !== undefined) return { place: { x, y } };
  throw new ToolError('invalid_input', 'give either {x, y} or {target}');
}
