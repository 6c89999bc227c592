import type { Tool } from '../../src/bridge/index.ts';
import { defineTool } from '../context.ts';
import { hasBody } from './around.ts';
import { roundXY } from './geometry.ts';
import { POSITION } from './schemas.ts';

/** An actuator: ends a running `move_to` (which says `preempted`) and stands still. */
export function stop(): Tool {
  return defineTool({
    id: 'stop',
    class: 'actuator',
    capability: 'locomotion',
    description: 'Stop walking at once and stand still.',
    output: { type: 'object', properties: { position: POSITION }, required: ['position'] },
    lane: 'legs',
    available: hasBody,
    run(_input, { body }) {
      body.stop?.();
      return { position: roundXY(body.position()) };
    },
  });
}
