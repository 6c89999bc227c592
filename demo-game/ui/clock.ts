import type * as Phaser from 'phaser';
import { addPanel } from './panel.ts';
import { addText } from './text.ts';

const barWidth = 84;

/** 95,000 ms is `1:35`. */
export function minutes(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The way of the moon to the sun, and the time that is left. */
export class DawnClock {
  readonly #moon: Phaser.GameObjects.Image;
  readonly #trail: Phaser.GameObjects.Rectangle;
  readonly #text: Phaser.GameObjects.BitmapText;
  readonly #left: number;
  #shown = '';

  constructor(scene: Phaser.Scene, x: number, y: number) {
    const width = barWidth + 62;
    const left = Math.round(x - width / 2);
    addPanel(scene, left, y, width, 24, 'dark');
    this.#left = left + 14;
    scene.add.rectangle(this.#left, y + 11, barWidth, 3, 0x414370).setOrigin(0);
    this.#trail = scene.add.rectangle(this.#left, y + 11, 1, 3, 0xffa63e).setOrigin(0);
    scene.add.image(this.#left + barWidth + 6, y + 12, 'icons', 4);
    this.#moon = scene.add.image(this.#left, y + 12, 'icons', 3);
    this.#text = addText(scene, left + width - 31, y + 6, '');
  }

  update(progress: number, leftMs: number, hurry: boolean): void {
    const at = Math.round(progress * barWidth);
    this.#moon.x = this.#left + at;
    this.#trail.width = Math.max(1, at);
    const text = minutes(leftMs);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#text.setText(text).setFont(hurry ? 'gold' : 'cream');
    if (hurry) this.#text.scene.tweens.add({ targets: this.#moon, scale: { from: 1.4, to: 1 }, duration: 350 });
  }
}
