// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runChild } from '../../demo-game/start/child.mjs';
import { exclusively } from '../../demo-game/start/exclusively.mjs';
import { below } from '../../demo-game/start/paths.mjs';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** Longer than this no download or installation is waited for. */
const INSTALL_MS = 180_000;

/**
 * The path of a Chromium that starts: `CHROME_PATH`, Playwright's own, the system's, else one that is installed now.
 * Throws with what to do when there is none.
 * @param {(text: string) => void} say
 * @returns {Promise<string>}
 */
export async function findBrowser(say) {
  const chosen = process.env.CHROME_PATH;
  if (chosen) {
    const problem = await whyUnusable(chosen);
    if (problem) throw new Error(`CHROME_PATH names no browser that starts: ${problem}`);
    return chosen;
  }
  const found = await firstUsable();
  if (found) return found;
  // One lock for the whole machine: test runs in several clones would each install the same thing.
  return exclusively(join(tmpdir(), 'phaser-aicc-browser.lock'), () => installBrowser(say));
}

/** @param {(text: string) => void} say */
async function installBrowser(say) {
  /** @type {string[]} */
  const failures = [];
  for (const [what, install] of waysToInstall()) {
    const found = await firstUsable();
    if (found) return found;
    say(`No browser here; trying ${what} …`);
    const { code, output } = await install();
    if (code !== 0) failures.push(`${what}:\n${output.trim().split('\n').slice(-5).join('\n')}`);
  }
  const found = await firstUsable();
  if (found) return found;
  throw new Error(
    `${failures.join('\n\n')}\n\nThe browser tests need Chromium and none could be installed: install Chromium or Chrome, or set CHROME_PATH to one.`,
  );
}

/** @returns {[string, () => Promise<{ code: number, output: string }>][]} */
function waysToInstall() {
  /** @type {[string, () => Promise<{ code: number, output: string }>][]} */
  const ways = [['npx playwright install chromium', () => playwright('install', 'chromium')]];
  if (process.getuid?.() === 0 && isDebian()) {
    const apt = ['-o', 'DPkg::Lock::Timeout=120'];
    ways.push([
      'apt-get install chromium',
      async () => {
        const updated = await root('apt-get', ...apt, 'update');
        const installed = await root('apt-get', ...apt, 'install', '-y', '--no-install-recommends', 'chromium');
        return { code: installed.code, output: updated.output + installed.output };
      },
    ]);
  }
  return ways;
}

/** @param {...string} args */
const playwright = (...args) => runChild(process.execPath, [below('node_modules/playwright/cli.js'), ...args], { timeoutMs: INSTALL_MS });

/**
 * @param {string} program
 * @param {...string} args
 */
const root = (program, ...args) =>
  runChild(program, args, { timeoutMs: INSTALL_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });

/** Debian or made from it. */
function isDebian() {
  if (!existsSync('/etc/os-release')) return false;
  return /^ID(_LIKE)?=.*\bdebian\b/m.test(readFileSync('/etc/os-release', 'utf8'));
}

async function firstUsable() {
  const { chromium } = await import('playwright');
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => PROGRAMS.map((program) => join(folder, program)));
  for (const path of [chromium.executablePath(), ...onPath, ...PLACES]) {
    if (existsSync(path) && !(await whyUnusable(path))) return path;
  }
  return undefined;
}

/**
 * Playwright's download starts only where the system's libraries are there: asked for its version, a browser loads them.
 * @param {string} path
 * @returns {Promise<string | undefined>}
 */
async function whyUnusable(path) {
  if (!existsSync(path)) return `${path} is not there`;
  // On Windows a browser that is asked for its version opens a window.
  if (process.platform === 'win32') return undefined;
  const { code, output } = await runChild(path, ['--version'], { timeoutMs: 20_000 });
  return code === 0 ? undefined : output.trim() || `${path} ends with code ${code}`;
}
