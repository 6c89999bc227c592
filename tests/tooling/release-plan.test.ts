import { describe, expect, test } from 'vitest';
import { nextVersion, releasedChangelog } from '../../.ci/release-plan.mjs';

describe('the next version', () => {
  test.each([
    ['0.1.0', 'patch', '0.1.1'],
    ['0.1.9', 'minor', '0.2.0'],
    ['1.9.3', 'major', '2.0.0'],
    ['0.1.0', '0.10.0', '0.10.0'],
  ])('%s and %s make %s', (current, wanted, next) => {
    expect(nextVersion(current, wanted)).toBe(next);
  });

  test.each([
    ['0.1.0', undefined, /Say what to release/],
    ['0.1.0', '0.1', /Say what to release/],
    ['0.1.0', '0.1.0', /must be newer/],
    ['0.2.0', '0.1.9', /must be newer/],
    ['1.0.0-beta', 'patch', /a release needs one like/],
  ])('%s and %s are refused', (current, wanted, why) => {
    expect(() => nextVersion(current, wanted)).toThrow(why);
  });
});

describe('the changelog of a release', () => {
  const text = '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0\n\n- The first.\n';

  test('gets a dated heading below an empty unreleased section', () => {
    expect(releasedChangelog(text, '0.2.0', '2026-12-01')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- Something new.\n\n## 0.1.0\n\n- The first.\n',
    );
  });

  test('must say what is new', () => {
    expect(() => releasedChangelog('# Changelog\n\n## 0.1.0\n\n- The first.\n', '0.2.0', '2026-12-01')).toThrow(/no section/);
    expect(() => releasedChangelog(text.replace('- Something new.\n', ''), '0.2.0', '2026-12-01')).toThrow(/says nothing/);
  });
});
