// @ts-check
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ passed: number, failed: number, problems: string[] }} Count
 * @typedef {{ status: string, name: string, message?: string, assertionResults: { status: string, fullName: string }[] }} FileResult
 */

/**
 * Counts one vitest run from its JSON report and exit code. Whatever is not a test that passed is a failure: a skipped test, a file that
 * could not be loaded or whose hook failed, a runner that broke, and a run without any test.
 * @param {string} reportFile
 * @param {number} code the runner's exit code
 * @returns {Count}
 */
export function countResults(reportFile, code) {
  /** @type {FileResult[]} */
  let files;
  try {
    files = JSON.parse(readFileSync(reportFile, 'utf8')).testResults;
  } catch {
    return { passed: 0, failed: 1, problems: ['the runner broke before it could report'] };
  }
  const count = { passed: 0, failed: 0, problems: /** @type {string[]} */ ([]) };
  const fail = (/** @type {string} */ problem) => {
    count.failed += 1;
    count.problems.push(problem);
  };
  for (const file of files) {
    const before = count.failed;
    for (const { status, fullName } of file.assertionResults) {
      if (status === 'passed') count.passed += 1;
      else fail(`${status}: ${fullName}`);
    }
    if (file.status !== 'passed' && count.failed === before) fail(`failed: ${file.name}: ${file.message ?? 'not loaded'}`);
  }
  if (code !== 0 && count.failed === 0) fail(`the runner ended with code ${code} although no test failed`);
  if (count.passed + count.failed === 0) fail('there was no test to run');
  return count;
}
