/** Older notes than these are gone, and no note is longer than this. */
const most = 8;
const longest = 120;

/** What the player keeps for themselves. It outlives the night. */
export class Notebook {
  readonly #notes: string[] = [];

  get notes(): readonly string[] {
    return this.#notes;
  }

  write(text: string): void {
    this.#notes.push(text.slice(0, longest));
    if (this.#notes.length > most) this.#notes.shift();
  }
}

/** The note in a line that begins with `#`; undefined: the line is meant to be said. */
export function noteIn(line: string): string | undefined {
  const [, note] = /^\s*#\s*(.*?)\s*$/s.exec(line) ?? [];
  return note;
}
