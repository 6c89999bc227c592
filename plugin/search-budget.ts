/** How much all searches of a world may look at before the next frame, and what each gets of it at least. Counted, not measured, so that replays agree. */
export const PLACES_PER_FRAME = 2_000;
const LEAST_SHARE = 64;
/** What a search that ends costs on top of what it told. */
const END_COST = 16;

/** Divides the work of searches among the frames, and each frame among the searches. A search tells by `yield` how much it has looked at since. */
export class SearchBudget {
  #left = PLACES_PER_FRAME;
  #searches = 0;

  /** A frame has passed. */
  refill(): void {
    this.#left = PLACES_PER_FRAME;
  }

  /** A search begins. Returns the way to say that it has ended, which may be said twice. */
  enter(): () => void {
    this.#searches++;
    let ended = false;
    return () => {
      if (!ended) this.#searches--;
      ended = true;
    };
  }

  /** Carries the search on. Undefined when its share of this frame is used up. */
  run<T>(search: Generator<number, T>): T | undefined {
    let share = Math.max(LEAST_SHARE, Math.floor(PLACES_PER_FRAME / Math.max(1, this.#searches)));
    while (share > 0 && this.#left > 0) {
      const { done, value } = search.next();
      const cost = done ? END_COST : value;
      share -= cost;
      this.#left -= cost;
      if (done) return value;
    }
    return undefined;
  }
}
