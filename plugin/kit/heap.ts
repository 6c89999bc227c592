/** A queue of numbers, the one with the least rank first. */
export class Heap {
  readonly #ranks: number[] = [];
  readonly #items: number[] = [];

  push(rank: number, item: number): void {
    const ranks = this.#ranks;
    const items = this.#items;
    let at = ranks.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (ranks[parent]! <= rank) break;
      ranks[at] = ranks[parent]!;
      items[at] = items[parent]!;
      at = parent;
    }
    ranks[at] = rank;
    items[at] = item;
  }

  pop(): number | undefined {
    const ranks = this.#ranks;
    const items = this.#items;
    const first = items[0];
    const rank = ranks.pop();
    const item = items.pop();
    const size = ranks.length;
    if (rank === undefined || item === undefined || size === 0) return first;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && ranks[child + 1]! < ranks[child]!) child++;
      if (ranks[child]! >= rank) break;
      ranks[at] = ranks[child]!;
      items[at] = items[child]!;
      at = child;
    }
    ranks[at] = rank;
    items[at] = item;
    return first;
  }
}
