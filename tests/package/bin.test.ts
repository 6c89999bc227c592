import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { npm } from './installed-package.ts';

/** A folder with what a fresh clone has of the command: no build, nothing installed. */
function freshClone(): string {
  const dir = mkdtempSync(join(tmpdir(), 'phaser-aicc-clone-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const { bin, name, type, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name, version, type, bin }));
  cpSync('src/relay/bin.mjs', join(dir, 'src/relay/bin.mjs'));
  return dir;
}

test('npx phaser-aicc in a clone that is not built says what to do, and works as soon as it is', async () => {
  const dir = freshClone();
  const npx = (...args: string[]) => npm(dir, 'exec', '--offline', '--yes', '--cache', join(dir, 'cache'), '--', 'phaser-aicc', ...args);
  const hint = 'phaser-aicc is not built yet: run `npm start` here, or `npm install && npm run build`';
  await expect(npx('worlds')).rejects.toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(hint) });

  mkdirSync(join(dir, 'dist'));
  writeFileSync(join(dir, 'dist/cli.js'), `console.log(process.env.npm_command, ...process.argv.slice(2)); process.exitCode = 3;`);
  await expect(npx('worlds', '--json')).rejects.toMatchObject({ code: 3, stdout: 'exec worlds --json\n', stderr: '' });
});
