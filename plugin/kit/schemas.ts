/** Parts of the kit's schemas. */

export const POSITION = {
  type: 'object',
  description: 'A place in world pixels; y grows downward.',
  properties: { x: { type: 'number', description: 'Rightward.' }, y: { type: 'number', description: 'Downward.' } },
  required: ['x', 'y'],
  additionalProperties: false,
} as const;

export const TARGET = { type: 'string', minLength: 1, description: 'The id of something or somebody that vision shows.' } as const;

/** Where to: a place or a target. Flat, because many models' tool formats take no alternatives at the top. */
export const WHERE = {
  x: { type: 'number', description: 'World pixels; together with y, instead of target.' },
  y: { type: 'number', description: 'World pixels, growing downward.' },
  target: TARGET,
} as const;
