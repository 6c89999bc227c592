/** The names of functions that a parsed tree calls: actions, conditions, guards and callbacks, at any depth. */
export function calledNames(definition: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(definition)) {
    for (const each of definition) calledNames(each, found);
  } else if (typeof definition === 'object' && definition !== null) {
    for (const [key, value] of Object.entries(definition)) {
      if (key === 'call' && typeof value === 'string') found.add(value);
      else if (key !== 'args') calledNames(value, found);
    }
  }
  return found;
}
