import type { Json } from '../src/base/json.ts';
import type { Character } from './character.ts';
import { boundsOf, isGameObject, isPlaced, nearestPoint, type Rect, type XY } from './compat.ts';
import { Entities, type Entity } from './entities.ts';
import type { Ids } from './ids.ts';
import type { SearchBudget } from './search-budget.ts';
import type { Figure } from './squad.ts';
import { Walls } from './walls.ts';

/** What characters without an own kind are listed as. */
const CHARACTER_KIND = 'character';

/** A character that is there now, with what can be seen of it: its body, the units of a squad, or nothing. */
export interface Present extends Character {
  figures(): Figure[];
}

/** All that sensors may see and tools may target in one run of a scene: declared things, characters with a body, and walls. */
export class Surroundings {
  readonly entities: Entities;
  readonly walls = new Walls();

  readonly #characters: () => Iterable<Present>;

  /** What the searches of all the world's calls may look at. */
  readonly searches: SearchBudget;
  readonly #ids: Ids;

  constructor(
    characters: () => Iterable<Present>,
    world: { searches: SearchBudget; ids: Ids; taken: (id: string, object: unknown) => boolean },
  ) {
    this.#characters = characters;
    this.searches = world.searches;
    this.#ids = world.ids;
    this.entities = new Entities(world.taken);
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

  /** Whether something of that id is here, but hidden. */
  isHidden(id: string): boolean {
    for (const [object, figure] of this.#embodied()) if (figure.id === id) return this.entities.isHidden(object);
    return this.entities.has(id) && !this.entities.find(id);
  }

  /** Whether something of that id has been here, and is no more. */
  wasHere(id: string): boolean {
    return this.#ids.hadUnit(id) || this.#ids.hadCharacter(id) || this.entities.wasHere(id);
  }

  /** Whether one can look from one place to a thing: to its middle, to the point nearest to the eye, or to a corner of something large. */
  sees(from: XY, looker: unknown, at: Entity): boolean {
    const middle = at.position();
    const bounds = at.bounds();
    const screens = this.entities.screens(looker, at.object);
    if (this.walls.sees(from, middle, screens)) return true;
    // A point inside a wall is no part of it that shows.
    return pointsOf(bounds, from, this.walls.grid.cell).some((point) => !this.walls.hides(point) && this.walls.sees(from, point, screens));
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

/** Where something can show, beside its middle. */
function pointsOf(bounds: Rect, from: XY, cell: number): XY[] {
  const nearest = nearestPoint(bounds, from);
  if (bounds.width <= cell && bounds.height <= cell) return [nearest];
  // Just inside, for its very edge lies in the wall that it leans on.
  const [left, right] = [bounds.x + Math.min(1, bounds.width / 2), bounds.x + bounds.width - Math.min(1, bounds.width / 2)];
  const [top, bottom] = [bounds.y + Math.min(1, bounds.height / 2), bounds.y + bounds.height - Math.min(1, bounds.height / 2)];
  return [nearest, { x: left, y: top }, { x: right, y: top }, { x: left, y: bottom }, { x: right, y: bottom }];
}
