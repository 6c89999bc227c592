import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cyclesOf } from './cycles.ts';
import { readImports } from './read-imports.ts';

/** Pairs that are one thing in two files: a character and its sessions, the bridge's interface and its class. */
const PAIRS = [
  ['src/bridge/bridge.ts', 'src/bridge/world.ts'],
  ['src/bridge/character.ts', 'src/bridge/session.ts'],
];

const importsOf = (path: string): string[] =>
  readImports(path, readFileSync(path, 'utf8'))
    .imports.filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix.join(posix.dirname(path), specifier));

describe('cycles of imports', () => {
  test('no files of the bridge import each other, types included, but the pairs that are one thing', () => {
    const files = readdirSync('src/bridge')
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `src/bridge/${name}`);
    expect(files.length).toBeGreaterThan(20);
    expect(cyclesOf(new Map(files.map((file) => [file, importsOf(file)])))).toEqual(PAIRS);
  });

  test('a cycle of three files and one of two are found, and a file that only reaches them is not part', () => {
    const imports = { a: ['b'], b: ['c'], c: ['a'], d: ['e', 'a'], e: ['d'], f: ['a', 'd'] };
    expect(cyclesOf(new Map(Object.entries(imports)))).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });
});
