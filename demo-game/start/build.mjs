// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runChild } from './child.mjs';
import { below } from './paths.mjs';

/**
 * One thing that is built: from which files and folders (`inputs`), into which folder, by which script of which package.
 * @typedef {{ name: string, inputs: string[], output: string, script: string, args(outDir: string): string[], inPlace?: boolean }} Part
 */

const SOURCES = ['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'plugin'];

/** @type {Part} */
export const VALIDATORS = {
  name: 'message validators',
  inputs: ['package-lock.json', 'src/protocol'],
  output: 'src/protocol/generated',
  script: 'src/protocol/build-validators.mjs',
  args: () => [],
  inPlace: true,
};

/** @type {Part} */
export const LIBRARY = {
  name: 'library',
  inputs: [...SOURCES, 'tsdown.config.ts'],
  output: 'dist',
  script: 'node_modules/tsdown/dist/run.mjs',
  args: (outDir) => ['--out-dir', outDir],
};

/** @type {Part} */
export const DEMO = {
  name: 'game',
  inputs: [...SOURCES, 'vite.config.ts', 'index.html', 'demo-game', 'assets/public'],
  output: 'dist-demo',
  script: 'node_modules/vite/bin/vite.js',
  args: (outDir) => ['build', '--outDir', outDir],
};

/** Inside each output: what it was built from. It goes when the output does, or when somebody builds by hand. */
const STAMP = '.stamp';

/**
 * Builds, in order, what is missing or older than its sources. To be called under the build lock.
 * @param {Part[]} parts
 * @param {(text: string) => void} say
 */
export async function buildIfNeeded(parts, say) {
  for (const part of parts) {
    const wanted = fingerprint(part.inputs.map((input) => below(input)));
    if (readStamp(part) === wanted) continue;
    say(`Building the ${part.name} …`);
    await build(part, wanted);
  }
}

/**
 * A new folder is built beside the old one and then takes its place, so that who reads the old one never sees half of the new.
 * @param {Part} part
 * @param {string} wanted
 */
async function build(part, wanted) {
  const output = below(part.output);
  const fresh = part.inPlace ? output : below('.cache', `new-${part.output}`);
  if (fresh !== output) rmSync(fresh, { recursive: true, force: true });
  const { code, output: text } = await runChild(process.execPath, [below(part.script), ...part.args(fresh)]);
  if (code !== 0) throw new Error(`${text}\nBuilding the ${part.name} failed: see the lines above.`);
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, STAMP), wanted);
  if (fresh === output) return;
  const old = below('.cache', `old-${part.output}`);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(output)) renameSync(output, old);
  renameSync(fresh, output);
  rmSync(old, { recursive: true, force: true });
}

/** @param {Part} part */
function readStamp(part) {
  const stamp = below(part.output, STAMP);
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}

/**
 * A hash of these files and folders, by name and content: times say nothing after a checkout.
 * @param {string[]} paths
 */
function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesOf)) {
    const content = readFileSync(file);
    hash.update(`${file.slice(dirname(below('x')).length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * The files at a path, in a fixed order; without hidden ones and what is itself built.
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !name.startsWith('.') && name !== 'generated')
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}
