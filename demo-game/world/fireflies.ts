import type * as Phaser from 'phaser';
import type { Light } from './darkness.ts';
import { depth } from './scenery.ts';
import { spark } from './sparks.ts';
import { mapHeight, mapWidth } from './village-map.ts';

interface Fly {
  readonly image: Phaser.GameObjects.Image;
  readonly light: Light;
  readonly x: number;
  readonly y: number;
  readonly phase: number;
  readonly speed: number;
}

/** Little lights that wander over the meadow and go out before dawn. */
export class Fireflies {
  readonly #flies: Fly[] = [];

  constructor(scene: Phaser.Scene, random: () => number, count = 26) {
    for (let n = 0; n < count; n++) {
      const x = 40 + random() * (mapWidth - 80);
      const y = 40 + random() * (mapHeight - 80);
      const image = scene.add.image(x, y, 'particles', spark.firefly).setDepth(depth.glow);
      this.#flies.push({
        image,
        x,
        y,
        phase: random() * 10,
        speed: 0.5 + random(),
        light: { x, y, radius: 12, strength: 0, tint: 'green' },
      });
    }
  }

  /** `fade`: 1 in the night, 0 by day. */
  update(now: number, fade: number, lights: Light[]): void {
    for (const fly of this.#flies) {
      const t = (now / 1000) * fly.speed + fly.phase;
      const glow = Math.max(0, Math.sin(t * 1.7)) * fade;
      const x = fly.x + Math.sin(t * 0.6) * 26 + Math.sin(t * 1.3) * 9;
      const y = fly.y + Math.cos(t * 0.5) * 16 + Math.sin(t * 1.9) * 5;
      fly.image
        .setPosition(Math.round(x), Math.round(y))
        .setAlpha(glow)
        .setVisible(glow > 0.02);
      fly.light.x = x;
      fly.light.y = y;
      fly.light.strength = glow * 0.6;
      if (glow > 0.02) lights.push(fly.light);
    }
  }
}
