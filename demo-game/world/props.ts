import type * as Phaser from 'phaser';
import type { Flask, Lantern } from '../rules/night-rules.ts';
import type { Light } from './darkness.ts';

/** A lantern's post in the world; x, y is the middle of the tile that it stands on. */
export class LanternPost {
  readonly sprite: Phaser.GameObjects.Sprite;
  /** Its foot, which is what one walks to. */
  readonly foot: Phaser.GameObjects.Zone;
  readonly lantern: Lantern;
  readonly light: Light;
  readonly #glimmer: Light;
  #lit = false;

  constructor(scene: Phaser.Scene, lantern: Lantern) {
    this.lantern = lantern;
    this.foot = scene.add.zone(lantern.x, lantern.y, 14, 14);
    this.#glimmer = { x: lantern.x, y: lantern.y - 6, radius: 26, strength: 0.45, tint: 'cool' };
    this.sprite = scene.add
      .sprite(lantern.x, lantern.y - 8, 'lantern', 0)
      .setOrigin(0.5, 24 / 32)
      .setDepth(lantern.y - 3);
    this.light = { x: lantern.x, y: lantern.y - 10, radius: 130, strength: 0, tint: 'warm' };
  }

  update(now: number, lights: Light[]): void {
    if (this.lantern.lit && !this.#lit) {
      this.#lit = true;
      this.sprite.play('flame');
      this.sprite.scene.tweens.add({ targets: this.light, radius: { from: 20, to: 130 }, duration: 900, ease: 'Back.Out' });
      this.sprite.scene.tweens.add({
        targets: this.sprite,
        scaleX: { from: 1.35, to: 1 },
        scaleY: { from: 0.8, to: 1 },
        duration: 450,
        ease: 'Elastic.Out',
      });
    }
    if (!this.#lit) {
      lights.push(this.#glimmer);
      return;
    }
    this.light.strength = 0.9 + Math.sin(now / 90 + this.lantern.x) * 0.035 + Math.sin(now / 37) * 0.02;
    lights.push(this.light);
  }
}

/** A flask on the ground. */
export class FlaskOnGround {
  readonly sprite: Phaser.GameObjects.Sprite;
  readonly flask: Flask;
  readonly #light: Light;

  constructor(scene: Phaser.Scene, flask: Flask) {
    this.flask = flask;
    this.sprite = scene.add.sprite(flask.x, flask.y, 'items', 0).setOrigin(0.5, 0.8);
    this.sprite.play('glint');
    this.#light = { x: flask.x, y: flask.y, radius: 26, strength: 0.55, tint: 'warm' };
  }

  update(now: number, lights: Light[]): void {
    const there = this.flask.where === 'ground';
    this.sprite.setVisible(there);
    if (!there) return;
    this.sprite.setPosition(this.flask.x, this.flask.y + Math.round(Math.sin(now / 300 + this.flask.x))).setDepth(this.flask.y);
    this.#light.x = this.flask.x;
    this.#light.y = this.flask.y - 4;
    this.#light.strength = 0.5 + Math.sin(now / 350 + this.flask.x) * 0.12;
    lights.push(this.#light);
  }
}
