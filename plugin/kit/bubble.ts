import type * as Phaser from 'phaser';
import { isAlive, isGameObject, type Rect } from '../compat.ts';
import { type Context, isEmbodied, ownKey } from '../context.ts';
import { ownBounds } from './around.ts';
import { cameraOf, overlap, rootOf, viewFor } from './camera.ts';
import { wrapText } from './wrap-text.ts';

/** Milliseconds of the scene's time: long enough to read. */
const SHOW_MS = { least: 2_000, perLetter: 60 } as const;
const ABOVE_ALL = Number.MAX_SAFE_INTEGER;
/** Pixels of the screen, whatever the camera's zoom. */
const SIZE = { letters: 12, line: 180, margin: 4, gap: 6, padding: { x: 6, y: 4 } } as const;

const shown = new WeakMap<object, Phaser.GameObjects.Text>();

/**
 * A plain speech bubble above the speaker, following it until it has been read. It is as large on the screen at every zoom, and stays on it
 * as long as the speaker does. Nothing for a character without a body.
 */
export function showBubble(text: string, context: Context): void {
  if (!isEmbodied(context)) return;
  const { scene, body } = context;
  const speaker = ownKey(context);
  shown.get(speaker)?.destroy();
  let lineWidth: number = SIZE.line;
  const bubble = scene.add.text(0, 0, text, {
    fontFamily: 'sans-serif',
    fontSize: `${SIZE.letters}px`,
    color: '#222222',
    backgroundColor: '#ffffffdd',
    padding: SIZE.padding,
    align: 'center',
    wordWrap: {
      callback: (whole: string, { context: pen }: Phaser.GameObjects.Text) =>
        wrapText(whole, lineWidth, (line) => pen.measureText(line).width),
    },
  });
  bubble.setOrigin(0.5, 1).setDepth(ABOVE_ALL);
  shown.set(speaker, bubble);

  /** As wide as usual; where that is too wide or too high for the view, as wide as the view, and at last smaller. @returns the scale */
  const layOut = (width: number, height: number): number => {
    const most = Math.max(SIZE.letters * 2, width - 2 * (SIZE.margin + SIZE.padding.x));
    for (const wanted of [Math.min(SIZE.line, most), most]) {
      if (wanted !== lineWidth) {
        lineWidth = wanted;
        bubble.updateText();
      }
      if (bubble.height <= height - 2 * SIZE.margin) return 1;
    }
    return Math.min(1, (height - 2 * SIZE.margin) / bubble.height);
  };
  let fitted = { width: 0, height: 0, scale: 1 };

  const place = () => {
    const { object } = body;
    if (isGameObject(object) && !isAlive(object)) return bubble.destroy();
    const bounds = ownBounds(context);
    const root = rootOf(object);
    const camera = cameraOf(scene.cameras, root, bounds);
    const { width, height, zoomX, zoomY } = camera;
    if (fitted.width !== width || fitted.height !== height) fitted = { width, height, scale: layOut(width, height) };
    // Every other camera would show it too, at its own zoom and in its own place.
    bubble.cameraFilter = scene.cameras.cameras.reduce((filter, each) => (each === camera ? filter : filter | each.id), 0);
    bubble.setScrollFactor(root.scrollFactorX ?? 1, root.scrollFactorY ?? 1);
    bubble.setScale(fitted.scale / zoomX, fitted.scale / zoomY);
    const view = viewFor(camera, root);
    const { x, y } = topLeft(bounds, { width: bubble.displayWidth, height: bubble.displayHeight }, view, 1 / zoomX);
    // A whole pixel of the screen: letters between two are blurred.
    const onPixel = (at: number, from: number, zoom: number) => from + Math.round((at - from) * zoom) / zoom;
    bubble.setPosition(onPixel(x, view.x, zoomX) + bubble.displayWidth / 2, onPixel(y, view.y, zoomY) + bubble.displayHeight);
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

/** Above the speaker, or below where there is no room above; inside the view while the speaker is. @param pixel one of the screen, in world pixels */
function topLeft(speaker: Rect, { width, height }: { width: number; height: number }, view: Rect, pixel: number): { x: number; y: number } {
  const margin = SIZE.margin * pixel;
  const gap = SIZE.gap * pixel;
  const x = speaker.x + (speaker.width - width) / 2;
  const above = speaker.y - gap - height;
  const below = speaker.y + speaker.height + gap;
  const right = view.x + view.width;
  const bottom = view.y + view.height;
  if (!overlap(speaker, view)) return { x, y: above };
  const within = (at: number, least: number, most: number) => Math.max(least, Math.min(at, most));
  const y = above < view.y + margin && below + height <= bottom - margin ? below : above;
  return { x: within(x, view.x + margin, right - margin - width), y: within(y, view.y + margin, bottom - margin - height) };
}
