import type { CharacterInfo, LinkedSession } from '../src/protocol/index.ts';

interface Lists {
  characters: CharacterInfo[];
  sessions: LinkedSession[];
}

/** Characters of JSON in one control message: far below a frame of the game link, whatever they take in UTF-8. */
const PART_SIZE = 262_144;

/** Lists in parts that fit into a frame each; at least one. */
export function inParts(characters: readonly CharacterInfo[], sessions: readonly LinkedSession[]): Lists[] {
  let part: Lists = { characters: [], sessions: [] };
  const parts = [part];
  let size = 0;
  const roomFor = (item: object): Lists => {
    const itemSize = JSON.stringify(item).length;
    if (size > 0 && size + itemSize > PART_SIZE) {
      part = { characters: [], sessions: [] };
      parts.push(part);
      size = 0;
    }
    size += itemSize;
    return part;
  };
  for (const character of characters) roomFor(character).characters.push(character);
  for (const session of sessions) roomFor(session).sessions.push(session);
  return parts;
}
