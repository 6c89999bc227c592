import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { countResults } from '../support/count-results.mjs';

const dir = mkdtempSync(join(tmpdir(), 'phaser-aicc-count-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A vitest report of one file with tests of these states. */
function report(fileStatus: string, ...states: string[]): string {
  const path = join(dir, 'report.json');
  const assertionResults = states.map((status, index) => ({ status, fullName: `test ${index}` }));
  writeFileSync(path, JSON.stringify({ testResults: [{ name: 'a.test.ts', status: fileStatus, message: 'boom', assertionResults }] }));
  return path;
}

describe('what counts as a failure of a test run', () => {
  test('tests that pass and fail are counted as they are', () => {
    expect(countResults(report('failed', 'passed', 'passed', 'failed'), 1)).toMatchObject({ passed: 2, failed: 1 });
    expect(countResults(report('passed', 'passed'), 0)).toEqual({ passed: 1, failed: 0, problems: [] });
  });

  test.each(['skipped', 'pending', 'todo', 'disabled'])('a %s test is a failure', (state) => {
    expect(countResults(report('passed', 'passed', state), 0)).toMatchObject({ passed: 1, failed: 1 });
  });

  test('a file that could not be loaded is one failure', () => {
    expect(countResults(report('failed'), 1)).toMatchObject({ passed: 0, failed: 1, problems: [expect.stringContaining('boom')] });
  });

  test('a run without tests is a failure', () => {
    expect(countResults(report('passed'), 0)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('a runner that breaks before its report or after passing tests is a failure', () => {
    expect(countResults(join(dir, 'none.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
    expect(countResults(report('passed', 'passed'), 1)).toMatchObject({ passed: 1, failed: 1 });
  });
});
