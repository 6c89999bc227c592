import { checkOptions } from '../../src/base/check-options.ts';
import type { Tool } from '../../src/bridge/index.ts';
import type { XY } from '../compat.ts';
import { type Context, defineTool, isEmbodied } from '../context.ts';
import type { Present } from '../surroundings.ts';
import { ownId, surroundingsOf } from './around.ts';
import { showBubble } from './bubble.ts';
import { bearing, distance, round } from './geometry.ts';

/** How far and how long a character speaks. */
export interface SayOptions {
  /** How far it is heard, in world pixels. Default 320. */
  earshot?: number;
  /** Letters of one utterance. Default 280. */
  maxLength?: number;
  /** Shows it to the player. Default: a plain bubble above the speaker. */
  show?(text: string, context: Context): void;
}

/** A generator: speaks. Shown to the player, and heard as `audio` by the other characters in earshot. */
export function say(options: SayOptions = {}): Tool {
  checkOptions('say(options)', options, { earshot: 'number', maxLength: 'count', show: 'function' });
  const { earshot = 320, maxLength = 280, show = showBubble } = options;
  return defineTool({
    id: 'say',
    class: 'generator',
    capability: 'speech',
    description: `Say something aloud: the player reads it above your head, and characters within ${earshot} pixels hear it. Returns who heard it.`,
    input: {
      type: 'object',
      properties: { text: { type: 'string', minLength: 1, maxLength, description: 'What you say, in plain words.' } },
      required: ['text'],
    },
    output: {
      type: 'object',
      properties: { heard_by: { type: 'array', items: { type: 'string' }, description: 'The ids of who heard it.' } },
      required: ['heard_by'],
    },
    lane: 'voice',
    run({ text }, context) {
      show(text, context);
      const from = isEmbodied(context) ? context.body.position() : undefined;
      const listeners = surroundingsOf(context)
        .others(context.character)
        .filter((other) => hears(other, { id: ownId(context), from }, text, earshot));
      return { heard_by: listeners.map((listener) => listener.id) };
    },
  });
}

/** A voice without a place is everywhere, and who has no ears in one place hears everything. A squad hears with the nearest of its ears. */
function hears(listener: Present, { id, from }: { id: string; from: XY | undefined }, text: string, earshot: number): boolean {
  const ears = from && nearest(listener, from);
  const far = ears?.far ?? 0;
  if (far > earshot) return false;
  listener.emit('audio', {
    kind: 'speech',
    from: id,
    text,
    distance: round(far),
    bearing: from && ears ? round(bearing(ears.at, from), 2) : 0,
    loudness: round(1 - far / earshot, 2),
    ...(ears && ears.id !== listener.id && { unit: ears.id }),
  });
  return true;
}

function nearest(listener: Present, from: XY): { id: string; at: XY; far: number } | undefined {
  return listener
    .figures()
    .map(({ id, body }) => ({ id, at: body.position(), far: distance(body.position(), from) }))
    .sort((a, b) => a.far - b.far)[0];
}
