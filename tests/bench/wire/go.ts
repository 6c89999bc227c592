import { defineTool } from '../../../src/bridge/index.ts';

const POINT = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: 'number' } },
  required: ['x', 'y'],
} as const;

/** What is called in every benchmark: small, and checked on its way in and out. */
export const GO = defineTool({
  id: 'go',
  class: 'actuator',
  description: 'Goes somewhere at once',
  lane: 'legs',
  onBusy: 'queue',
  input: POINT,
  output: { type: 'object', properties: { position: POINT }, required: ['position'] },
  run: ({ x, y }) => ({ position: { x, y } }),
});
