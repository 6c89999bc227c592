import type * as Phaser from 'phaser';
import type { Tool } from '../../src/bridge/index.ts';
import { type Context, defineTool } from '../context.ts';
import { doing } from './doing.ts';

/** Milliseconds of world time that keys can be held by one call. */
const HOLD_MS = { most: 5_000, default: 100 } as const;

/**
 * An actuator: presses the keys that the game itself reads, so that a game with its own movement code needs no change.
 * @param keys by the names that agents use: `{ left: cursors.left, jump: cursors.up }`
 * @throws TypeError when there is no key
 */
export function controls(keys: Readonly<Record<string, Phaser.Input.Keyboard.Key>>): Tool {
  const names = Object.keys(keys);
  const wrong = names.find((name) => typeof keys[name]?.onDown !== 'function');
  if (names.length === 0 || wrong !== undefined)
    throw new TypeError(
      `controls(keys): ${wrong === undefined ? 'name at least one key' : `'${wrong}' is no key`}, like { jump: cursors.up }`,
    );
  return defineTool({
    id: 'controls',
    class: 'actuator',
    capability: 'locomotion',
    description: `Hold keys of the game's controls down together for a while, then let them go. A new call takes the place of a running one. Keys: ${names.join(', ')}.`,
    input: {
      type: 'object',
      properties: {
        keys: { type: 'array', items: { type: 'string', enum: names }, minItems: 1, maxItems: names.length, description: 'Which keys.' },
        ms: { type: 'integer', minimum: 1, maximum: HOLD_MS.most, description: `For how many milliseconds; default ${HOLD_MS.default}.` },
      },
      required: ['keys'],
    },
    lane: 'legs',
    async run({ keys: wanted, ms = HOLD_MS.default }, context) {
      const pressed = (wanted as string[]).flatMap((name) => keys[name] ?? []);
      const over = doing(context, `pressing ${(wanted as string[]).join(' and ')}`);
      const release = () => {
        for (const key of pressed) key.onUp(keyEvent(context));
      };
      // At the abort itself, before a preempting call presses.
      context.signal.addEventListener('abort', release, { once: true });
      for (const key of pressed) key.onDown(keyEvent(context));
      try {
        await context.sleep(ms);
      } finally {
        over();
        if (!context.signal.aborted) release();
      }
    },
  });
}

/** What a key reads of an event. */
function keyEvent({ now }: Context): KeyboardEvent {
  const event = { altKey: false, ctrlKey: false, shiftKey: false, metaKey: false, location: 0, timeStamp: now };
  return event as KeyboardEvent;
}
