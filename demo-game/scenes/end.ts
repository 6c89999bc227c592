import * as Phaser from 'phaser';
import { addButton } from '../ui/button.ts';
import { minutes } from '../ui/clock.ts';
import { addText } from '../ui/text.ts';
import { sceneKey } from './keys.ts';
import type { NightScene } from './night.ts';
import { addOverlay } from './overlay.ts';

const width = 224;
const height = 158;
const icon = { restart: 7, noStar: 12, star: 13, home: 14, dark: 0, lit: 1 } as const;

/** How the night ended. */
export class EndScene extends Phaser.Scene {
  constructor() {
    super(sceneKey.end);
  }

  create(): void {
    const { rules } = this.scene.get(sceneKey.night) as NightScene;
    const won = rules.ending === 'won';
    const box = addOverlay(this, width, height);
    const middle = width / 2;
    const centred = (y: number, text: string, ink: 'gold' | 'cream' | 'dim', size = 1) => {
      const made = addText(this, 0, y, text, ink, size);
      made.x = Math.round(middle - made.width / 2);
      box.add(made);
    };
    centred(10, won ? 'All lit!' : 'Dawn came first', 'gold', 2);
    centred(
      won ? 72 : 70,
      won ? `The village shines, ${minutes(rules.left)} before dawn.` : `${rules.lit} of ${rules.lanterns.length} lanterns burn.`,
      'cream',
    );
    centred(
      85,
      won
        ? rules.stars === 3
          ? 'Nobody could do it faster.'
          : 'Two who share the work are faster.'
        : 'Tell Mira what to do, and try again.',
      'dim',
    );
    if (won) this.#stars(box, rules.stars);
    else this.#lamps(box, rules.lit, rules.lanterns.length);
    box.add(addButton(this, middle - 50, 128, 'Again', icon.restart, () => this.#again(), 92));
    box.add(addButton(this, middle + 50, 128, 'Title', icon.home, () => this.#title(), 92));
    for (const key of ['R', 'ENTER', 'SPACE']) this.input.keyboard?.on(`keydown-${key}`, () => this.#again());
    const again = () => this.scene.restart();
    this.scale.on(Phaser.Scale.Events.RESIZE, again);
    this.events.once(Phaser.Scenes.Events.SHUTDOWN, () => this.scale.off(Phaser.Scale.Events.RESIZE, again));
  }

  #stars(box: Phaser.GameObjects.Container, count: number): void {
    for (let n = 0; n < 3; n++) {
      const star = this.add.image(width / 2 + (n - 1) * 34, 50, 'icons', icon.noStar).setScale(2);
      box.add(star);
      if (n >= count) continue;
      this.time.delayedCall(350 + n * 320, () => {
        star.setFrame(icon.star);
        this.tweens.add({ targets: star, scale: { from: 3.4, to: 2 }, duration: 380, ease: 'Back.Out' });
      });
    }
  }

  #lamps(box: Phaser.GameObjects.Container, lit: number, all: number): void {
    for (let n = 0; n < all; n++)
      box.add(this.add.image(width / 2 + (n - (all - 1) / 2) * 24, 50, 'icons', n < lit ? icon.lit : icon.dark).setScale(1.5));
  }

  #again(): void {
    this.scene.stop();
    this.scene.start(sceneKey.night);
  }

  #title(): void {
    this.scene.stop(sceneKey.night);
    this.scene.start(sceneKey.title);
  }
}
