// @ts-check
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Runs `work` while no other process on this machine runs work under the same lock file. A lock whose holder died is taken over.
 * @template T
 * @param {string} lockFile
 * @param {() => Promise<T>} work
 * @param {() => void} [waiting] called once when another holds the lock
 * @returns {Promise<T>}
 */
export async function exclusively(lockFile, work, waiting = () => {}) {
  mkdirSync(dirname(lockFile), { recursive: true });
  for (let tries = 0; !take(lockFile); tries += 1) {
    if (tries === 0) waiting();
    removeAbandoned(lockFile);
    await wait(100);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/**
 * The lock appears together with its holder's id, so it is never read empty.
 * @param {string} lockFile
 */
function take(lockFile) {
  const mine = `${lockFile}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, lockFile);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Two may see the same dead holder: only the one whose rename succeeds removes it, and a lock taken in between is put back.
 * @param {string} lockFile
 */
function removeAbandoned(lockFile) {
  if (!isAbandoned(lockFile)) return;
  const aside = `${lockFile}.${process.pid}`;
  try {
    renameSync(lockFile, aside);
    if (!isAbandoned(aside)) linkSync(aside, lockFile);
    rmSync(aside, { force: true });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** @param {string} lockFile */
function isAbandoned(lockFile) {
  try {
    process.kill(Number(readFileSync(lockFile, 'utf8')), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;
