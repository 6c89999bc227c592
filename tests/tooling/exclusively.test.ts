import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exclusively } from '../../demo-game/start/exclusively.mjs';

let dir: string;
let lock: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'phaser-aicc-lock-'));
  lock = join(dir, 'the.lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const MODULE = pathToFileURL('demo-game/start/exclusively.mjs').href;
/** A program that writes `in`, waits a turn of the clock and writes `out`, under the lock. */
const worker = (log: string) => `
  import { appendFileSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  import { exclusively } from '${MODULE}';
  await exclusively(${JSON.stringify(lock)}, async () => {
    appendFileSync(${JSON.stringify(log)}, 'in ');
    await setTimeout(20);
    appendFileSync(${JSON.stringify(log)}, 'out ');
  });`;

describe('the build lock', () => {
  test('of several processes one at a time is inside, and nothing is left behind', async () => {
    const log = join(dir, 'log');
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', worker(log)]);
    await Promise.all(Array.from({ length: 4 }, run));
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(4));
    expect(readdirSync(dir)).toEqual(['log']);
  });

  test('a lock whose holder was killed is taken over', async () => {
    const holder = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { exclusively } from '${MODULE}'; await exclusively(${JSON.stringify(lock)}, () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1e6)); });`,
    ]);
    await once(holder.stdout, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'close');
    expect(existsSync(lock)).toBe(true);
    expect(await exclusively(lock, async () => 'inside')).toBe('inside');
    expect(readdirSync(dir)).toEqual([]);
  });

  test('work that fails frees the lock', async () => {
    await expect(exclusively(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(lock)).toBe(false);
  });
});
