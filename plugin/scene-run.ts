import type * as Phaser from 'phaser';
import { shown } from '../src/base/check-options.ts';
import { type Body, bodyOf } from './bodies/index.ts';
import { BoundCharacter, type Character, type CharacterOptions } from './character.ts';
import { isDestroyed, isGameObject, isGroup, isPlaced, type Rect } from './compat.ts';
import { freezeScene } from './frozen-scene.ts';
import { Surroundings } from './surroundings.ts';
import type { World } from './world.ts';

/** What one run of a scene, from its start to its shutdown, has declared. Its end undoes it all. */
export class SceneRun {
  readonly scene: Phaser.Scene;
  readonly surroundings: Surroundings;
  readonly #world: World;
  readonly #characters = new Map<string, BoundCharacter>();
  /** Looked at after the frame, for who gives a character its next body may take the last one away a moment later. */
  readonly #replaced: [BoundCharacter, Phaser.Scene][] = [];
  readonly #whenPaused = new Set<() => void>();
  readonly #release: () => void;

  constructor(world: World, scene: Phaser.Scene) {
    this.#world = world;
    this.scene = scene;
    this.surroundings = new Surroundings(() => this.#present(), {
      searches: world.searches,
      ids: world.ids,
      taken: (id, object) => this.#isTaken(id, object),
    });
    scene.sys.events.on('preupdate', this.#moveBodies, this);
    this.#release = world.freezes ? freezeScene(scene, world) : () => undefined;
    world.runs.add(this);
  }

  get bridge() {
    return this.#world.bridge;
  }

  /** Whether the scene's time stands still (AICC E6). */
  get paused(): boolean {
    const { sys } = this.scene;
    return this.#world.gamePaused || sys.isPaused() || sys.isSleeping();
  }

  /** Where one can be in the scene, unless a map says it better. */
  get bounds(): Rect {
    const world = (this.scene.physics as Partial<Phaser.Physics.Arcade.ArcadePhysics> | undefined)?.world;
    if (world?.bounds) return { x: world.bounds.x, y: world.bounds.y, width: world.bounds.width, height: world.bounds.height };
    return { x: 0, y: 0, width: this.scene.scale.width, height: this.scene.scale.height };
  }

  /** @throws TypeError for a body that cannot be one, a wrong id or wrong tools */
  character(id: string, body: unknown, options: CharacterOptions): Character {
    const made = toBody(id, body);
    if (options === undefined || options === null)
      throw new TypeError(
        `character('${id}', body, options): the options are missing; give { description: 'who it is', tools: [vision(), moveTo()] }`,
      );
    if (this.#world.ids.hadUnit(id)) throw new TypeError(`character('${id}', body): a unit of a squad bears that id; choose another`);
    // Declared again: the later one is the character, and the earlier handle does nothing any more.
    for (const run of this.#world.runs) {
      const earlier = run.#characters.get(id);
      if (earlier?.present) this.#replaced.push([earlier, run.scene]);
      earlier?.end('declared again');
    }
    const character = new BoundCharacter(this, id, made, options);
    this.#characters.set(id, character);
    if (character.body) this.#world.ids.meetCharacter(id);
    return character;
  }

  forget(character: BoundCharacter): void {
    if (this.#characters.get(character.id) === character) this.#characters.delete(character.id);
  }

  /** After each frame of the game. */
  watch(): void {
    this.surroundings.walls.sync();
    this.surroundings.entities.sync();
    for (const character of this.#characters.values()) character.watch();
    const { declaredTwice } = this.#world;
    for (const [earlier, { sys }] of this.#replaced.splice(0)) {
      const { id } = earlier;
      const later = this.#characters.get(id);
      if (!later || declaredTwice.has(id) || !sys.isActive() || sys.isTransitionOut() || !earlier.livesBeside(later)) continue;
      declaredTwice.add(id);
      this.log(`aicc: character '${id}' was declared again while it lived: the first one is gone; give each its own id`);
    }
  }

  /** Tells it whenever the scene's time begins to stand still. @returns the way to hear no more of it */
  whenPaused(told: () => void): () => void {
    this.#whenPaused.add(told);
    return () => void this.#whenPaused.delete(told);
  }

  pauseChanged(): void {
    if (this.paused) for (const told of [...this.#whenPaused]) told();
    for (const character of this.#characters.values()) character.setPaused(this.paused);
  }

  end(): void {
    this.scene.sys.events?.off('preupdate', this.#moveBodies, this);
    this.#release();
    this.#world.runs.delete(this);
    for (const character of [...this.#characters.values()]) character.end();
  }

  log(message: string): void {
    this.#world.log(message);
  }

  newUnitId(characterId: string, object: unknown): string {
    return this.#world.newUnitId(characterId, object);
  }

  hasCharacter(id: string): boolean {
    return this.#characters.has(id);
  }

  /** Tells all its characters that the game has moved the world. */
  tellTrigger(kind: string): void {
    for (const character of this.#characters.values()) character.emit('state_change', { kind });
  }

  /** Whether something else than that object bears the id in this world, so that a thing must have another. */
  #isTaken(id: string, object: unknown): boolean {
    if (this.#world.ids.hadUnit(id)) return true;
    for (const run of this.#world.runs) {
      const character = run.#characters.get(id);
      if (character && character.body?.object !== object) return true;
      if (run !== this && run.surroundings.entities.has(id)) return true;
    }
    return false;
  }

  *#present(): Generator<BoundCharacter> {
    for (const character of this.#characters.values()) if (character.present) yield character;
  }

  #moveBodies(_time: number, ms: number): void {
    for (const character of this.#characters.values()) character.moveBodies(ms);
  }
}

function toBody(id: string, body: unknown): Body | Phaser.GameObjects.Group | null {
  if (body === null || isGroup(body)) return body;
  if (isGameObject(body) && isDestroyed(body))
    throw new TypeError(`character('${id}', body): this body has been destroyed; give one that lives`);
  if (isGameObject(body) && isPlaced(body)) return bodyOf(body);
  if (typeof (body as Partial<Body> | undefined)?.position === 'function') return body as Body;
  throw new TypeError(
    `character('${id}', body): the body must be a game object with x and y, a group of them, an object with position(), or null for a role without one, not ${shown(body)}`,
  );
}
