import * as Phaser from 'phaser';
import { checkOptions } from '../src/base/check-options.ts';
import type { Body } from './bodies/index.ts';
import type { Character, CharacterOptions } from './character.ts';
import type { GameObject } from './compat.ts';
import type { Entity, EntityOptions } from './entities.ts';
import { SceneRun } from './scene-run.ts';
import type { Surroundings } from './surroundings.ts';
import type { MapOptions } from './walls.ts';
import { findWorld, type World } from './world.ts';

/** What a scene says about itself. All of it lasts for one run: a shutdown undoes it, so say it in `create()`. */
export interface SceneAicc {
  /** By which name agents find the game: `aicc({ world })`, or `forest-2` where another tab is `forest` at the relay already. */
  readonly world: string;
  /**
   * What sensors may see and tools may target, with stable ids. Groups and arrays are followed live; what is destroyed or put back into a pool leaves.
   * @throws TypeError for something that has no place in the world, or no kind
   */
  entities<T extends GameObject>(from: T | readonly T[] | Phaser.GameObjects.Group, as: EntityOptions<T>): void;
  /**
   * Where one cannot walk or see through: a tilemap layer, or a function of a place in world pixels. Several maps add up. Of a layer, the tiles that
   * collide are walls, read anew at each look; all tiles are while the layer never had any collision set. A tile that collides on some sides only
   * stops walkers from those sides and hides nothing.
   * @throws TypeError for anything else, and for isometric, staggered and hexagonal layers
   */
  map(walls: Phaser.Tilemaps.TilemapLayer | ((x: number, y: number) => boolean), options?: MapOptions): void;
  /**
   * Declares a character that agents can drive. `null` is a role without a body. A group is a squad: its living members are the units, each call
   * names one, and every life has a new unit id. The same id again, in this run or after a restart, is the same character with its sessions.
   * @throws TypeError for a wrong id, body, description or tools
   */
  character(id: string, body: GameObject | Phaser.GameObjects.Group | Body | null, options: CharacterOptions): Character;
  /** Event mode: moves the world on by one tick now. In every mode the characters' agents are told: `state_change {kind}`. */
  trigger(kind: string): void;
  /** A condition that contracts may name holds now, or no longer: it ends the sessions whose contract says so. */
  condition(name: string, holds?: boolean): void;
  /** The visible thing or character of that id, for tools of your own. */
  find(id: string): Entity | undefined;
}

/** Systems' states from which on a scene is over. */
const SHUTDOWN = 8;

const plugins = new WeakMap<Phaser.Scene, AiccScenePlugin>();

/** `this.aicc` of a scene. Phaser keeps one instance through all restarts. */
export class AiccScenePlugin extends Phaser.Plugins.ScenePlugin implements SceneAicc {
  #run: SceneRun | undefined;

  override boot(): void {
    const { scene, systems } = this;
    // Phaser gives scene plugins to a hidden scene of its own, too.
    if (!scene || !systems || systems.settings.key === '__SYSTEM') return;
    plugins.set(scene, this);
    systems.events.on('shutdown', this.#endRun, this);
    for (const event of ['pause', 'resume', 'sleep', 'wake']) systems.events.on(event, this.#pauseChanged, this);
    // Phaser never calls a scene plugin's destroy().
    systems.events.once('destroy', this.destroy, this);
  }

  get world(): string {
    return this.#world?.name ?? '';
  }

  entities<T extends GameObject>(from: T | readonly T[] | Phaser.GameObjects.Group, as: EntityOptions<T>): void {
    this.#current('entities').surroundings.entities.add(from, as);
  }

  map(walls: Phaser.Tilemaps.TilemapLayer | ((x: number, y: number) => boolean), options: MapOptions = {}): void {
    const run = this.#current('map');
    checkOptions('map(walls, options)', options, { cell: 'positive', bounds: 'object', seeThrough: 'boolean' });
    run.surroundings.walls.add(walls, options, run.bounds);
  }

  character(id: string, body: GameObject | Phaser.GameObjects.Group | Body | null, options: CharacterOptions): Character {
    return this.#current('character').character(id, body, options);
  }

  trigger(kind: string): void {
    if (typeof kind !== 'string' || kind === '') throw new TypeError("trigger(kind): kind must say what happens, like 'dawn'");
    this.#world?.trigger(kind);
  }

  condition(name: string, holds = true): void {
    if (typeof name !== 'string' || name === '')
      throw new TypeError("condition(name): name must be a contract's condition, like 'quest_done'");
    this.#world?.bridge?.condition(name, holds);
  }

  find(id: string): Entity | undefined {
    return this.#run?.surroundings.find(id);
  }

  /** For the kit: what the scene has declared. */
  get surroundings(): Surroundings {
    return this.#current('surroundings').surroundings;
  }

  /** For the kit: tells it whenever the scene's time begins to stand still, in which no frame comes. @returns the way to hear no more of it */
  whenPaused(told: () => void): () => void {
    return this.#current('whenPaused').whenPaused(told);
  }

  override destroy(): void {
    this.#endRun();
    if (this.scene) plugins.delete(this.scene);
    super.destroy();
  }

  #current(asked: string): SceneRun {
    if (this.#run) return this.#run;
    const { scene } = this;
    const world = this.#world;
    if (!scene || !world || scene.sys.settings.status >= SHUTDOWN) {
      throw new Error(
        `aicc.${asked}(): scene '${scene?.sys.settings.key ?? ''}' is not running; call it in create() or later, before the scene ends`,
      );
    }
    this.#run = new SceneRun(world, scene);
    return this.#run;
  }

  get #world(): World | undefined {
    const game = this.scene?.sys?.game as Phaser.Game | undefined;
    return game && findWorld(game);
  }

  #endRun(): void {
    this.#run?.end();
    this.#run = undefined;
  }

  #pauseChanged(): void {
    this.#run?.pauseChanged();
  }
}

/**
 * A scene's AI half, the same as `this.aicc`.
 * @throws Error when the plugin is not installed in the scene's game, or the scene is not in a game yet; the message says what to do
 */
export function aiccOf(scene: Phaser.Scene): SceneAicc {
  return scenePluginOf(scene);
}

export function scenePluginOf(scene: Phaser.Scene): AiccScenePlugin {
  const game = scene?.sys?.game as Phaser.Game | undefined;
  if (!game) throw new Error('aiccOf(scene): the scene is not part of a running game (yet); call it in create() or later');
  const known = plugins.get(scene);
  if (known) return known;
  if (!findWorld(game)) {
    throw new Error(
      "aiccOf(scene): the aicc plugin is not installed in this game; put `plugins: { global: [aicc({ world: 'my_world' })] }` into the game config " +
        "(with Phaser.HEADLESS, which forgets global plugins: `callbacks: { preBoot: aicc({ world: 'my_world' }).preBoot }`)",
    );
  }
  // The plugin was installed after this scene had been made.
  const made = new AiccScenePlugin(scene, game.plugins, 'aicc');
  made.boot();
  return made;
}
