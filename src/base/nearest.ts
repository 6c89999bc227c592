/** The known name closest to a mistyped one, and how far away it is: edits, where letters that changed places count as one. */
export function nearest(wanted: string, known: Iterable<string>): { name: string; distance: number } | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const isPart = wanted !== '' && (name.startsWith(wanted) || wanted.startsWith(name));
    // "walk" means walk_to and not talk, however few letters lie between.
    const distance = isPart ? 0.5 : editDistance(wanted.slice(0, 64), name);
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  return best;
}

/** `: did you mean 'default'?` where a known name is near, else nothing. */
export function didYouMean(wanted: string, known: Iterable<string>): string {
  const near = nearest(wanted, known);
  return near && near.distance <= Math.max(1, wanted.length / 3) ? `: did you mean '${near.name}'?` : '';
}

function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next[j] = Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
