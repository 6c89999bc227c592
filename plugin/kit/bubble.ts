import type * as Phaser from 'phaser';
import { type Context, isEmbodied, ownKey } from '../context.ts';
import { ownBounds } from './around.ts';

/** Milliseconds of the scene's time: long enough to read. */
const SHOW_MS = { least: 2_000, perLetter: 60 } as const;
const ABOVE_ALL = 10_000;

const shown = new WeakMap<object, Phaser.GameObjects.Text>();

/** A plain speech bubble above the speaker, following it until it has been read. Nothing for a character without a body. */
export function showBubble(text: string, context: Context): void {
  if (!isEmbodied(context)) return;
  const { scene } = context;
  const speaker = ownKey(context);
  shown.get(speaker)?.destroy();
  const bubble = scene.add.text(0, 0, text, {
    fontFamily: 'sans-serif',
    fontSize: '12px',
    color: '#222222',
    backgroundColor: '#ffffffdd',
    padding: { x: 6, y: 4 },
    align: 'center',
    wordWrap: { width: 180 },
  });
  bubble.setOrigin(0.5, 1).setDepth(ABOVE_ALL);
  shown.set(speaker, bubble);
  const place = () => {
    const { x, y, width } = ownBounds(context);
    bubble.setPosition(Math.round(x + width / 2), Math.round(y - 6));
  };
  const timer = scene.time.delayedCall(Math.max(SHOW_MS.least, text.length * SHOW_MS.perLetter), () => bubble.destroy());
  // The scene's end destroys the bubble, and the bubble's end takes the rest along.
  scene.events.on('postupdate', place);
  bubble.once('destroy', () => {
    scene.events?.off('postupdate', place);
    timer.remove();
  });
  place();
}
