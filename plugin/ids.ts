/** So many ids of characters that are gone are remembered, to tell "gone" from "never was". */
const REMEMBERED = 256;

/** The ids of one world's characters and units; the ids of its things keep clear of them. Ids of units never come back (AICC D10). */
export class Ids {
  readonly #units = new Map<string, number>();
  /** Numbers that something else bore already. */
  readonly #skipped = new Set<string>();
  readonly #characters = new Set<string>();

  /** @param taken whether something else bears it, or has borne it */
  newUnit(characterId: string, taken: (id: string) => boolean): string {
    for (let count = (this.#units.get(characterId) ?? 0) + 1; ; count++) {
      const id = `${characterId}_${count}`;
      this.#units.set(characterId, count);
      if (!taken(id)) return id;
      this.#skipped.add(id);
    }
  }

  hadUnit(id: string): boolean {
    const { stem, number } = numbered(id);
    return number <= (this.#units.get(stem) ?? 0) && !this.#skipped.has(id);
  }

  meetCharacter(id: string): void {
    this.#characters.delete(id);
    this.#characters.add(id);
    if (this.#characters.size > REMEMBERED) this.#characters.delete(this.#characters.values().next().value!);
  }

  hadCharacter(id: string): boolean {
    return this.#characters.has(id);
  }
}

/** The parts of an id like `coin_12`; the number is Infinity where there is none that we give. */
export function numbered(id: string): { stem: string; number: number } {
  const [, stem, number] = /^(.*)_([1-9]\d*)$/.exec(id) ?? [];
  return stem === undefined ? { stem: id, number: Number.POSITIVE_INFINITY } : { stem, number: Number(number) };
}
