import type * as Phaser from 'phaser';
import { addPanel } from '../ui/panel.ts';

/** Dims what is below and puts an empty panel in the middle; both slide in. Returns the panel's box, for what goes on it. */
export function addOverlay(scene: Phaser.Scene, width: number, height: number): Phaser.GameObjects.Container {
  const shade = scene.add.rectangle(0, 0, scene.scale.width, scene.scale.height, 0x1b1428, 0.62).setOrigin(0).setInteractive();
  const left = Math.round((scene.scale.width - width) / 2);
  const top = Math.round((scene.scale.height - height) / 2);
  const box = scene.add.container(left, top, [addPanel(scene, 0, 0, width, height, 'dark')]);
  scene.tweens.add({ targets: shade, alpha: { from: 0, to: 1 }, duration: 200 });
  scene.tweens.add({ targets: box, y: { from: top + 14, to: top }, alpha: { from: 0, to: 1 }, duration: 260, ease: 'Cubic.Out' });
  return box;
}
