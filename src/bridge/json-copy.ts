import { type Json, type JsonObject, LIMITS } from '../protocol/index.ts';

/** Says where a value is not JSON and why. */
export class NotJson extends TypeError {
  override readonly name = 'NotJson';
}

/**
 * A deep copy of what a game's code handed over, so that it cannot change after it was checked. Members that are `undefined` are left out
 * and such items become `null`, as JSON does; everything else that JSON would drop, alter or choke on is refused.
 * @param depth how deep in the message the value will stand
 * @throws NotJson naming the JSON pointer: NaN, a BigInt, a function, a class without `toJSON`, a cycle, more than fits into a message …
 */
export function jsonCopy(value: unknown, depth: number): Json {
  return copyOf(value, depth, '', { left: LIMITS.messageBytes });
}

/** `room`: the characters that a message has left; a huge array, or one object in a thousand places, must not stop the game. */
function copyOf(value: unknown, depth: number, pointer: string, room: { left: number }): Json {
  room.left -= typeof value === 'string' ? value.length : 1;
  if (room.left < 0) throw new NotJson(`it is more than fits into a message of ${LIMITS.messageBytes} bytes`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new NotJson(`${pointer || 'it'} is ${value}`);
  }
  if (typeof value !== 'object') throw new NotJson(`${pointer || 'it'} is a ${typeof value}`);
  if (depth > LIMITS.messageDepth) throw new NotJson(`it is cyclic or nests deeper than the ${LIMITS.messageDepth} levels of a message`);
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (let index = 0; index < value.length; index++) items.push(copyOf(value[index] ?? null, depth + 1, `${pointer}/${index}`, room));
    return items;
  }
  // One level deeper, so that one that returns itself ends.
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyOf(value.toJSON(), depth + 1, pointer, room);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new NotJson(`${pointer || 'it'} is a ${value.constructor?.name ?? 'class instance'}`);
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    room.left -= key.length;
    const item = copyOf(member, depth + 1, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, room);
    // A plain assignment to this name would set the prototype instead.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true });
    else copy[key] = item;
  }
  return copy;
}
