import type * as Phaser from 'phaser';
import type { Who } from '../world/art.ts';
import type { Person } from '../world/person.ts';
import { depth } from '../world/scenery.ts';
import { addPanel } from './panel.ts';
import { addText, heightOf, wrap } from './text.ts';

const lettersInLine = 26;
const padding = 6;
/** How far above the feet the bubble's tail ends; more while oil is held up. */
const above = (person: Person): number => (person.carrying ? 40 : 27);
/** How long words stay: some time to look, and some for each letter. */
const showMs = (text: string) => 1800 + text.length * 55;

interface Shown {
  readonly box: Phaser.GameObjects.Container;
  readonly tail: Phaser.GameObjects.Image;
  readonly over: Person;
  readonly width: number;
  readonly height: number;
  left: number;
}

/** What people say, one bubble above each head, kept inside the view. */
export class Bubbles {
  readonly #scene: Phaser.Scene;
  readonly #shown = new Map<Who, Shown>();

  constructor(scene: Phaser.Scene) {
    this.#scene = scene;
  }

  /** `over` is followed: give the speaker itself. */
  say(who: Who, over: Person, text: string): void {
    this.#shown.get(who)?.box.destroy();
    const words = wrap(text, lettersInLine);
    const label = addText(this.#scene, padding, padding - 1, words, 'dark');
    const width = Math.max(24, Math.ceil(label.width) + padding * 2);
    const height = heightOf(words.split('\n').length) + padding * 2 - 3;
    const tail = this.#scene.add.image(Math.round(width / 2), height - 1, 'tail').setOrigin(0.5, 0);
    const box = this.#scene.add.container(0, 0, [addPanel(this.#scene, 0, 0, width, height, who), label, tail]).setDepth(depth.bubble);
    this.#shown.set(who, { box, tail, over, width, height, left: showMs(text) });
    this.#scene.tweens.add({ targets: box, scale: { from: 0.6, to: 1 }, duration: 140, ease: 'Back.Out' });
  }

  /** The words now above somebody's head. */
  words(who: Who): string | undefined {
    const label = this.#shown.get(who)?.box.list[1] as Phaser.GameObjects.BitmapText | undefined;
    return label?.text.replaceAll('\n', ' ');
  }

  update(ms: number, camera: Phaser.Cameras.Scene2D.Camera): void {
    const placed: { x: number; y: number; width: number; height: number }[] = [];
    for (const [who, shown] of this.#shown) {
      shown.left -= ms;
      if (shown.left <= 0) {
        shown.box.destroy();
        this.#shown.delete(who);
        continue;
      }
      const { over, width, height } = shown;
      const view = camera.worldView;
      const x = Math.round(Math.min(Math.max(over.x - width / 2, view.x + 3), view.right - width - 3));
      let y = Math.round(Math.min(Math.max(over.y - above(over) - height, view.y + 34), view.bottom - height - 34));
      for (const other of placed) {
        const beside = x > other.x + other.width || x + width < other.x || y > other.y + other.height || y + height < other.y;
        if (!beside) y = other.y - height - 2;
      }
      placed.push({ x, y, width, height });
      shown.box.setPosition(x, y).setAlpha(Math.min(1, shown.left / 250));
      // Who speaks from outside the view has no head to point at.
      shown.tail.setVisible(view.contains(over.x, over.y)).setX(Math.min(Math.max(Math.round(over.x) - x, 10), width - 10));
    }
  }
}
