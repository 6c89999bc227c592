import { checkOptions } from '../../src/base/check-options.ts';
import type { Json } from '../../src/base/json.ts';
import type { Tool } from '../../src/bridge/index.ts';
import { type Context, defineTool } from '../context.ts';
import { hasBody } from './around.ts';
import { whatDoes } from './doing.ts';
import { round, roundXY } from './geometry.ts';
import { POSITION } from './schemas.ts';

export interface BodyOptions {
  /** What else it feels: what it carries, its health. Shown as `state`. */
  state?(context: Context): Json;
}

/** A sensor: the character's own body. Part of every snapshot. */
export function body(options: BodyOptions = {}): Tool {
  checkOptions('body(options)', options, { state: 'function' });
  const { state } = options;
  return defineTool({
    id: 'body',
    class: 'sensor',
    capability: 'proprioception',
    description:
      'Your own body: position in world pixels, facing in radians (0 = right, growing clockwise), velocity in pixels a second, what you are doing' +
      (state ? ', and your state.' : '.'),
    output: {
      type: 'object',
      properties: {
        position: { ...POSITION, description: 'Where you are.' },
        facing: { type: 'number', description: 'Radians; 0 = right, growing clockwise.' },
        velocity: { ...POSITION, description: 'Pixels a second.' },
        doing: { type: 'string', description: '`idle`, or what your running calls do.' },
        state: { description: 'What else you feel.' },
      },
      required: ['position', 'facing', 'velocity', 'doing'],
    },
    snapshot: true,
    available: hasBody,
    run(_input, context) {
      const { body } = context;
      return {
        position: roundXY(body.position()),
        facing: round(body.facing?.() ?? 0, 2),
        velocity: roundXY(body.velocity?.() ?? { x: 0, y: 0 }),
        doing: whatDoes(context),
        ...(state && { state: state(context) }),
      };
    },
  });
}
