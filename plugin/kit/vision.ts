import { checkOptions } from '../../src/base/check-options.ts';
import type { Json } from '../../src/base/json.ts';
import type { Tool } from '../../src/bridge/index.ts';
import { nearestPoint, type XY } from '../compat.ts';
import { type Context, defineTool, isEmbodied } from '../context.ts';
import type { Entity } from '../entities.ts';
import { surroundingsOf } from './around.ts';
import { bearing, distance, round, roundXY } from './geometry.ts';
import { POSITION } from './schemas.ts';

/** How far and how much a character sees. */
export interface VisionOptions {
  /** World pixels, to the nearest part of a thing. Default 240. A character without a body sees everything. */
  radius?: number;
  /** At most so many things, the nearest. Default 20. */
  cap?: number;
}

/** A sensor: declared things and other characters within a radius and in line of sight, nearest first. Part of every snapshot. */
export function vision(options: VisionOptions = {}): Tool {
  checkOptions('vision(options)', options, { radius: 'number', cap: 'count' });
  const { radius = 240, cap = 20 } = options;
  return defineTool({
    id: 'vision',
    class: 'sensor',
    capability: 'vision',
    description:
      `What you see within ${radius} pixels, nearest first; walls hide things. Each has an id to use as a target, a kind, a position, ` +
      'the distance in pixels to its nearest part and the bearing of that from you in radians (0 = right, growing clockwise). `more` says how many more ' +
      'there are than listed.',
    output: {
      type: 'object',
      properties: {
        entities: {
          type: 'array',
          description: 'The nearest first.',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string', description: 'To use as a target.' },
              kind: { type: 'string', description: 'What it is.' },
              position: POSITION,
              distance: { type: 'number', minimum: 0, description: 'Pixels from you.' },
              bearing: { type: 'number', description: 'Radians: 0 = right (+x), π/2 = down (+y).' },
              state: { description: 'What can be seen of it.' },
            },
            required: ['id', 'kind', 'position'],
          },
        },
        more: { type: 'integer', minimum: 0, description: 'How many more there are.' },
      },
      required: ['entities', 'more'],
    },
    snapshot: true,
    run(_input, context) {
      const seen = isEmbodied(context)
        ? withinSight(context, radius)
        : surroundingsOf(context)
            .visible()
            .map((entity) => ({ entity }));
      return { entities: seen.slice(0, cap).map(describe), more: Math.max(0, seen.length - cap) };
    },
  });
}

interface Sighting {
  entity: Entity;
  from?: XY;
  far?: number;
}

function withinSight(context: Context, radius: number): Sighting[] {
  const around = surroundingsOf(context);
  const { object } = context.body;
  const from = context.body.position();
  return around
    .visible()
    .filter((entity) => entity.object !== object)
    .map((entity) => ({ entity, from, far: distance(from, nearestPoint(entity.bounds(), from)) }))
    .filter(({ entity, far }) => far <= radius && around.sees(from, object, entity))
    .sort((a, b) => a.far - b.far);
}

function describe({ entity, from, far }: Sighting): { [key: string]: Json } {
  const at = entity.position();
  const told: { [key: string]: Json } = { id: entity.id, kind: entity.kind, position: { ...roundXY(at) } };
  if (from && far !== undefined)
    Object.assign(told, { distance: round(far), bearing: round(bearing(from, far > 0 ? nearestPoint(entity.bounds(), from) : at), 2) });
  const state = entity.state();
  if (state !== undefined) told.state = state;
  return told;
}
