import { open, readFile, rename, rm } from 'node:fs/promises';

/** A file that is replaced whole, so that a crash leaves the old one or the new one, and that nobody else may read (mode 0600). */
export class RetainedFile {
  readonly #path: string;
  readonly #log: (sentence: string) => void;
  #next: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(path: string, log: (sentence: string) => void) {
    this.#path = path;
    this.#log = log;
  }

  /** What is in it; undefined: there is none. One that cannot be understood is put aside, and the operator is told where. */
  async read<T>(parse: (text: string) => T): Promise<T | undefined> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      return parse(text);
    } catch (error) {
      const aside = await this.#putAside();
      this.#log(
        `The retained offers in ${this.#path} are damaged (${(error as Error).message}): they are not used and were put aside as ${aside}. Sessions under them need new offers.`,
      );
      return undefined;
    }
  }

  /** Writes the newest text; one that is overtaken by another while it waits is not written. */
  write(text: string): Promise<void> {
    this.#next = text;
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async flushed(): Promise<void> {
    await this.#writing?.catch(() => {});
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#next !== undefined) {
        const text = this.#next;
        this.#next = undefined;
        await this.#replace(text);
      }
    } finally {
      // In the same turn as the last look for another text: none may come between and be forgotten.
      this.#writing = undefined;
    }
  }

  async #replace(text: string): Promise<void> {
    const draft = `${this.#path}.${process.pid}.tmp`;
    await rm(draft, { force: true });
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.#path);
  }

  async #putAside(): Promise<string> {
    for (let number = 1; ; number++) {
      const aside = `${this.#path}.damaged-${number}`;
      try {
        await (await open(aside, 'wx', 0o600)).close();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
        throw error;
      }
      await rename(this.#path, aside);
      return aside;
    }
  }
}
