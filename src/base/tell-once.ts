/** Things told at most: whoever sends something new each time must not fill a log. */
const MOST = 16;

/** Tells each thing once, and only the first few of them. */
export function tellOnce(tell: ((what: string) => void) | undefined): (what: string) => void {
  const told = new Set<string>();
  return (what) => {
    if (told.has(what) || told.size >= MOST) return;
    told.add(what);
    tell?.(what);
  };
}
