import { type Context, defineTool, type Tool, ToolError } from 'phaser-aicc';
import { type Outcome, reach } from '../rules/night-rules.ts';
import type { NightScene } from '../scenes/night.ts';
import type { Who } from '../world/art.ts';
import { thingsOf } from '../world/village-map.ts';

const position = {
  type: 'object',
  description: 'World pixels',
  properties: { x: { type: 'number', description: 'Rightward' }, y: { type: 'number', description: 'Downward' } },
  required: ['x', 'y'],
} as const;

const carrying = { type: 'string', description: 'The id of an oil flask; empty: nothing' } as const;

const target = (what: string) =>
  ({
    type: 'object',
    properties: { target: { type: 'string', description: what } },
    required: ['target'],
  }) as const;

/** What can be done in this village beside walking and talking. Every tool says why where it cannot, and checks that it did. */
export function villageTools(night: NightScene, who: Who): Tool[] {
  const { rules } = night;
  const carried = () => rules.carried(who)?.id ?? '';
  const honest = (outcome: Outcome) => {
    if (!outcome.ok) throw new ToolError('execution_failed', outcome.why, outcome.later);
  };
  const needsOil = () => carried() !== '' || 'no oil in hand: find a flask and use pick_up first';

  const inventory = defineTool({
    id: 'inventory',
    class: 'sensor',
    capability: 'inventory',
    description: 'What you carry: the id of an oil flask, or an empty string.',
    output: { type: 'object', properties: { carrying }, required: ['carrying'] },
    snapshot: true,
    run: () => ({ carrying: carried() }),
  });

  const village = defineTool({
    id: 'village',
    class: 'sensor',
    capability: 'map',
    description:
      'What everybody in the village knows: where the five lanterns stand and which are lit, the places where oil flasks are often found (go near and look with vision), and how long it is until dawn.',
    output: {
      type: 'object',
      properties: {
        lanterns: {
          type: 'array',
          description: 'All five',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string', description: 'lantern_1 to lantern_5' },
              position,
              lit: { type: 'boolean', description: 'Whether it burns' },
            },
            required: ['id', 'position', 'lit'],
          },
        },
        oil_spots: { type: 'array', items: position, description: 'Where flasks are often found' },
        lit: { type: 'integer', description: 'How many lanterns burn' },
        ending: { type: 'string', enum: ['running', 'won', 'lost'], description: 'How the night stands' },
        dawn_in_ms: { type: 'integer', description: 'Milliseconds until dawn' },
      },
      required: ['lanterns', 'oil_spots', 'lit', 'ending', 'dawn_in_ms'],
    },
    snapshot: true,
    run: () => ({
      lanterns: rules.lanterns.map(({ id, x, y, lit }) => ({ id, position: { x, y }, lit })),
      oil_spots: thingsOf('oil').map(({ x, y }) => ({ x, y })),
      lit: rules.lit,
      ending: rules.ending,
      dawn_in_ms: Math.round(rules.left),
    }),
  });

  const pickUp = defineTool({
    id: 'pick_up',
    class: 'actuator',
    description: `Pick up an oil flask that lies within reach (${reach} px). You can carry one.`,
    input: target('The id of a flask, as vision shows it'),
    lane: 'hands',
    available: () => carried() === '' || `hands are full: you carry ${carried()}`,
    run: async (input, context) => {
      await bend(context);
      honest(night.pickUp(who, input.target));
      return { carrying: carried() };
    },
    verify: (input) => carried() === input.target || 'the flask is not in your hands',
  });

  const lightLantern = defineTool({
    id: 'light_lantern',
    class: 'actuator',
    description: `Light a dark lantern within reach (${reach} px) with the oil in your hands. The oil is used up.`,
    input: target('The id of a lantern: lantern_1 to lantern_5'),
    lane: 'hands',
    available: needsOil,
    run: async (input, context) => {
      await bend(context);
      honest(night.light(who, input.target));
      return { lit: rules.lit };
    },
    verify: (input) => rules.lanterns.some(({ id, lit }) => id === input.target && lit) || 'the lantern is still dark',
  });

  const give = defineTool({
    id: 'give',
    class: 'actuator',
    description: 'Give your oil to somebody who stands beside you and has empty hands.',
    input: {
      type: 'object',
      properties: { target: { type: 'string', enum: ['player', 'mira', 'old_tam'], description: 'Who gets it' } },
      required: ['target'],
    } as const,
    lane: 'hands',
    available: needsOil,
    run: async (input, context) => {
      await bend(context);
      honest(night.give(who, input.target));
      return { carrying: carried() };
    },
    verify: () => carried() === '' || 'the oil is still in your hands',
  });

  const putDown = defineTool({
    id: 'put_down',
    class: 'actuator',
    description: 'Put your oil down where you stand.',
    lane: 'hands',
    available: needsOil,
    run: () => honest(night.putDown(who)),
    verify: () => carried() === '' || 'the oil is still in your hands',
  });

  return [inventory, village, pickUp, lightLantern, give, putDown];
}

/** What a friend knows of the player without seeing them. A contract decides whether the notebook is part of it. */
export function playerSense(night: NightScene): Tool {
  return defineTool({
    id: 'player',
    class: 'sensor',
    capability: 'inventory',
    description: 'Your friend the player: what they carry, and what they wrote into their notebook.',
    output: {
      type: 'object',
      properties: {
        carrying,
        notes: { type: 'array', items: { type: 'string' }, description: 'The newest last', 'x-data-class': 'private_notes' },
      },
      required: ['carrying', 'notes'],
    },
    snapshot: true,
    run: () => ({ carrying: night.rules.carried('player')?.id ?? '', notes: [...night.notebook.notes] }),
  });
}

/** Hands need a moment. */
const bend = (context: Context): Promise<void> => context.sleep(350);
