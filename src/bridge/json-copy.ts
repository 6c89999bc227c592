import { type Json, type JsonObject, pointerToken, wellFormed } from '../base/json.ts';
import { LIMITS } from '../protocol/index.ts';

/** Says where a value is not JSON and why. */
export class NotJson extends TypeError {
  override readonly name = 'NotJson';
}

/**
 * A deep copy of what a game's code handed over, so that it cannot change after it was checked. Members that are `undefined` are left out
 * and such items become `null`, as JSON does; lone surrogates, which no UTF-8 can hold, become U+FFFD; everything else that JSON would drop, alter or choke on is refused.
 * @param depth how deep in the message the value will stand
 * @throws NotJson naming the JSON pointer: NaN, a BigInt, a function, a class without `toJSON`, a cycle, more than fits into a message …
 */
export function jsonCopy(value: unknown, depth: number): Json {
  return copyOf(value, depth, '', new Room());
}

/** The characters that a message has left: a huge array, or one object in a thousand places, must not stop the game. */
class Room {
  #left: number = LIMITS.messageBytes;

  /** @throws NotJson when a message cannot hold so much more */
  take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new NotJson(`it is more than fits into a message of ${LIMITS.messageBytes} bytes`);
  }
}

function copyOf(value: unknown, depth: number, pointer: string, room: Room): Json {
  const refuse = (what: string): never => {
    throw new NotJson(`${pointer || 'it'} is ${what}`);
  };
  switch (typeof value) {
    case 'string':
      room.take(value.length + '""'.length);
      return wellFormed(value);
    case 'boolean':
      room.take('true'.length);
      return value;
    case 'number':
      room.take('0'.length);
      return Number.isFinite(value) ? value : refuse(String(value));
    case 'object':
      break;
    default:
      return refuse(`a ${typeof value}`);
  }
  if (value === null) {
    room.take('null'.length);
    return value;
  }
  if (depth > LIMITS.messageDepth) throw new NotJson(`it is cyclic or nests deeper than the ${LIMITS.messageDepth} levels of a message`);
  if (Array.isArray(value)) {
    // Before the first item, for most of a huge array may be holes.
    room.take('[]'.length + Math.max(0, value.length - 1));
    const items: Json[] = [];
    for (let index = 0; index < value.length; index++) items.push(copyOf(value[index] ?? null, depth + 1, `${pointer}/${index}`, room));
    return items;
  }
  // One level deeper, so that one that returns itself ends.
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyOf(value.toJSON(), depth + 1, pointer, room);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse(`a ${value.constructor?.name ?? 'class instance'}`);
  room.take('{}'.length);
  const copy: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const key = wellFormed(name);
    room.take(key.length + '"":'.length);
    const item = copyOf(member, depth + 1, `${pointer}/${pointerToken(key)}`, room);
    // A plain assignment to this name would set the prototype instead.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true });
    else copy[key] = item;
  }
  return copy;
}
