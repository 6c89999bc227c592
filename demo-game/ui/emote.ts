import type * as Phaser from 'phaser';
import type { Point } from '../rules/point.ts';
import { depth } from '../world/scenery.ts';

/** Frames of the item sheet that are feelings. */
export const emote = { alert: 2, puzzled: 3, heart: 4, note: 5, waiting: 6, flame: 7 } as const;

/** A small sign pops up above a head and is gone. */
export function showEmote(scene: Phaser.Scene, over: Point, frame: number): void {
  const image = scene.add
    .image(over.x, over.y - 26, 'items', frame)
    .setDepth(depth.bubble - 1)
    .setScale(0);
  scene.tweens.chain({
    targets: image,
    tweens: [
      { scale: 1, y: over.y - 32, duration: 180, ease: 'Back.Out' },
      { y: over.y - 34, duration: 650 },
      { alpha: 0, y: over.y - 40, duration: 200, onComplete: () => image.destroy() },
    ],
  });
}
