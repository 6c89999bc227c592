import type { Refusal } from '../bridge/agent-port.ts';
import { AiccError, type CharacterInfo, type WorldKind } from '../protocol/index.ts';
import type { GameLink, LinkRegistry } from './game-link.ts';

/** One world as `/worlds` lists it. */
export interface WorldInfo {
  world: string;
  kind: WorldKind;
  characters: CharacterInfo[];
}

/** Names that one error message lists at most. */
const LISTED = 32;

/** The games that are connected, by the names that agents find them by, and the way from a request to one of them (AICC B4). */
export class Worlds implements LinkRegistry {
  readonly #links = new Map<string, GameLink>();
  readonly #listeners = new Set<() => void>();

  /** C6: the same instance's new link replaces its old one; another instance of the same name gets `name-2`. */
  join(link: GameLink): string {
    const name = this.#replace(link) ?? this.#freeName(link.world);
    this.#links.set(name, link);
    this.changed();
    return name;
  }

  leave(link: GameLink): void {
    for (const [name, other] of this.#links) if (other === link) this.#links.delete(name);
    this.changed();
  }

  changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get size(): number {
    return this.#links.size;
  }

  /** @param characters only these, where a token is for some characters alone */
  list(characters?: readonly string[]): WorldInfo[] {
    return [...this.#links].map(([world, link]) => ({
      world,
      kind: link.kind,
      characters: link.characters.filter(({ id }) => characters === undefined || characters.includes(id)),
    }));
  }

  /** The game to ask. With several and none named: the one that has the character. */
  find(world: string | undefined, character: string | undefined): GameLink | Refusal {
    const names = [...this.#links.keys()];
    if (names.length === 0) return absent('No game is connected: open its page, then try again.');
    if (world !== undefined) return this.#links.get(world) ?? absent(`There is no world ${quote(world)}: there is ${list(names)}.`);
    if (names.length === 1) return this.#links.get(names[0] as string) as GameLink;
    if (character === undefined) return ambiguous(`Several worlds are connected: name one of ${list(names)}.`);
    const having = [...this.#links].filter(([, link]) => link.characters.some(({ id }) => id === character));
    const [only] = having;
    if (only === undefined) return absent(`No world has a character ${quote(character)}: there is ${list(this.#characterNames())}.`);
    return having.length === 1
      ? only[1]
      : ambiguous(`Several worlds have ${quote(character)}: name one of ${list(having.map(([name]) => name))}.`);
  }

  #replace(link: GameLink): string | undefined {
    for (const [name, other] of this.#links) {
      if (other.instance !== link.instance) continue;
      this.#links.delete(name);
      other.close(4001, 'Replaced by a new link of the same game.');
      return name;
    }
    return undefined;
  }

  #freeName(world: string): string {
    let name = world;
    for (let number = 2; this.#links.has(name); number++) name = `${world}-${number}`;
    return name;
  }

  #characterNames(): string[] {
    return [...this.#links].flatMap(([world, link]) => link.characters.map(({ id }) => `${world}/${id}`));
  }
}

const quote = (name: string): string => JSON.stringify(name.slice(0, 100));

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  return names.slice(0, LISTED).map(quote).join(', ') + more;
}

const absent = (message: string): Refusal => ({ error: new AiccError('tool_unavailable', message), absent: true });
const ambiguous = (message: string): Refusal => ({ error: new AiccError('tool_unavailable', message), absent: false });
