// @ts-check
import { spawn } from 'node:child_process';

/**
 * Whether a browser could be seen by somebody here.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} platform as in `process.platform`
 */
export function canShowBrowser(env, platform) {
  const ci = env.CI;
  if (ci && ci !== 'false' && ci !== '0') return false;
  return platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/**
 * Opens the user's browser; where that fails nothing happens, for the address has been said.
 * @param {string} url
 */
export function openBrowser(url) {
  /** @type {[string, string[]]} */
  const [program, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', url]]
        : ['xdg-open', [url]];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.once('error', () => {});
  child.unref();
}
