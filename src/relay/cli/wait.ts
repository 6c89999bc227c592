import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from './command.ts';
import { line } from './io.ts';
import { fetchWorlds, REACH_HELP, REACH_OPTIONS, UnreachableError, type WorldEntry } from './reach.ts';

const POLL_MS = 100;
const DEFAULT_TIMEOUT_MS = 30_000;
/** One look takes no longer, and at least so long, however little time is left. */
const LOOK_MS = { most: 5_000, least: 500 };

export const wait: Command = {
  summary: 'wait until a world or character is there',
  help: `aicc wait [options]
Waits until the relay answers and the world and character are there; any character, if none is named.
Exit code 0 when they are, 1 when the time is over.

  --world NAME
  --character ID
  --timeout SECONDS  default ${DEFAULT_TIMEOUT_MS / 1000}
${REACH_HELP}`,
  options: { ...REACH_OPTIONS, world: { type: 'string' }, character: { type: 'string' } },
  async run(given, io) {
    given.expectWords();
    const timeoutMs = given.milliseconds('timeout', 86_400) ?? DEFAULT_TIMEOUT_MS;
    const end = performance.now() + timeoutMs;
    const wanted = { world: given.text('world'), character: given.text('character') };
    for (;;) {
      const lookMs = Math.max(LOOK_MS.least, Math.min(LOOK_MS.most, Math.round(end - performance.now())));
      const { found, problem } = await look(() => fetchWorlds(given, io, lookMs), wanted);
      if (found !== undefined) {
        line(io.stdout, given.flag('json') ? JSON.stringify(found) : `${found.character} is in ${found.world}`);
        return 0;
      }
      const left = end - performance.now();
      if (left <= 0) throw new Error(`gave up after ${timeoutMs / 1000} s: ${problem}`);
      await sleep(Math.min(POLL_MS, left), undefined, { signal: io.interrupted });
    }
  },
};

type Look = { found: { world: string; character: string }; problem?: never } | { found?: never; problem: string };

async function look(
  list: () => Promise<WorldEntry[]>,
  wanted: { world: string | undefined; character: string | undefined },
): Promise<Look> {
  let worlds: WorldEntry[];
  try {
    worlds = await list();
  } catch (error) {
    // Not there yet; anything else will not mend itself.
    if (error instanceof UnreachableError) return { problem: error.message };
    throw error;
  }
  for (const { characters, world } of worlds) {
    if (wanted.world !== undefined && wanted.world !== world) continue;
    const character = characters.find((each) => wanted.character === undefined || wanted.character === each.id);
    if (character !== undefined) return { found: { world, character: character.id } };
  }
  const there = worlds.map((each) => `${each.world} (${each.characters.map(({ id }) => id).join(', ') || 'no characters'})`).join('; ');
  return { problem: `no ${wanted.character ?? 'character'} in ${wanted.world ?? 'any world'}; there is ${there || 'no world'}` };
}
