import { checkOptions, type OptionKind } from '../../src/base/check-options.ts';
import { type Tool, ToolError } from '../../src/bridge/index.ts';
import { type Context, defineTool } from '../context.ts';
import type { Entity } from '../entities.ts';
import { hasBody, ownBounds, seesFrom, surroundingsOf, targetOf } from './around.ts';
import { doing } from './doing.ts';
import { bearing, gap } from './geometry.ts';
import { TARGET } from './schemas.ts';

/** One thing that can be done with things. */
export interface Interaction {
  /** For agents: what it does and what it needs. */
  description: string;
  /** The kinds of things it is for. Default: all. */
  kinds?: readonly string[];
  /** `true`, or why it cannot be done with this one now and what would help. */
  available?(target: Entity, context: Context): true | string;
  /** Does it. What it returns or resolves to, an object or nothing, is the output's `result`. */
  run(target: Entity, context: Context): unknown;
  /** Asked afterwards: did it really happen? A sentence makes the call fail. */
  verify?(target: Entity, context: Context): true | string;
}

/** What a character can do with things, and from how far. */
export interface InteractOptions {
  /** By name, like `light`; when an agent names none, the first that fits the target and is available. */
  actions: Readonly<Record<string, Interaction>>;
  /** How near one must stand: the room between the two in world pixels. Default 24, or a cell of the map where that is more. */
  reach?: number;
}

const ACTION: Record<keyof Interaction, OptionKind> = {
  description: 'string',
  kinds: 'list',
  available: 'function',
  run: 'function',
  verify: 'function',
};

/** An actuator: does something with a thing or a person within reach. */
export function interact(options: InteractOptions): Tool {
  checkOptions('interact(options)', options, { actions: 'object', reach: 'number' });
  const { actions = {}, reach } = options ?? {};
  const names = Object.keys(actions);
  if (names.length === 0) throw new TypeError('interact({ actions }): name at least one action, like { open: { description, run } }');
  for (const [name, action] of Object.entries(actions)) {
    if (typeof action?.run !== 'function' || typeof action.description !== 'string') {
      throw new TypeError(`interact({ actions: { ${name} } }): an action has a description and run(target, context)`);
    }
    checkOptions(`interact({ actions: { ${name} } })`, action, ACTION);
  }
  const list = Object.entries(actions).map(
    ([name, { description, kinds }]) => `${name}${kinds ? ` (${kinds.join(', ')})` : ''}: ${description}`,
  );
  return defineTool({
    id: 'interact',
    class: 'actuator',
    capability: 'manipulation',
    description: `Do something with a target within your reach; go beside it first (move_to with the same target). Actions — ${list.join(' — ')}`,
    input: {
      type: 'object',
      properties: { target: TARGET, action: { type: 'string', enum: names, description: 'Default: what fits the target.' } },
      required: ['target'],
    },
    output: {
      type: 'object',
      properties: {
        target: { type: 'string', description: 'What it was done with.' },
        action: { type: 'string', description: 'What was done.' },
        result: { type: 'object', description: 'What came of it.' },
      },
      required: ['target', 'action'],
    },
    lane: 'hands',
    available: hasBody,
    async run(input, context) {
      const target = targetOf(context, input.target);
      const name = choose(actions, input.action as string | undefined, target, context);
      const action = actions[name]!;
      const most = reach ?? Math.max(24, surroundingsOf(context).walls.grid.cell);
      const far = gap(ownBounds(context), target.bounds());
      if (far > most) {
        throw new ToolError(
          'tool_unavailable',
          `'${target.id}' is ${Math.ceil(far - most)} pixels out of reach; go nearer with move_to {"target": "${target.id}"}`,
          true,
          'out_of_reach',
        );
      }
      if (!seesFrom(context, context.body.position(), target)) {
        throw new ToolError(
          'tool_unavailable',
          `a wall stands between you and '${target.id}'; go around it with move_to {"target": "${target.id}"}`,
          true,
          'out_of_reach',
        );
      }
      context.body.face?.(bearing(context.body.position(), target.position()));
      const over = doing(context, `${name} ${target.id}`);
      try {
        const result = await action.run(target, context);
        const said = action.verify?.(target, context) ?? true;
        if (said !== true) {
          const why = typeof said === 'string' && said !== '' ? said : `'${name}' could not verify that it happened`;
          throw new ToolError('execution_failed', why, undefined, 'unverified');
        }
        return { target: target.id, action: name, ...(result !== undefined && { result }) };
      } finally {
        over();
      }
    },
  });
}

function choose(actions: InteractOptions['actions'], wanted: string | undefined, target: Entity, context: Context): string {
  const fits = ([, { kinds }]: [string, Interaction]) => kinds === undefined || kinds.includes(target.kind);
  const fitting = Object.entries(actions).filter(fits);
  const named = wanted === undefined ? fitting : fitting.filter(([name]) => name === wanted);
  if (named.length === 0) {
    const can = fitting.length > 0 ? `you can: ${fitting.map(([name]) => name).join(', ')}` : `nothing can be done with a ${target.kind}`;
    throw new ToolError(
      'invalid_input',
      `${wanted ? `'${wanted}' does not fit '${target.id}'` : `'${target.id}'`}: ${can}`,
      false,
      'does_not_fit',
    );
  }
  const reasons: string[] = [];
  for (const [name, action] of named) {
    const why = action.available?.(target, context) ?? true;
    if (why === true) return name;
    reasons.push(`${name}: ${why}`);
  }
  throw new ToolError('tool_unavailable', reasons.join('; '), undefined, 'unavailable');
}
