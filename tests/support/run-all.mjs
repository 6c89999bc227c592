// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild, stopChildren } from '../../demo-game/start/child.mjs';
import { makeReady } from '../../demo-game/start/make-ready.mjs';
import { below } from '../../demo-game/start/paths.mjs';
import { checkPackage } from './check-package.mjs';
import { countResults } from './count-results.mjs';
import { findBrowser } from './find-browser.mjs';

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

/**
 * Which projects of vitest share a run, for each part of the tests. `long` is what `usual` runs a part of, at full length, and only that.
 * @type {{ [part: string]: string[][] }}
 */
const RUNS = {
  unit: [['unit']],
  usual: [['unit'], ['slow', 'phaser4', 'phaser3'], ['browser']],
  long: [['slow', 'phaser4', 'phaser3'], ['browser']],
};

/** @type {[name: string, problems: () => Promise<string>][]} */
const QUICK = [
  ['types', () => runTool('typescript/bin/tsc', ['--noEmit'])],
  ['lint', () => runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings'])],
  ['unused code', () => runTool('knip/bin/knip.js', [])],
];
/**
 * What is checked beside the tests of a part. The package is checked as it was built, so only where it is built; the API reference takes its time.
 * @type {{ [part in 'unit' | 'usual' | 'long']: typeof QUICK }}
 */
const CHECKS = {
  unit: QUICK,
  usual: [...QUICK, ['package', checkPackage]],
  long: [['API reference', () => runTool('typedoc/bin/typedoc', ['--emit', 'none'])]],
};

/**
 * Makes ready what the tests need, runs them, and ends the process with the right code after the line `N passed, N failed`.
 * @param {'unit' | 'usual' | 'long'} part `unit`: types, lint, unused code and unit tests alone
 */
export async function runAll(part) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => {
      stopChildren();
      process.exit(1);
    });
  }
  const reports = mkdtempSync(join(tmpdir(), 'phaser-aicc-tests-'));
  process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
  const total = { passed: 0, failed: 0 };
  const add = (
    /** @type {{ passed: number, failed: number, problems: string[] }} */ { passed, failed, problems },
    /** @type {string} */ name,
  ) => {
    total.passed += passed;
    total.failed += failed;
    for (const problem of problems) say(`${name}: ${problem}`);
  };

  try {
    await makeReady(part === 'unit' ? 'sources' : 'all', say);
    const env = { ...process.env, TESTS_EXTENT: part, ...(part !== 'unit' && { CHROME_PATH: await findBrowser(say) }) };

    // The checks run beside the first tests; their output does not mix with that of the tests.
    const checks = CHECKS[part].map(([name, problems]) => check(name, problems()));
    for (const projects of RUNS[part] ?? []) {
      const report = join(reports, `${projects.join('-')}.json`);
      const chosen = projects.flatMap((project) => ['--project', project]);
      const args = ['run', ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      const { code } = await runChild(process.execPath, [below('node_modules/vitest/vitest.mjs'), ...args], { show: true, env });
      add(countResults(report, code), projects.join(', '));
      for (const done of await Promise.all(checks.splice(0))) add(done.count, done.name);
    }
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    total.failed += 1;
  }
  say(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

/**
 * Waits for a checker; it counts as one test.
 * @param {string} name
 * @param {Promise<string>} checking
 */
async function check(name, checking) {
  const problems = await checking;
  const passed = problems === '';
  if (!passed) say(problems);
  return { name, count: { passed: passed ? 1 : 0, failed: passed ? 0 : 1, problems: passed ? [] : [`the ${name} check failed`] } };
}

/**
 * Runs a program of the installed packages. Resolves to what it printed if it failed, else to ''.
 * @param {string} script
 * @param {string[]} args
 */
async function runTool(script, args) {
  const { code, output } = await runChild(process.execPath, [below('node_modules', script), ...args]);
  return code === 0 ? '' : output || `${script} ended with code ${code}`;
}
