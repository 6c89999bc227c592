import canonicalize from 'canonicalize';

/**
 * Canonical JSON (RFC 8785), what is hashed and signed (T1).
 * @param value plain JSON
 * @throws {TypeError} for what has no canonical form: half of a surrogate pair, a number that is not finite
 */
export function canonicalJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (error) {
    throw new TypeError(`this has no canonical JSON: ${(error as Error).message}`);
  }
  if (text === undefined) throw new TypeError('this has no canonical JSON: it is not JSON');
  return text;
}
