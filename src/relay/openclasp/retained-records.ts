import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Of a record, of one that is being written, of one that could not be understood. */
const RECORD = '.json';
const DRAFT = '.tmp';
const DAMAGED = '.damaged';

/**
 * Records that outlive the process, in a folder with a file for each, which nobody else may read (mode 0600). A change replaces one file
 * whole, so a process that is killed in the middle of it leaves the old record or the new one.
 */
export class RetainedRecords {
  readonly #folder: string;
  readonly #log: (sentence: string) => void;
  /** The newest text of a record that waits to be written, by file; `undefined`: the file is to go. */
  readonly #next = new Map<string, string | undefined>();
  readonly #writing = new Map<string, Promise<void>>();

  private constructor(folder: string, log: (sentence: string) => void) {
    this.#folder = folder;
    this.#log = log;
  }

  static async open(folder: string, log: (sentence: string) => void): Promise<RetainedRecords> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new RetainedRecords(folder, log);
  }

  /** What there is. One that cannot be understood is put aside, and the operator is told where; the others count. */
  async read<T>(parse: (text: string) => T): Promise<T[]> {
    const found: T[] = [];
    for (const name of (await readdir(this.#folder)).sort()) {
      const path = join(this.#folder, name);
      // Of a process that was killed before the record counted.
      if (name.endsWith(DRAFT)) await rm(path, { force: true });
      if (!name.endsWith(RECORD)) continue;
      const text = await readFile(path, 'utf8');
      try {
        found.push(parse(text));
      } catch (error) {
        const aside = await putAside(path);
        this.#log(
          `The retained offer in ${path} is damaged (${(error as Error).message}): it is not used and was put aside as ${aside}. A session under it needs a new offer.`,
        );
      }
    }
    return found;
  }

  /** Writes the newest text of a record; one that is overtaken by another while it waits is not written. Resolves when that is on disk. */
  write(id: string, text: string): Promise<void> {
    return this.#change(id, text);
  }

  remove(id: string): Promise<void> {
    return this.#change(id, undefined);
  }

  /** Resolves when everything is on disk, or cannot be. */
  async flushed(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
  }

  #change(id: string, text: string | undefined): Promise<void> {
    // An id may be anything, and some file systems take upper and lower case for the same.
    const path = join(this.#folder, `${createHash('sha256').update(id).digest('hex')}${RECORD}`);
    this.#next.set(path, text);
    const writing = this.#writing.get(path) ?? this.#writeNext(path);
    this.#writing.set(path, writing);
    return writing;
  }

  async #writeNext(path: string): Promise<void> {
    try {
      while (this.#next.has(path)) {
        const text = this.#next.get(path);
        this.#next.delete(path);
        if (text === undefined) await rm(path, { force: true });
        else await replace(path, text);
      }
    } finally {
      // In the same turn as the last look for another text: none may come between and be forgotten.
      this.#writing.delete(path);
    }
  }
}

async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}${DRAFT}`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

async function putAside(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const aside = `${path}${DAMAGED}-${number}`;
    try {
      await (await open(aside, 'wx', 0o600)).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    await rename(path, aside);
    return aside;
  }
}
