import { ToolError } from '../../src/bridge/index.ts';
import type { XY } from '../compat.ts';
import type { Context } from '../context.ts';
import type { Entity } from '../entities.ts';
import { ownBounds } from './around.ts';
import { center, placeText } from './geometry.ts';
import type { Way } from './way.ts';

/** Where a walk goes. */
export type Goal = { place: XY } | { target: Entity };

export function goalText(goal: Goal): string {
  return 'target' in goal ? `'${goal.target.id}'` : placeText(goal.place);
}

/** Why no way was found. */
export function noWay(context: Context, goal: Goal, { nearest, gaveUp }: Way & { found: false }): ToolError {
  const to = goalText(goal);
  if (!nearest) {
    return new ToolError('execution_failed', `unreachable: you cannot move from where you stand to ${to}`, false, 'unreachable');
  }
  const { x, y } = context.body.position();
  const middle = center(ownBounds(context));
  const at = placeText({ x: nearest.x - middle.x + x, y: nearest.y - middle.y + y });
  if (gaveUp) {
    return new ToolError(
      'execution_failed',
      `gave_up: no way to ${to} was found in the time there is, but there may be one; go to a place on the way first, like ${at}`,
      true,
      'gave_up',
    );
  }
  return new ToolError(
    'execution_failed',
    `unreachable: no way leads to ${to}; the nearest place you can reach is ${at}`,
    false,
    'unreachable',
  );
}

export function blocked(at: XY): ToolError {
  const text = `blocked: something stands in the way near ${placeText(at)}; try again or go elsewhere`;
  return new ToolError('execution_failed', text, true, 'blocked');
}
