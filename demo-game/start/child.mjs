// @ts-check
import { spawn } from 'node:child_process';
import { ROOT } from './paths.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * Runs a program from the project's root to its end. With `show` its output goes to this terminal, else it is gathered.
 * A program that cannot be started, or is stopped by `timeoutMs`, ends with code 1 and says so in `output`.
 * @param {string} program
 * @param {string[]} args
 * @param {{ show?: boolean, shell?: boolean, env?: NodeJS.ProcessEnv, timeoutMs?: number }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runChild(program, args, { show = false, shell = false, env = process.env, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, env, shell, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    let output = '';
    running.add(child);
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    const end = (/** @type {number} */ code, /** @type {string} */ more) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output: output + more });
    };
    child.once('error', (error) => end(1, `${program}: ${error.message}\n`));
    child.once('close', (code, signal) => end(code ?? 1, signal ? `${program} was stopped (${signal})\n` : ''));
  });
}

/** Stops every program that `runChild` has started and that still runs. */
export function stopChildren() {
  for (const child of running) child.kill();
}
