import type * as Phaser from 'phaser';
import { distance, type Point } from '../rules/point.ts';
import { emote, showEmote } from '../ui/emote.ts';
import type { Who } from '../world/art.ts';
import { NightLight } from '../world/night-light.ts';
import type { Person } from '../world/person.ts';
import type { FlaskOnGround, LanternPost } from '../world/props.ts';
import { playSound } from '../world/sounds.ts';
import { Sparks, spark } from '../world/sparks.ts';
import { isBridge } from '../world/village-map.ts';

/** Pixels from the player at which nothing is heard any more. */
const earshot = 260;
/** How high somebody's voice is, in cents. */
const pitch: Readonly<Record<Who, number>> = { player: 0, mira: 300, old_tam: -700 };

/** What is in the village, as the effects need it. */
interface Village {
  readonly people: Readonly<Record<Who, Person>>;
  readonly posts: readonly LanternPost[];
  readonly flasks: readonly FlaskOnGround[];
}

/** What one sees and hears of what happens in the night: light, sparks and sounds. It decides nothing. */
export class NightEffects {
  readonly #scene: Phaser.Scene;
  readonly #village: Village;
  readonly #sparks: Sparks;
  readonly #light: NightLight;

  constructor(scene: Phaser.Scene, village: Village, random: () => number) {
    this.#scene = scene;
    this.#village = village;
    this.#sparks = new Sparks(scene, random);
    this.#light = new NightLight(scene, village.posts, village.flasks, Object.values(village.people), random);
  }

  updateSparks(ms: number): void {
    this.#sparks.update(ms);
  }

  /** @param progress of the night, from 0 to 1 */
  updateLight(now: number, progress: number): void {
    this.#light.update(now, progress);
  }

  resize(): void {
    this.#light.resize();
  }

  /** There is nothing to do here for the player. */
  puzzled(carrying: boolean): void {
    playSound(this.#scene, 'nope', 0.35);
    showEmote(this.#scene, this.#village.people.player, carrying ? emote.waiting : emote.puzzled);
  }

  pickedUp(person: Person): void {
    this.#heard('pick-up', person);
    this.#sparks.burst({ x: person.x, y: person.y - 18 }, { frame: spark.gold, count: 6, speed: 40, life: 400 });
  }

  lit(lantern: Point | undefined, by: Person): void {
    if (lantern) {
      const flame = { x: lantern.x, y: lantern.y - 10 };
      this.#heard('light', lantern);
      this.#sparks.burst(flame, { frame: spark.ember, count: 14, speed: 60, life: 900, lift: 40, gravity: 60 });
      this.#sparks.burst(flame, { frame: spark.star, count: 6, speed: 90, life: 600 });
      this.#sparks.burst(flame, { frame: spark.ring, count: 1, speed: 0, life: 500, spread: 0, grow: 6 });
    }
    this.#scene.cameras.main.shake(160, 0.0025);
    showEmote(this.#scene, by, emote.flame);
  }

  given(to: Person): void {
    this.#heard('give', to);
    showEmote(this.#scene, to, emote.heart);
  }

  putDown(by: Person): void {
    this.#heard('step-wood', by);
  }

  spoke(person: Person): void {
    this.#heard('say', person, pitch[person.who]);
  }

  footstep(person: Person): void {
    const wood = isBridge(person.x, person.y);
    this.#heard(wood ? 'step-wood' : person.x % 2 < 1 ? 'step-1' : 'step-2', person);
    if (!wood) this.#sparks.burst(person, { frame: spark.dust, count: 1, speed: 12, life: 350, lift: 6, depth: person.y - 1 });
  }

  /** The night is nearly over. */
  warning(): void {
    playSound(this.#scene, 'warning', 0.7);
    this.#scene.cameras.main.shake(200, 0.002);
  }

  won(): void {
    const { people, posts } = this.#village;
    playSound(this.#scene, 'win', 0.9);
    this.#scene.tweens.add({ targets: this.#light, duration: 2800, day: { from: 0, to: 1 }, ease: 'Sine.InOut' });
    for (const [n, { light }] of posts.entries()) {
      const burst = { frame: spark.star, count: 10, speed: 80, life: 1200, gravity: 40, lift: 30 };
      this.#scene.time.delayedCall(n * 220, () => this.#sparks.burst({ x: light.x, y: light.y }, burst));
    }
    for (const person of Object.values(people)) showEmote(this.#scene, person, emote.note);
  }

  lost(): void {
    playSound(this.#scene, 'lose', 0.8);
    playSound(this.#scene, 'dawn', 0.6);
    this.#scene.tweens.add({ targets: this.#light, duration: 1800, day: { from: 0, to: 1 } });
  }

  /** A sound somewhere in the world: softer the farther it is from the player. */
  #heard(name: Parameters<typeof playSound>[1], at: Point, detune = 0): void {
    const volume = Math.max(0, 1 - distance(this.#village.people.player, at) / earshot);
    if (volume > 0.02) playSound(this.#scene, name, volume * (name.startsWith('step') ? 0.35 : 0.8), detune);
  }
}
