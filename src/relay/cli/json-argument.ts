import { isObject, type JsonObject } from '../../base/json.ts';
import { flawOf } from '../../base/json-flaw.ts';
import { LIMITS } from '../../protocol/index.ts';
import { UsageError } from './io.ts';

/**
 * A JSON object as a person typed it.
 * @param what names it in an error: `the input`
 * @param example of a right one
 * @throws {UsageError}
 */
export function jsonArgument(text: string, what: string, example: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${(error as Error).message}`);
  }
  const flaw = flawOf(value, LIMITS.messageDepth, 'it');
  if (flaw !== undefined) throw new UsageError(`${what}: ${flaw}`);
  if (!isObject(value)) throw new UsageError(`${what} must be a JSON object, like '${example}'`);
  return value;
}
