export type ChangeListener = (changed: ReadonlySet<string>) => void;

/** Tells, at most once a turn of the event loop, which characters have changed. */
export class Changes {
  readonly #listeners = new Set<ChangeListener>();
  #changed = new Set<string>();

  on(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(characterId: string): void {
    if (this.#listeners.size === 0) return;
    this.#changed.add(characterId);
    if (this.#changed.size === 1) queueMicrotask(() => this.#tell());
  }

  #tell(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    for (const listener of this.#listeners) {
      try {
        listener(changed);
      } catch {
        // One listener's mistake is not the others'.
      }
    }
  }
}
