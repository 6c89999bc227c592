import type * as Phaser from 'phaser';
import type { Point } from '../rules/point.ts';

const reach = 22;

/** Whether the player has no keyboard and no mouse at hand, as far as one can tell before the first touch. */
export function hasFingers({ scale, sys }: Phaser.Scene): boolean {
  return sys.game.device.input.touch && (scale.width < scale.height * 0.8 || window.matchMedia('(pointer: coarse)').matches);
}

/** A stick that appears under the left thumb, and a round button for the right one. Shown from the first touch on. */
export class TouchControls {
  readonly #scene: Phaser.Scene;
  readonly #stick: Point;
  readonly #ring: Phaser.GameObjects.Image;
  readonly #knob: Phaser.GameObjects.Image;
  readonly #button: Phaser.GameObjects.Image;
  readonly #icon: Phaser.GameObjects.Image;
  #finger: number | undefined;

  constructor(scene: Phaser.Scene, stick: Point, act: () => void, shown: boolean) {
    const { width, height } = scene.scale;
    this.#scene = scene;
    this.#stick = stick;
    this.#ring = scene.add
      .image(52, height - 88, 'touch-ring')
      .setAlpha(0.7)
      .setVisible(shown);
    this.#knob = scene.add
      .image(52, height - 88, 'touch-knob')
      .setAlpha(0.8)
      .setVisible(shown);
    this.#button = scene.add
      .image(width - 36, height - 72, 'touch-button')
      .setVisible(shown)
      .setInteractive();
    this.#icon = scene.add.image(width - 36, height - 72, 'items', 0).setVisible(shown);
    this.#button.on('pointerdown', (pointer: Phaser.Input.Pointer) => {
      if (!pointer.wasTouch && !shown) return;
      this.#button.setScale(0.9);
      act();
    });
    this.#button.on('pointerup', () => this.#button.setScale(1));
    this.#button.on('pointerout', () => this.#button.setScale(1));
    scene.input.on('pointerdown', (pointer: Phaser.Input.Pointer) => this.#down(pointer));
    scene.input.on('pointermove', (pointer: Phaser.Input.Pointer) => this.#move(pointer));
    scene.input.on('pointerup', (pointer: Phaser.Input.Pointer) => this.#up(pointer));
  }

  /** `frame` of the item sheet: what the button would do. */
  showAction(frame: number, ready: boolean): void {
    this.#icon.setFrame(frame);
    this.#button.setAlpha(ready ? 1 : 0.5);
    this.#icon.setAlpha(ready ? 1 : 0.6);
  }

  #down(pointer: Phaser.Input.Pointer): void {
    if (!pointer.wasTouch) return;
    for (const part of [this.#ring, this.#knob, this.#button, this.#icon]) part.setVisible(true);
    if (this.#finger !== undefined || pointer.x > this.#scene.scale.width / 2 || pointer.y < 60) return;
    this.#finger = pointer.id;
    this.#ring.setPosition(Math.round(pointer.x), Math.round(pointer.y)).setAlpha(1);
    this.#knob.setPosition(this.#ring.x, this.#ring.y).setAlpha(1);
  }

  #move(pointer: Phaser.Input.Pointer): void {
    if (pointer.id !== this.#finger) return;
    const x = pointer.x - this.#ring.x;
    const y = pointer.y - this.#ring.y;
    const far = Math.hypot(x, y);
    const part = far > reach ? reach / far : 1;
    this.#knob.setPosition(this.#ring.x + x * part, this.#ring.y + y * part);
    this.#stick.x = far < 5 ? 0 : (x * part) / reach;
    this.#stick.y = far < 5 ? 0 : (y * part) / reach;
  }

  #up(pointer: Phaser.Input.Pointer): void {
    if (pointer.id !== this.#finger) return;
    this.#finger = undefined;
    this.#stick.x = 0;
    this.#stick.y = 0;
    this.#knob.setPosition(this.#ring.x, this.#ring.y);
    this.#ring.setAlpha(0.7);
  }
}
