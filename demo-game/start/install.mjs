// @ts-check
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { runChild } from './child.mjs';
import { below } from './paths.mjs';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 */

/** Whether `node_modules` holds what package-lock.json asks for (packages for other platforms aside). */
function isInstalled() {
  const wanted = readLockfile(below('package-lock.json'));
  const present = readLockfile(below('node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (path === '' || entry.optional) return true;
    const found = present.packages[path];
    return found?.version === entry.version && found?.integrity === entry.integrity && existsSync(below(path, 'package.json'));
  });
}

/**
 * Installs the dependencies where they are missing or out of date.
 * @param {(text: string) => void} say
 */
export async function installIfNeeded(say) {
  if (isInstalled()) return;
  say('Installing dependencies (once; about a minute) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const { code, output } = npm?.endsWith('npm-cli.js')
    ? await runChild(process.execPath, [npm, ...args])
    : await runChild('npm', args, { shell: process.platform === 'win32' });
  if (code !== 0) throw new Error(`${output}\nInstalling the dependencies failed (npm ci): see the lines above.`);
}

/**
 * npm links the commands of packages, but not those of the project itself: with this `npx phaser-aicc …` works here as it does elsewhere.
 * (On Windows a link would not do.)
 */
export function linkCommand() {
  const link = below('node_modules', '.bin', 'aicc');
  if (process.platform === 'win32' || existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync('../../src/relay/bin.mjs', link);
}

/**
 * @param {string} path
 * @returns {Lockfile | undefined}
 */
function readLockfile(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
