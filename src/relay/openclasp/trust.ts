import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { KeyRegistry } from '../../contract/node.ts';
import { RelayError } from '../relay-error.ts';
import { OPENCLASP_LIMITS } from './openclasp-limits.ts';

/** The registry of keys as its file says now. */
export class Trust {
  #keys: KeyRegistry;
  readonly #file: string | undefined;
  readonly #log: (sentence: string) => void;
  #changed: () => void = () => {};

  private constructor(keys: KeyRegistry, file: string | undefined, log: (sentence: string) => void) {
    this.#keys = keys;
    this.#file = file;
    this.#log = log;
  }

  /** @throws {RelayError} `bad_trust_file` */
  static async load(file: string | undefined, log: (sentence: string) => void): Promise<Trust> {
    return new Trust(file === undefined ? KeyRegistry.empty : await readRegistry(file), file, log);
  }

  get keys(): KeyRegistry {
    return this.#keys;
  }

  /** Calls back when other keys count; returns the way to stop looking. */
  watch(changed: () => void): () => void {
    const file = this.#file;
    this.#changed = changed;
    if (file === undefined) return () => {};
    const look = () => void this.reload();
    watchFile(file, { interval: OPENCLASP_LIMITS.trustPollMs, persistent: false }, look);
    return () => unwatchFile(file, look);
  }

  /** Reads the file again. One that cannot be read leaves the keys as they were. */
  async reload(): Promise<void> {
    if (this.#file === undefined) return;
    try {
      this.#keys = await readRegistry(this.#file);
    } catch (error) {
      this.#log(`${(error as Error).message} The keys stay as they were.`);
      return;
    }
    this.#changed();
  }
}

/** @throws {RelayError} `bad_trust_file` */
export async function readRegistry(file: string): Promise<KeyRegistry> {
  try {
    return KeyRegistry.read(await readFile(file, 'utf8'));
  } catch (error) {
    throw new RelayError('bad_trust_file', `The registry of keys ${file} cannot be used: ${(error as Error).message}.`);
  }
}
