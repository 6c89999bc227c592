import type * as Phaser from 'phaser';
import { type Tool, ToolError } from '../../src/bridge/index.ts';
import { defineTool } from '../context.ts';
import { scenePluginOf } from '../scene-plugin.ts';
import { doing } from './doing.ts';
import { GameKey } from './game-key.ts';

/** Milliseconds of world time that keys can be held by one call. */
const HOLD_MS = { most: 5_000, default: 100 } as const;

/**
 * An actuator: presses the keys that the game itself reads, so that a game with its own movement code needs no change. It answers which keys it
 * held and for how long; it fails where the game takes no press of one, or lets one go early.
 * @param keys by the names that agents use: `{ left: cursors.left, jump: cursors.up }`
 * @throws TypeError when there is no key
 */
export function controls(keys: Readonly<Record<string, Phaser.Input.Keyboard.Key>>): Tool {
  const names = Object.keys(keys ?? {});
  const wrong = names.find((name) => typeof keys[name]?.onDown !== 'function');
  if (names.length === 0 || wrong !== undefined)
    throw new TypeError(
      `controls(keys): ${wrong === undefined ? 'name at least one key' : `'${wrong}' is no key`}, like { jump: cursors.up }`,
    );
  const all = new Map(names.map((name) => [name, new GameKey(name, keys[name]!)]));
  return defineTool({
    id: 'controls',
    class: 'actuator',
    capability: 'locomotion',
    description:
      `Hold keys of the game's controls down together for a while, then let them go. A new call takes the place of a running one. Keys: ${names.join(', ')}. ` +
      'Returns which keys were held and for how many milliseconds.',
    input: {
      type: 'object',
      properties: {
        keys: {
          type: 'array',
          items: { type: 'string', enum: names },
          minItems: 1,
          maxItems: names.length,
          description: 'Which keys.',
        },
        ms: { type: 'integer', minimum: 1, maximum: HOLD_MS.most, description: `For how many milliseconds; default ${HOLD_MS.default}.` },
      },
      required: ['keys'],
    },
    output: {
      type: 'object',
      properties: {
        pressed: { type: 'array', items: { type: 'string' }, description: 'The keys that went down.' },
        ms: { type: 'integer', description: 'For how many milliseconds of world time they were held.' },
      },
      required: ['pressed', 'ms'],
    },
    lane: 'legs',
    async run({ keys: wanted, ms = HOLD_MS.default }, context) {
      const { loop } = context.scene.game;
      const pressing = [...new Set(wanted as string[])].flatMap((name) => all.get(name) ?? []);
      const codes = pressing.map(({ code }) => code);
      const together = pressing.map(({ name }) => name).join(' and ');
      for (const key of pressing) {
        const why = key.whyNot();
        if (why)
          throw new ToolError('tool_unavailable', `nothing was pressed: '${key.name}' cannot be pressed now, ${why}`, true, 'disabled');
      }
      const since = context.now;
      const heldMs = () => context.now - since;
      const wentUp = (key: GameKey, why: string) =>
        new ToolError(
          'execution_failed',
          `${together} held for ${Math.round(heldMs())} of ${ms} ms: '${key.name}' went up, ${key.whyNot() ?? why}`,
          true,
          'interrupted',
        );
      const over = doing(context, `pressing ${together}`);
      const release = () => {
        for (const key of pressing) key.release(codes, loop);
      };
      // At the abort itself, before a preempting call presses.
      context.signal.addEventListener('abort', release, { once: true });
      // Phaser lets the keys of a paused scene go, and no frame would tell it before the pause ends. A press may itself pause the game.
      let forget = () => {};
      const paused = new Promise<never>((_, reject) => {
        forget = scenePluginOf(context.scene).whenPaused(() => reject(wentUp(pressing[0]!, 'the game was paused')));
      });
      paused.catch(() => undefined);
      try {
        for (const key of pressing) {
          // A listener may have ended the call.
          if (context.signal.aborted) break;
          if (key.press(codes, loop)) continue;
          throw new ToolError(
            'execution_failed',
            `'${key.name}' was not pressed: something in the game stopped the event`,
            true,
            'disabled',
          );
        }
        const held = context.until(() => {
          const lost = pressing.find((key) => !key.isHeld);
          if (lost) throw wentUp(lost, 'its window lost the focus, or something let the key go');
          for (const key of pressing) key.heldFor(heldMs(), loop);
          return heldMs() >= ms;
        });
        await Promise.race([paused, held]);
        return { pressed: pressing.map(({ name }) => name), ms: Math.round(heldMs()) };
      } finally {
        forget();
        over();
        if (!context.signal.aborted) release();
      }
    },
  });
}
