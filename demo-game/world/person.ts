import * as Phaser from 'phaser';
import type { Point } from '../rules/point.ts';
import { animationKey, type Look, type Who } from './art.ts';
import { depth } from './scenery.ts';

export type Facing = 'up' | 'down' | 'left' | 'right';

/** Below this a body counts as standing, in pixels a second. */
const standing = 4;

/** Somebody in the village: an Arcade sprite whose x, y are its feet, with a shadow, and with oil above its head while it carries some. */
export class Person extends Phaser.Physics.Arcade.Sprite {
  readonly who: Who;
  facing: Facing = 'down';
  #carrying = false;
  readonly #shadow: Phaser.GameObjects.Image;
  readonly #oil: Phaser.GameObjects.Sprite;
  #stride = 0;

  constructor(scene: Phaser.Scene, who: Who, at: Point) {
    super(scene, at.x, at.y, 'characters');
    this.who = who;
    this.#shadow = scene.add.image(at.x, at.y, 'shadow').setDepth(depth.shadow);
    scene.add.existing(this);
    scene.physics.add.existing(this);
    this.setOrigin(0.5, 21 / 24);
    const body = this.body as Phaser.Physics.Arcade.Body;
    body.setSize(10, 6, false).setOffset(3, 18);
    body.setCollideWorldBounds(true);
    this.#oil = scene.add.sprite(at.x, at.y, 'items', 0).setOrigin(0.5, 1).setVisible(false);
    this.#oil.play('glint');
    this.refresh();
  }

  get carrying(): boolean {
    return this.#carrying;
  }

  set carrying(yes: boolean) {
    if (this.#carrying === yes) return;
    this.#carrying = yes;
    this.#oil.setVisible(yes);
    if (yes) this.scene.tweens.add({ targets: this.#oil, scale: { from: 0.3, to: 1 }, duration: 220, ease: 'Back.Out' });
  }

  get walking(): boolean {
    return Math.hypot(this.body?.velocity.x ?? 0, this.body?.velocity.y ?? 0) > standing;
  }

  turnTo(x: number, y: number): void {
    this.facing = Math.abs(x) > Math.abs(y) ? (x < 0 ? 'left' : 'right') : y < 0 ? 'up' : 'down';
  }

  /** Puts animation, shadow and oil in step with the body. Returns true when a foot comes down. */
  refresh(ms = 0): boolean {
    const velocity = this.body?.velocity;
    const walking = this.walking;
    if (velocity && walking) {
      const sideways = Math.abs(velocity.x) - Math.abs(velocity.y);
      if (Math.abs(sideways) > 2) this.turnTo(velocity.x, velocity.y);
    }
    const look: Look = this.facing === 'left' || this.facing === 'right' ? 'side' : this.facing;
    this.setFlipX(this.facing === 'left');
    this.anims.play(animationKey(this.who, walking ? 'walk' : 'idle', look, this.#carrying), true);
    this.setDepth(this.y);
    this.#shadow.setPosition(this.x, this.y);
    this.#oil.setPosition(this.x, this.y - 17 + (walking ? Math.round(Math.sin(this.#stride / 55)) : 0)).setDepth(this.y + 0.1);
    if (!walking) {
      this.#stride = 0;
      return false;
    }
    const before = Math.floor(this.#stride / 230);
    this.#stride += ms;
    return Math.floor(this.#stride / 230) !== before;
  }

  override destroy(fromScene?: boolean): void {
    this.#shadow.destroy();
    this.#oil.destroy();
    super.destroy(fromScene);
  }
}
