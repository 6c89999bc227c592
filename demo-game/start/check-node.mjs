// @ts-check

/**
 * Why this Node cannot run the project, in one sentence; undefined when it can.
 * @param {string} version as in `process.versions.node`
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return `Lantern Night needs Node 20.19 or newer and this is Node ${version}: install a newer one from https://nodejs.org and try again.`;
}
