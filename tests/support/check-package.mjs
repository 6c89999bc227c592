// @ts-check
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from '../../demo-game/start/child.mjs';
import { below } from '../../demo-game/start/paths.mjs';

/**
 * Packs the built package and has publint and attw look at the tarball: what npm would publish, as others would resolve it.
 * @returns {Promise<string>} what they found wrong; empty when it is nothing
 */
export async function checkPackage() {
  const dir = mkdtempSync(join(tmpdir(), 'phaser-aicc-pack-'));
  try {
    const packed = await runChild('npm', ['pack', '--ignore-scripts', '--pack-destination', dir], { shell: process.platform === 'win32' });
    if (packed.code !== 0) return packed.output;
    const tarball = join(dir, /** @type {string} */ (readdirSync(dir)[0]));
    const checks = await Promise.all([
      runChild(process.execPath, [below('node_modules/publint/src/cli.js'), 'run', tarball, '--strict']),
      runChild(process.execPath, [
        below('node_modules/@arethetypeswrong/cli/dist/index.js'),
        tarball,
        '--profile',
        'esm-only',
        '--format',
        'ascii',
      ]),
    ]);
    return checks
      .filter(({ code }) => code !== 0)
      .map(({ output }) => output)
      .join('\n');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
