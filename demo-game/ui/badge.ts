import type * as Phaser from 'phaser';
import { faceFrame, type Who } from '../world/art.ts';
import { addPanel } from './panel.ts';
import { addText } from './text.ts';

/** Who drives somebody, and what kind of mind it is ('' where there is none). */
export interface Driver {
  readonly driver: 'none' | 'builtin' | 'person' | 'agent';
  readonly mind: string;
}

const words: Record<Driver['driver'], string> = { none: 'nobody', builtin: 'built-in', person: 'a person', agent: 'an agent' };

export const badgeWidth = 140;
export const badgeHeight = 27;

/** A face, a name, and who is behind it. */
export class Badge {
  readonly #driver: Phaser.GameObjects.BitmapText;
  readonly #frame: Phaser.GameObjects.Image;
  #shown = '';

  constructor(scene: Phaser.Scene, x: number, y: number, who: Who, name: string) {
    addPanel(scene, x - 3, y - 3, badgeWidth, badgeHeight, 'dark');
    this.#frame = scene.add.image(x, y, 'frame').setOrigin(0);
    const face = scene.add.image(x + 2, y + 1, 'characters', faceFrame(who)).setOrigin(0);
    face.setCrop(0, 3, 16, 15).setY(y - 1);
    addText(scene, x + 24, y - 1, name, 'gold');
    this.#driver = addText(scene, x + 24, y + 9, '', 'cream');
  }

  update({ driver, mind }: Driver): void {
    const text = mind ? `${words[driver]}: ${mind.replaceAll('_', ' ')}` : words[driver];
    if (text === this.#shown) return;
    const first = this.#shown === '';
    this.#shown = text;
    this.#driver.setText(text);
    if (!first) this.#frame.scene.tweens.add({ targets: this.#frame, alpha: { from: 0.2, to: 1 }, duration: 160, repeat: 3 });
  }
}
