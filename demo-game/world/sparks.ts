import type * as Phaser from 'phaser';
import type { Point } from '../rules/point.ts';
import { depth } from './scenery.ts';

/** Frames of the particle sheet. */
export const spark = { gold: 0, ember: 1, dust: 2, leaf: 3, firefly: 4, ring: 5, star: 6, smoke: 7 } as const;

interface Bit {
  readonly image: Phaser.GameObjects.Image;
  vx: number;
  vy: number;
  gravity: number;
  age: number;
  life: number;
  grow: number;
}

export interface Burst {
  frame: number;
  count: number;
  /** Pixels a second, away from the middle. */
  speed: number;
  life: number;
  gravity?: number;
  lift?: number;
  spread?: number;
  grow?: number;
  depth?: number;
}

/** Small short-lived pictures, from a pool, thrown by a seeded source of numbers. */
export class Sparks {
  readonly #scene: Phaser.Scene;
  readonly #random: () => number;
  readonly #alive: Bit[] = [];
  readonly #free: Phaser.GameObjects.Image[] = [];

  constructor(scene: Phaser.Scene, random: () => number) {
    this.#scene = scene;
    this.#random = random;
  }

  burst(at: Point, { frame, count, speed, life, gravity = 0, lift = 0, spread = 2, grow = 0, depth: layer = depth.glow }: Burst): void {
    for (let n = 0; n < count; n++) {
      const angle = this.#random() * Math.PI * 2;
      const fast = speed * (0.4 + this.#random() * 0.6);
      const image = this.#free.pop() ?? this.#scene.add.image(0, 0, 'particles');
      image
        .setFrame(frame)
        .setPosition(at.x + (this.#random() - 0.5) * spread * 2, at.y + (this.#random() - 0.5) * spread * 2)
        .setVisible(true)
        .setAlpha(1)
        .setScale(1)
        .setDepth(layer);
      this.#alive.push({
        image,
        vx: Math.cos(angle) * fast,
        vy: Math.sin(angle) * fast - lift,
        gravity,
        age: 0,
        life: life * (0.6 + this.#random() * 0.4),
        grow,
      });
    }
  }

  update(ms: number): void {
    const seconds = ms / 1000;
    for (let n = this.#alive.length - 1; n >= 0; n--) {
      const bit = this.#alive[n];
      if (bit === undefined) continue;
      bit.age += ms;
      bit.vy += bit.gravity * seconds;
      bit.image.x += bit.vx * seconds;
      bit.image.y += bit.vy * seconds;
      const over = bit.age / bit.life;
      bit.image.setAlpha(Math.max(0, 1 - over * over)).setScale(1 + bit.grow * over);
      if (over < 1) continue;
      bit.image.setVisible(false);
      this.#free.push(bit.image);
      this.#alive.splice(n, 1);
    }
  }
}
