import * as Phaser from 'phaser';
import { type Cast, joinCast } from '../ai/cast.ts';
import { Controls } from '../input/controls.ts';
import type { Options } from '../options.ts';
import { NightRules, type Outcome } from '../rules/night-rules.ts';
import { Notebook } from '../rules/notebook.ts';
import { pick } from '../rules/pick.ts';
import { distance } from '../rules/point.ts';
import type { Driver } from '../ui/badge.ts';
import { Bubbles } from '../ui/bubble.ts';
import { emote, showEmote } from '../ui/emote.ts';
import { readyArt, type Who } from '../world/art.ts';
import { NightLight } from '../world/night-light.ts';
import { Person } from '../world/person.ts';
import { FlaskOnGround, LanternPost } from '../world/props.ts';
import { buildScenery, type Scenery } from '../world/scenery.ts';
import { playNight, playSound } from '../world/sounds.ts';
import { Sparks, spark } from '../world/sparks.ts';
import { isBridge, mapHeight, mapWidth, startOf, thingsOf } from '../world/village-map.ts';
import { pageEvent, registryKey, sceneKey } from './keys.ts';

const playerSpeed = 82;
const flaskCount = 6;
const noticeFrom = 60;
const warnAt = 30_000;

/** What the action key would do now. */
export type Hint = { kind: 'light' | 'take' | 'give'; x: number; y: number; id: string } | undefined;

/** The game itself: the village from dusk to dawn. */
export class NightScene extends Phaser.Scene {
  rules!: NightRules;
  controls!: Controls;
  bubbles!: Bubbles;
  scenery!: Scenery;
  people!: Record<Who, Person>;
  cast!: Cast;
  posts: LanternPost[] = [];
  flasks: FlaskOnGround[] = [];
  readonly notebook = new Notebook();
  /** Told of everything that somebody says. */
  onSpeech: (who: Who, text: string) => void = () => undefined;
  #sparks!: Sparks;
  #light!: NightLight;
  #now = 0;
  #warned = false;
  #over = false;

  constructor() {
    super(sceneKey.night);
  }

  create(): void {
    readyArt(this);
    const options = this.registry.get(registryKey.options) as Options;
    const round = (this.registry.get(registryKey.round) ?? 0) as number;
    this.registry.set(registryKey.round, round + 1);
    const chance = new Phaser.Math.RandomDataGenerator([`${options.seed}/${round}`]);
    const looks = new Phaser.Math.RandomDataGenerator([`${options.seed}/${round}/looks`]);

    this.rules = new NightRules(
      thingsOf('lantern').map(({ name, x, y }) => ({ id: name, x, y })),
      pick(thingsOf('oil'), flaskCount, () => chance.frac()).map(({ name, x, y }) => ({ id: name, x, y })),
    );
    this.#now = 0;
    this.#warned = false;
    this.#over = false;
    this.physics.world.setBounds(0, 0, mapWidth, mapHeight);
    this.scenery = buildScenery(this);
    this.people = { player: this.#person('player'), mira: this.#person('mira'), old_tam: this.#person('old_tam') };
    this.posts = this.rules.lanterns.map((lantern) => new LanternPost(this, lantern));
    this.flasks = this.rules.flasks.map((flask) => new FlaskOnGround(this, flask));
    this.bubbles = new Bubbles(this);
    this.#sparks = new Sparks(this, () => looks.frac());
    this.#light = new NightLight(this, this.posts, this.flasks, Object.values(this.people), () => looks.frac());
    this.#setUpCamera();
    this.controls = new Controls(this, {
      act: () => this.act(),
      chat: () => this.#chat(),
      pause: () => this.pause(),
      mute: () => this.sound.setMute(!this.sound.mute),
    });
    this.#listen();
    this.game.events.emit(pageEvent.nightBegins);
    this.cast = joinCast(this, options.companion);
    playNight(this);
    if (this.scene.manager.keys[sceneKey.hud]) this.scene.launch(sceneKey.hud);
    this.#tell();
  }

  override update(_time: number, ms: number): void {
    this.#now += ms;
    const before = this.rules.ending;
    this.rules.advance(ms);
    if (before === 'running' && this.rules.ending === 'lost') this.#lose();
    if (!this.#warned && this.rules.left < warnAt && this.rules.ending === 'running') this.#warn();
    this.#movePlayer();
    this.#noticePlayer(this.people.old_tam);
    for (const person of Object.values(this.people)) {
      person.carrying = this.rules.carried(person.who) !== undefined;
      if (person.refresh(ms)) this.#footstep(person);
    }
    this.#sparks.update(ms);
    this.bubbles.update(ms, this.cameras.main);
    this.scenery.update(this.#now, this.cameras.main);
    this.#light.update(this.#now, this.rules.progress);
  }

  /** The action key: does what the hint says. */
  act(): void {
    const hint = this.hint();
    if (hint === undefined) {
      playSound(this, 'nope', 0.35);
      const carried = this.rules.carried('player');
      showEmote(this, this.people.player, carried ? emote.waiting : emote.puzzled);
    } else if (hint.kind === 'light') this.light('player', hint.id);
    else if (hint.kind === 'take') this.pickUp('player', hint.id);
    else this.give('player', hint.id as Who);
  }

  hint(): Hint {
    const { player } = this.people;
    const near = (at: { x: number; y: number }, by: number) => distance(player, at) <= by;
    const empty = this.rules.carried('player') === undefined;
    const flask = empty ? this.rules.nearestFlask(player) : undefined;
    if (flask && near(flask, 22)) return { kind: 'take', x: flask.x, y: flask.y - 8, id: flask.id };
    if (empty) return undefined;
    const lantern = this.rules.nearestDarkLantern(player);
    if (lantern && near(lantern, 26)) return { kind: 'light', x: lantern.x, y: lantern.y - 22, id: lantern.id };
    const friend = [this.people.mira, this.people.old_tam].find((one) => near(one, 26) && this.rules.carried(one.who) === undefined);
    return friend && { kind: 'give', x: friend.x, y: friend.y - 20, id: friend.who };
  }

  pickUp(who: Who, id: string): Outcome {
    const person = this.people[who];
    const outcome = this.rules.pickUp(who, person, id);
    if (!outcome.ok) return outcome;
    this.#heard('pick-up', person);
    this.#sparks.burst({ x: person.x, y: person.y - 18 }, { frame: spark.gold, count: 6, speed: 40, life: 400 });
    this.#tell();
    return outcome;
  }

  light(who: Who, id: string): Outcome {
    const outcome = this.rules.light(who, this.people[who], id);
    if (!outcome.ok) return outcome;
    const lantern = this.rules.lanterns.find((one) => one.id === id);
    if (lantern) {
      const flame = { x: lantern.x, y: lantern.y - 10 };
      this.#heard('light', lantern);
      this.#sparks.burst(flame, { frame: spark.ember, count: 14, speed: 60, life: 900, lift: 40, gravity: 60 });
      this.#sparks.burst(flame, { frame: spark.star, count: 6, speed: 90, life: 600 });
      this.#sparks.burst(flame, { frame: spark.ring, count: 1, speed: 0, life: 500, spread: 0, grow: 6 });
    }
    this.cameras.main.shake(160, 0.0025);
    showEmote(this, this.people[who], emote.flame);
    if (this.rules.ending === 'won') this.#win();
    this.#tell();
    return outcome;
  }

  give(from: Who, to: Who): Outcome {
    const outcome = this.rules.give(from, this.people[from], to, this.people[to]);
    if (!outcome.ok) return outcome;
    this.#heard('give', this.people[to]);
    showEmote(this, this.people[to], emote.heart);
    this.#tell();
    return outcome;
  }

  putDown(who: Who): Outcome {
    const outcome = this.rules.putDown(who, this.people[who]);
    if (outcome.ok) this.#heard('step-wood', this.people[who]);
    this.#tell();
    return outcome;
  }

  /** Words over a head; whoever listens hears them. */
  say(who: Who, text: string): void {
    this.bubbles.say(who, this.people[who], text);
    this.#heard('say', this.people[who], who === 'player' ? 0 : who === 'mira' ? 300 : -700);
    this.onSpeech(who, text);
    this.#tell();
  }

  /** Who drives somebody now. */
  driverOf(who: Who): Driver {
    if (who === 'player') return { driver: 'person', mind: '' };
    const { driver, mind } = who === 'mira' ? this.cast.mira : this.cast.tam;
    return { driver, mind };
  }

  pause(): void {
    if (this.#over || this.scene.isPaused()) return;
    this.controls.release();
    playSound(this, 'click', 0.6);
    this.scene.pause();
    this.scene.launch(sceneKey.pause);
  }

  #person(who: Who): Person {
    const person = new Person(this, who, startOf(who));
    this.physics.add.collider(person, this.scenery.walls);
    return person;
  }

  #setUpCamera(): void {
    const camera = this.cameras.main;
    camera.setBounds(0, 0, mapWidth, mapHeight);
    camera.startFollow(this.people.player, true, 0.14, 0.14);
    camera.setBackgroundColor('#1b1428');
    camera.fadeIn(700, 27, 20, 40);
  }

  #listen(): void {
    const resize = () => {
      this.#light.resize();
      // At once: a paused night has no next frame.
      this.#light.update(this.#now, this.rules.progress);
    };
    this.scale.on(Phaser.Scale.Events.RESIZE, resize);
    this.events.once(Phaser.Scenes.Events.SHUTDOWN, () => {
      this.scale.off(Phaser.Scale.Events.RESIZE, resize);
      this.onSpeech = () => undefined;
      this.game.events.emit(pageEvent.nightEnds);
    });
  }

  #chat(): void {
    if (this.rules.ending !== 'running') return;
    this.controls.release();
    this.game.events.emit(pageEvent.chat);
  }

  #movePlayer(): void {
    const { player } = this.people;
    const wish = this.rules.ending === 'running' ? this.controls.wish() : { x: 0, y: 0 };
    player.setVelocity(wish.x * playerSpeed, wish.y * playerSpeed);
  }

  /** Whom nobody drives still looks up when the player comes by. */
  #noticePlayer(person: Person): void {
    const { player } = this.people;
    if (this.driverOf(person.who).driver !== 'none' || distance(player, person) > noticeFrom) return;
    person.turnTo(player.x - person.x, player.y - person.y);
  }

  #footstep(person: Person): void {
    const wood = isBridge(person.x, person.y);
    this.#heard(wood ? 'step-wood' : person.x % 2 < 1 ? 'step-1' : 'step-2', person);
    if (!wood) this.#sparks.burst(person, { frame: spark.dust, count: 1, speed: 12, life: 350, lift: 6, depth: person.y - 1 });
  }

  /** A sound somewhere in the world: softer the farther it is from the player. */
  #heard(name: Parameters<typeof playSound>[1], at: { x: number; y: number }, detune = 0): void {
    const volume = Math.max(0, 1 - distance(this.people.player, at) / 260);
    if (volume > 0.02) playSound(this, name, volume * (name.startsWith('step') ? 0.35 : 0.8), detune);
  }

  #warn(): void {
    this.#warned = true;
    playSound(this, 'warning', 0.7);
    this.cameras.main.shake(200, 0.002);
  }

  #win(): void {
    this.#over = true;
    this.game.events.emit(pageEvent.nightEnds);
    playSound(this, 'win', 0.9);
    this.tweens.add({ targets: this.#light, duration: 2800, day: { from: 0, to: 1 }, ease: 'Sine.InOut' });
    for (const [n, post] of this.posts.entries()) {
      this.time.delayedCall(n * 220, () => {
        this.#sparks.burst(
          { x: post.light.x, y: post.light.y },
          { frame: spark.star, count: 10, speed: 80, life: 1200, gravity: 40, lift: 30 },
        );
      });
    }
    for (const person of Object.values(this.people)) showEmote(this, person, emote.note);
    this.time.delayedCall(3000, () => this.#end());
  }

  #lose(): void {
    this.#over = true;
    this.game.events.emit(pageEvent.nightEnds);
    playSound(this, 'lose', 0.8);
    playSound(this, 'dawn', 0.6);
    this.tweens.add({ targets: this.#light, duration: 1800, day: { from: 0, to: 1 } });
    this.time.delayedCall(2400, () => this.#end());
    this.#tell();
  }

  #end(): void {
    if (this.scene.manager.keys[sceneKey.end]) this.scene.launch(sceneKey.end);
  }

  /** The page around the game may show or test what happened. */
  #tell(): void {
    this.game.events.emit(pageEvent.state);
  }
}
