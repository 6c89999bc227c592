import * as Phaser from 'phaser';
import { Darkness, type Light } from './darkness.ts';
import { Fireflies } from './fireflies.ts';
import type { Person } from './person.ts';
import type { FlaskOnGround, LanternPost } from './props.ts';
import { mixColours, morning, skyAt } from './sky.ts';
import { thingsOf } from './village-map.ts';

/** The widths of the houses by their picture, in world pixels. */
const houseWidths = [80, 80, 64];

/** Whatever shines in the village, and the dark around it. */
export class NightLight {
  readonly scene: Phaser.Scene;
  readonly posts: readonly LanternPost[];
  readonly flasks: readonly FlaskOnGround[];
  readonly people: readonly Person[];
  /** 0: the sky of the hour, 1: full morning. For the tweens of the ending. */
  day = 0;
  readonly #fireflies: Fireflies;
  /** None on a machine without a screen. */
  readonly #darkness: Darkness | undefined;
  readonly #windows = windowLights();
  readonly #lights: Light[] = [];

  constructor(
    scene: Phaser.Scene,
    posts: readonly LanternPost[],
    flasks: readonly FlaskOnGround[],
    people: readonly Person[],
    random: () => number,
  ) {
    this.scene = scene;
    this.posts = posts;
    this.flasks = flasks;
    this.people = people;
    this.#fireflies = new Fireflies(scene, random);
    this.#darkness = scene.game.config.renderType === Phaser.HEADLESS ? undefined : new Darkness(scene);
  }

  resize(): void {
    this.#darkness?.resize(this.scene.scale.width, this.scene.scale.height);
  }

  /** @param progress how much of the night is over, 0 to 1 */
  update(now: number, progress: number): void {
    const lights = this.#lights;
    lights.length = 0;
    for (const post of this.posts) post.update(now, lights);
    for (const flask of this.flasks) flask.update(now, lights);
    lights.push(...this.#windows);
    for (const { who, x, y } of this.people) {
      const [radius, strength] = who === 'player' ? [74, 0.62] : [58, 0.5];
      lights.push({ x, y: y - 10, radius, strength: strength + Math.sin(now / 130 + x) * 0.02, tint: 'warm' });
    }
    const night = 1 - Math.max(this.day, (progress - 0.8) * 5);
    this.#fireflies.update(now, Math.max(0, night), lights);
    this.#darkness?.draw(this.scene.cameras.main, mixColours(skyAt(progress), morning, this.day), lights);
  }
}

function windowLights(): Light[] {
  return thingsOf('house').flatMap(({ x, y, frame }) => {
    const half = (houseWidths[frame] ?? 80) / 2 - 14;
    return [x - half, x + half].map((at) => ({ x: at, y: y - 12, radius: 34, strength: 0.7, tint: 'soft' as const }));
  });
}
