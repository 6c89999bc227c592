import { checkOptions } from '../../src/base/check-options.ts';
import type { Tool } from '../../src/bridge/index.ts';
import { type Context, defineTool } from '../context.ts';
import { hasBody, whereTo } from './around.ts';
import { doing } from './doing.ts';
import { distance, round, roundXY } from './geometry.ts';
import { GroundWalk } from './ground-walk.ts';
import { POSITION, WHERE } from './schemas.ts';
import { Walk } from './walk.ts';
import { goalText } from './walk-errors.ts';

/** How fast and how near a character goes. */
export interface MoveToOptions {
  /** World pixels a second. Default 120. */
  speed?: number | ((context: Context) => number);
  /** Beside a target means so near: the room between the two in world pixels. Default 8. */
  near?: number;
  /** The walker's width and height for passages, in world pixels. Default: its Arcade body's, else its picture's. */
  size?: number;
}

/**
 * An actuator: walks around walls to a place, or beside a target, which is followed when it moves; under gravity it walks along the ground, and does
 * not fly, climb or jump. Fails with `unreachable: …`, `gave_up: …` (the map is too large to say), `blocked: …` (something that no map tells stands in
 * the way), `gone: …` (the target vanished) or `preempted`; `meta.reason` has it in a word, also `paused` (physics stands still), `immovable` and
 * `hidden`.
 */
export function moveTo(options: MoveToOptions = {}): Tool {
  checkOptions('moveTo(options)', options, { speed: 'number|function', near: 'number', size: 'number' });
  const { speed = 120, near = 8, size } = options;
  return defineTool({
    id: 'move_to',
    class: 'actuator',
    capability: 'locomotion',
    description:
      'Walk to a place {x, y}, or beside a {target}, around walls; returns when you are there. Fails with "unreachable" (no way leads there), ' +
      '"gave_up" (no way was found in time), "blocked" (something stands in the way), "gone" (the target vanished) or "preempted" (another move_to or ' +
      'stop took over). Progress is told on the way.',
    input: { type: 'object', properties: WHERE },
    output: {
      type: 'object',
      properties: {
        position: { ...POSITION, description: 'Where you stand now.' },
        distance: { type: 'number', minimum: 0, description: 'From there to the middle of what you went to.' },
      },
      required: ['position', 'distance'],
    },
    lane: 'legs',
    timeoutMs: 60_000,
    available: (context) => {
      const able = hasBody(context);
      return able === true && !context.body.move ? 'this body cannot move' : able;
    },
    async run(input, context) {
      const { body, signal } = context;
      const goal = whereTo(context, input);
      const options = { speed: typeof speed === 'function' ? speed(context) : speed, near, size };
      const walk = body.falls?.() ? new GroundWalk(context, goal, options) : new Walk(context, goal, options);
      const over = doing(context, `walking to ${'place' in goal ? goalText(goal) : goal.target.id}`);
      try {
        await context.until(() => walk.step());
      } finally {
        over();
        walk.end();
        // At an abort the body halts by itself, before a preempting call takes the legs.
        if (!signal.aborted) body.stop?.();
      }
      const to = 'place' in goal ? goal.place : goal.target.position();
      return { position: roundXY(body.position()), distance: round(distance(body.position(), to)) };
    },
  });
}
