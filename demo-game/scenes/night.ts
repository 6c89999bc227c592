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
import { readyArt, type Who } from '../world/art.ts';
import { Person } from '../world/person.ts';
import { FlaskOnGround, LanternPost } from '../world/props.ts';
import { buildScenery, type Scenery } from '../world/scenery.ts';
import { playNight, playSound } from '../world/sounds.ts';
import { mapHeight, mapWidth, startOf, thingsOf } from '../world/village-map.ts';
import { pageEvent, registryKey, sceneKey } from './keys.ts';
import { NightEffects } from './night-effects.ts';

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
  #effects!: NightEffects;
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
    this.#effects = new NightEffects(this, this, () => looks.frac());
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
    if (!this.#warned && this.rules.left < warnAt && this.rules.ending === 'running') {
      this.#warned = true;
      this.#effects.warning();
    }
    this.#movePlayer();
    this.#noticePlayer(this.people.old_tam);
    for (const person of Object.values(this.people)) {
      person.carrying = this.rules.carried(person.who) !== undefined;
      if (person.refresh(ms)) this.#effects.footstep(person);
    }
    this.#effects.updateSparks(ms);
    this.bubbles.update(ms, this.cameras.main);
    this.scenery.update(this.#now, this.cameras.main);
    this.#effects.updateLight(this.#now, this.rules.progress);
  }

  /** The action key: does what the hint says. */
  act(): void {
    const hint = this.hint();
    if (hint === undefined) this.#effects.puzzled(this.rules.carried('player') !== undefined);
    else if (hint.kind === 'light') this.light('player', hint.id);
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
    this.#effects.pickedUp(person);
    this.#tell();
    return outcome;
  }

  light(who: Who, id: string): Outcome {
    const outcome = this.rules.light(who, this.people[who], id);
    if (!outcome.ok) return outcome;
    this.#effects.lit(
      this.rules.lanterns.find((one) => one.id === id),
      this.people[who],
    );
    if (this.rules.ending === 'won') this.#win();
    this.#tell();
    return outcome;
  }

  give(from: Who, to: Who): Outcome {
    const outcome = this.rules.give(from, this.people[from], to, this.people[to]);
    if (!outcome.ok) return outcome;
    this.#effects.given(this.people[to]);
    this.#tell();
    return outcome;
  }

  putDown(who: Who): Outcome {
    const outcome = this.rules.putDown(who, this.people[who]);
    if (outcome.ok) this.#effects.putDown(this.people[who]);
    this.#tell();
    return outcome;
  }

  /** Words over a head; whoever listens hears them. */
  say(who: Who, text: string): void {
    this.bubbles.say(who, this.people[who], text);
    this.#effects.spoke(this.people[who]);
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
      this.#effects.resize();
      // At once: a paused night has no next frame.
      this.#effects.updateLight(this.#now, this.rules.progress);
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

  #win(): void {
    this.#over = true;
    this.game.events.emit(pageEvent.nightEnds);
    this.#effects.won();
    this.time.delayedCall(3000, () => this.#end());
  }

  #lose(): void {
    this.#over = true;
    this.game.events.emit(pageEvent.nightEnds);
    this.#effects.lost();
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
