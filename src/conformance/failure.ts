/** A rule is broken; the message says how. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** A case finds that it cannot be decided here; the message says why. */
export class NotJudged extends Error {
  override readonly name = 'NotJudged';
}

export function fail(how: string): never {
  throw new Failure(how);
}

export function check(holds: boolean, how: string): asserts holds {
  if (!holds) fail(how);
}

/** Deep equality of JSON, whatever the order of members. */
function same(actual: unknown, expected: unknown): boolean {
  return canonical(actual) === canonical(expected);
}

export function checkSame(actual: unknown, expected: unknown, what: string): void {
  check(same(actual, expected), `${what} is ${show(actual)}, not ${show(expected)}`);
}

/** A value for a person to read, not too long. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
