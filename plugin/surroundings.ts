import type { Json } from '../src/protocol/index.ts';
import type { Character } from './character.ts';
import { boundsOf, isGameObject, isPlaced, type Rect, type XY } from './compat.ts';
import { Entities, type Entity } from './entities.ts';
import { Walls } from './walls.ts';

/** What characters without an own kind are listed as. */
const CHARACTER_KIND = 'character';

/** All that sensors may see and tools may target in one run of a scene: declared things, characters with a body, and walls. */
export class Surroundings {
  readonly entities = new Entities();
  readonly walls = new Walls();

  constructor(private readonly characters: () => Iterable<Character>) {}

  /** Everything to be seen now, wherever it is; who looks is among it. */
  visible(): Entity[] {
    const embodied = this.embodied();
    const declared = this.entities.visible();
    const things = declared.filter((entity) => !embodied.has(entity.object));
    const hidden = (object: unknown) => this.entities.isHidden(object);
    const people = [...embodied].filter(([object]) => !hidden(object)).map(([object, character]) => this.person(object, character));
    return [...people, ...things];
  }

  /** The visible thing or character of that id. */
  find(id: string): Entity | undefined {
    for (const [object, character] of this.embodied()) {
      if (character.id === id) return this.entities.isHidden(object) ? undefined : this.person(object, character);
    }
    return this.entities.find(id);
  }

  /** The other characters, with or without a body. */
  others(than: Character): Character[] {
    return [...this.characters()].filter((character) => character !== than);
  }

  /** Whether something of that id has been here before. */
  wasHere(id: string): boolean {
    return this.entities.wasHere(id);
  }

  /** Whether one can look from one thing to another. */
  sees(from: XY, looker: unknown, at: Entity): boolean {
    return this.walls.sees(from, at.position(), this.entities.screens(looker, at.object));
  }

  private embodied(): Map<unknown, Character> {
    const found = new Map<unknown, Character>();
    for (const character of this.characters()) if (character.body) found.set(character.body.object, character);
    return found;
  }

  /** A character goes by its own id; what it was declared as beside that tells its kind and state. */
  private person(object: unknown, character: Character): Entity {
    const body = character.body!;
    const declared = this.entities.of(object);
    return {
      id: character.id,
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
