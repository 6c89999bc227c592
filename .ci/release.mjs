// @ts-check
/** `npm run release -- minor`: tests, sets the version, dates the changelog, checks the package, commits and tags. Publishing is the tag's. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { checkPackage } from '../tests/support/check-package.mjs';
import { nextVersion, releasedChangelog } from './release-plan.mjs';

const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md'];
const run = (/** @type {string} */ program, /** @type {string[]} */ ...args) => execFileSync(program, args, { stdio: 'inherit' });
const ask = (/** @type {string[]} */ ...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** @param {string | undefined} wanted */
async function release(wanted) {
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  const version = nextVersion(current, wanted);
  const changelog = releasedChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, new Date().toISOString().slice(0, 10));
  if (ask('status', '--porcelain') !== '') throw new Error('The work tree has changes: commit or stash them first.');
  if (ask('branch', '--show-current') !== 'main') throw new Error('A release is made from main: switch to it first.');
  if (ask('tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} is there already: release another version.`);
  run('bash', '.ci/run');
  try {
    run('npm', 'version', version, '--no-git-tag-version');
    writeFileSync('CHANGELOG.md', changelog);
    run('npm', 'run', 'build');
    const problems = await checkPackage();
    if (problems !== '') throw new Error(problems);
    run('git', 'commit', '-m', `Release ${version}`, ...FILES);
  } catch (error) {
    run('git', 'checkout', '--', ...FILES);
    throw error;
  }
  run('git', 'tag', '-a', `v${version}`, '-m', `phaser-aicc ${version}`);
  console.log(`Tagged v${version}. 'git push --follow-tags' publishes it: .github/workflows/release.yml runs for the tag.`);
}

try {
  await release(process.argv[2]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
