import type { KeyObject } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { readPrivateKey } from '../../contract/node.ts';
import { UsageError } from './io.ts';

/** A private key as `aicc keys new` writes it. */
export interface KeyFile {
  agentId: string;
  keyId: string;
  key: KeyObject;
}

/** Only its owner may read it. Never replaces a file. @throws {UsageError} */
export async function writeSecret(path: string, text: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(text, 'utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(code === 'EEXIST' ? `${path} is there already and may hold a key: choose another name` : message);
  }
}

/** @throws {UsageError} for one that others may read, or that holds no key */
export async function readKeyFile(path: string | undefined): Promise<KeyFile> {
  if (path === undefined) throw new UsageError('--key is missing: a file that aicc keys new has made');
  const text = await readText(path);
  const { mode } = await stat(path);
  // Windows has no such modes.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new UsageError(`others may read the private key in ${path}: chmod 600 ${path}`);
  const { agentId, keyId, privateKey } = readObject(path, text);
  const key = typeof privateKey === 'string' ? readPrivateKey(privateKey) : undefined;
  if (typeof agentId !== 'string' || typeof keyId !== 'string' || key === undefined)
    throw new UsageError(`${path} is no private key: it must have agentId, keyId and privateKey, as aicc keys new writes them`);
  return { agentId, keyId, key };
}

/** How long a file may take: a pipe that nobody writes into never ends. */
const READ_MS = 10_000;

/** @throws {UsageError} */
export async function readText(path: string): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${path} has not been read to its end within ${READ_MS / 1_000} s`)), READ_MS);
  });
  try {
    return await Promise.race([readFile(path, 'utf8'), late]);
  } catch (error) {
    throw new UsageError((error as Error).message);
  } finally {
    clearTimeout(timer);
  }
}

function readObject(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Its text is not repeated: it may be a key after all.
  }
  throw new UsageError(`${path} is not a JSON object`);
}
