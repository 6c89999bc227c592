// @ts-check
/** What a release changes, as pure functions: the next version, and the changelog with its new heading. */

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
const UNRELEASED = '## Unreleased';

/**
 * @param {string} current like `0.1.0`
 * @param {string | undefined} wanted `major`, `minor`, `patch` or a version
 * @returns {string} the version to release
 */
export function nextVersion(current, wanted) {
  const parts = VERSION.exec(current);
  if (!parts) throw new Error(`package.json has the version '${current}'; a release needs one like 1.2.3.`);
  const [major = 0, minor = 0, patch = 0] = parts.slice(1).map(Number);
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  const given = VERSION.exec(wanted ?? '');
  if (!given) throw new Error(`Say what to release: major, minor, patch or a version like 1.2.3, not '${wanted ?? ''}'.`);
  const difference =
    given
      .slice(1)
      .map((part, at) => Number(part) - Number(parts[at + 1]))
      .find((each) => each !== 0) ?? 0;
  if (difference <= 0) throw new Error(`${wanted} must be newer than ${current}.`);
  return given[0];
}

/**
 * Gives what is unreleased its version and date, and opens an empty section above it.
 * @param {string} text CHANGELOG.md
 * @param {string} version
 * @param {string} date YYYY-MM-DD
 */
export function releasedChangelog(text, version, date) {
  const at = text.indexOf(`${UNRELEASED}\n`);
  if (at === -1) throw new Error(`CHANGELOG.md has no section '${UNRELEASED}': add one that tells users what changed.`);
  const start = at + UNRELEASED.length + 1;
  const next = text.indexOf('\n## ', start);
  const section = text.slice(start, next === -1 ? undefined : next);
  if (!/^- /m.test(section)) throw new Error(`CHANGELOG.md says nothing below '${UNRELEASED}': tell users what changed.`);
  return `${text.slice(0, at)}${UNRELEASED}\n\n## ${version} (${date})\n${text.slice(start)}`;
}
