import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { wallClock } from '../../src/base/clock.ts';
import { type Bridge, type CharacterOptions, type CharacterSlot, createBridge, defineTool, ToolError } from '../../src/bridge/index.ts';

/** Everything that Ann was made to do, in order. */
export type Deeds = string[];

/** A game without Phaser: a real bridge on a real game link. World time moves only by `advance`. */
export interface Hill {
  bridge: Bridge;
  ann: CharacterSlot;
  deeds: Deeds;
  /** The page is closed: the link is gone without a word to the sessions. */
  leave(): void;
}

export function annsTools(deeds: Deeds): CharacterOptions['tools'] {
  let steps = 0;
  return [
    defineTool({ id: 'body', class: 'sensor', description: 'Where you are', snapshot: true, run: () => ({ steps }) }),
    defineTool({ id: 'secret_sense', class: 'sensor', description: 'Only on request', run: () => ({ secret: 1 }) }),
    defineTool({
      id: 'step',
      class: 'actuator',
      description: 'One step',
      run: () => {
        steps++;
        return { steps };
      },
    }),
    defineTool({
      id: 'walk',
      class: 'actuator',
      description: 'Walks to something until the world has moved on by so many milliseconds',
      input: { type: 'object', properties: { ms: { type: 'number' }, target: { type: 'string' } }, required: ['ms'] },
      lane: 'legs',
      async run({ ms, target }, context) {
        deeds.push(`walk ${target ?? ms}`);
        context.signal.addEventListener('abort', () => deeds.push(`halt ${target ?? ms}`));
        await context.sleep(ms);
        deeds.push(`arrive ${target ?? ms}`);
        return { walked: ms };
      },
    }),
    defineTool({
      id: 'use',
      class: 'actuator',
      description: 'Uses an item on something',
      input: {
        type: 'object',
        properties: {
          target_id: { type: 'string' },
          item: { type: 'string' },
          aux_id: { type: 'string' },
          x: { type: 'integer' },
          y: { type: 'integer' },
          screen_x: { type: 'integer' },
          screen_y: { type: 'integer' },
          int_arg: { type: 'integer' },
          how: { type: 'string' },
        },
        required: ['how'],
        additionalProperties: true,
      },
      run: (input) => ({ input: { ...input } }),
    }),
    defineTool({
      id: 'say',
      class: 'generator',
      description: 'Says something',
      input: { type: 'object', properties: { text: { type: 'string', minLength: 1 } }, required: ['text'] },
      run: ({ text }) => ({ said: text }),
    }),
    defineTool({
      id: 'fail',
      class: 'actuator',
      description: 'Fails',
      run: () => {
        throw new ToolError('tool_unavailable', 'no legs today');
      },
    }),
    defineTool({ id: 'nothing', class: 'actuator', description: 'Does nothing at all', run: () => undefined }),
    defineTool({ id: 'fly', class: 'actuator', description: 'Flies', available: () => 'no wings', run: () => undefined }),
    defineTool({
      id: 'aim',
      class: 'actuator',
      description: 'Needs a fresh look',
      maxAgeTicks: 1,
      run: () => ({ hit: true }),
    }),
    defineTool({ id: 'once', class: 'actuator', description: 'Once a session', limits: { calls_per_session: 1 }, run: () => undefined }),
    defineTool({
      id: 'paint',
      class: 'generator',
      description: 'Paints so many letters',
      input: { type: 'object', properties: { letters: { type: 'integer' } }, required: ['letters'] },
      run: ({ letters }) => ({ picture: 'x'.repeat(letters) }),
    }),
  ];
}

/** Connects a world to a relay's `/game`. */
export function hill(gameUrl: string, options: Partial<CharacterOptions> = {}, world = 'hill'): Hill {
  const deeds: Deeds = [];
  const bridge = createBridge({ world: { name: world }, clock: wallClock, newId: randomUUID });
  const ann = bridge.addCharacter('ann', { description: 'Walks', tools: annsTools(deeds), default: true, ...options });
  // Node 20 has no WebSocket of its own.
  (globalThis as { WebSocket?: unknown }).WebSocket ??= WebSocket;
  const leave = openGameLink({ url: gameUrl, token: undefined, bridge });
  onTestFinished(() => {
    leave();
    bridge.close();
  });
  return { bridge, ann, deeds, leave };
}

/** Waits until something holds. */
export async function until<T>(look: () => T | Promise<T>): Promise<Exclude<NonNullable<T>, false>> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found as Exclude<NonNullable<T>, false>;
    await sleep(2);
  }
}
