import { type Tool, ToolError } from '../../src/bridge/index.ts';
import { normalizeAngle } from '../bodies/index.ts';
import { type Context, defineTool } from '../context.ts';
import { hasBody, whereTo } from './around.ts';
import { bearing, round } from './geometry.ts';
import { WHERE } from './schemas.ts';

/** An actuator: turns the character towards a place, a target or an angle. */
export function face(): Tool {
  return defineTool({
    id: 'face',
    class: 'actuator',
    capability: 'locomotion',
    description:
      'Turn to look at a place {x, y}, at a {target}, or in a direction {angle} in radians (0 = right, growing clockwise). Does not move you.',
    input: { type: 'object', properties: { ...WHERE, angle: { type: 'number', description: 'Radians; instead of a place or a target.' } } },
    output: { type: 'object', properties: { facing: { type: 'number', description: 'Radians, as you stand now.' } }, required: ['facing'] },
    lane: 'legs',
    onBusy: 'reject',
    available: (context) => {
      const able = hasBody(context);
      return able === true && !context.body.face ? 'this body cannot turn' : able;
    },
    run(input, context) {
      const angle = normalizeAngle(wantedAngle(input, context));
      context.body.face?.(angle);
      return { facing: round(angle, 2) };
    },
  });
}

function wantedAngle(input: { x?: number; y?: number; target?: string; angle?: number }, context: Context): number {
  const { angle, ...where } = input;
  if (angle === undefined) {
    const to = whereTo(context, where);
    return bearing(context.body.position(), 'place' in to ? to.place : to.target.position());
  }
  if (where.x !== undefined || where.y !== undefined || where.target !== undefined) {
    throw new ToolError('invalid_input', 'give one of {x, y}, {target} and {angle}');
  }
  return angle;
}
