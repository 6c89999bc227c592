/** Groups of files that reach each other by imports, types included, each sorted: a folder without cycles has none. */
export function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...imports.keys()].map((file) => [file, reachedFrom(file, imports)]));
  const groups = [...reached.keys()].map((file) =>
    [...reached.keys()].filter((other) => other === file || (reached.get(file)?.has(other) && reached.get(other)?.has(file))).sort(),
  );
  return [...new Map(groups.filter((group) => group.length > 1).map((group) => [group.join(' '), group])).values()];
}

function reachedFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const queue = [...(imports.get(file) ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    queue.push(...(imports.get(next) ?? []));
  }
  return reached;
}
