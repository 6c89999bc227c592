import type { Json } from '../src/protocol/index.ts';
import type { Character } from './character.ts';
import { boundsOf, isGameObject, isPlaced, type Rect, type XY } from './compat.ts';
import { Entities, type Entity } from './entities.ts';
import type { Figure } from './squad.ts';
import { Walls } from './walls.ts';

/** What characters without an own kind are listed as. */
const CHARACTER_KIND = 'character';

/** A character that is there now, with what can be seen of it: its body, the units of a squad, or nothing. */
export interface Present extends Character {
  figures(): Figure[];
  /** Whether a unit of that id has lived. */
  hadUnit(id: string): boolean;
}

/** All that sensors may see and tools may target in one run of a scene: declared things, characters with a body, and walls. */
export class Surroundings {
  readonly entities = new Entities();
  readonly walls = new Walls();

  readonly #characters: () => Iterable<Present>;

  constructor(characters: () => Iterable<Present>) {
    this.#characters = characters;
  }

  /** Everything to be seen now, wherever it is; who looks is among it. */
  visible(): Entity[] {
    const embodied = this.#embodied();
    const declared = this.entities.visible();
    const things = declared.filter((entity) => !embodied.has(entity.object));
    const hidden = (object: unknown) => this.entities.isHidden(object);
    const people = [...embodied].filter(([object]) => !hidden(object)).map(([object, figure]) => this.#person(object, figure));
    return [...people, ...things];
  }

  /** The visible thing or character of that id. */
  find(id: string): Entity | undefined {
    for (const [object, figure] of this.#embodied()) {
      if (figure.id === id) return this.entities.isHidden(object) ? undefined : this.#person(object, figure);
    }
    return this.entities.find(id);
  }

  /** The other characters, with or without a body. */
  others(than: Character): Present[] {
    return [...this.#characters()].filter(({ id }) => id !== than.id);
  }

  /** Whether something of that id has been here before. */
  wasHere(id: string): boolean {
    for (const character of this.#characters()) if (character.hadUnit(id)) return true;
    return this.entities.wasHere(id);
  }

  /** Whether one can look from one thing to another. */
  sees(from: XY, looker: unknown, at: Entity): boolean {
    return this.walls.sees(from, at.position(), this.entities.screens(looker, at.object));
  }

  #embodied(): Map<unknown, Figure> {
    const found = new Map<unknown, Figure>();
    for (const character of this.#characters()) for (const figure of character.figures()) found.set(figure.body.object, figure);
    return found;
  }

  /** A character goes by its own id; what it was declared as beside that tells its kind and state. */
  #person(object: unknown, { id, body }: Figure): Entity {
    const declared = this.entities.of(object);
    return {
      id,
      kind: declared?.kind ?? CHARACTER_KIND,
      object,
      position: () => body.position(),
      bounds: () => body.bounds?.() ?? pointOrPicture(object, body.position()),
      state: (): Json | undefined => declared?.state(),
    };
  }
}

function pointOrPicture(object: unknown, at: XY): Rect {
  return isGameObject(object) && isPlaced(object) ? boundsOf(object) : { ...at, width: 0, height: 0 };
}
