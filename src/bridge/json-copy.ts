import type { Json, JsonObject } from '../protocol/index.ts';

/** Says where a value is not JSON and why. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/**
 * A deep copy of what a handler returned, so that it cannot change after it was checked. Members that are `undefined` are left out,
 * as JSON does; everything else that JSON would drop, alter or choke on is refused.
 * @param depth how deep in the message the value will stand
 * @throws NotJson naming the JSON pointer: a cycle (by depth), NaN, BigInt, a function, a class without `toJSON` …
 */
export function jsonCopy(value: unknown, maxDepth: number, depth = 1, pointer = ''): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new NotJson(`${pointer || 'it'} is ${value}`);
  }
  if (typeof value !== 'object') throw new NotJson(`${pointer || 'it'} is a ${typeof value}`);
  if (depth > maxDepth) throw new NotJson(`it nests deeper than ${maxDepth} levels or is cyclic`);
  if (Array.isArray(value)) return value.map((item, index) => jsonCopy(item ?? null, maxDepth, depth + 1, `${pointer}/${index}`));
  if ('toJSON' in value && typeof value.toJSON === 'function') return jsonCopy(value.toJSON(), maxDepth, depth, pointer);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new NotJson(`${pointer || 'it'} is a ${value.constructor?.name ?? 'class instance'}`);
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const item = jsonCopy(member, maxDepth, depth + 1, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    // A plain assignment to this name would set the prototype instead.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true });
    else copy[key] = item;
  }
  return copy;
}
