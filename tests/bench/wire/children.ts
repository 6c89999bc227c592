import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What a process has used. */
export interface Usage {
  cpuUs: number;
  bytes: number;
}

/** @param what `weigh`: after a garbage collection */
export async function usage(child: ChildProcess, what: 'cpu' | 'weigh' = 'cpu'): Promise<Usage> {
  child.send(what);
  const [used] = (await once(child, 'message')) as [Usage];
  return used;
}

/** Processes of a benchmark, which end with it. */
export class Children {
  readonly #all: ChildProcess[] = [];

  /** Starts a script of this folder; resolves with what it tells first. */
  async start<T extends object>(script: string, ...args: string[]): Promise<{ told: T; child: ChildProcess }> {
    const child = fork(script.endsWith('.ts') ? await compiled(script) : here(script), args, { execArgv: ['--expose-gc'] });
    this.#all.push(child);
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${script} ended`)));
    const [told] = (await Promise.race([once(child, 'message'), ended])) as [T];
    ended.catch(() => undefined);
    return { told, child };
  }

  stop(): void {
    for (const child of this.#all.splice(0)) child.kill();
  }
}

/** As the package is built: what runs TypeScript as it stands names every closure anew at each call. @returns the path of one file, with packages left outside */
async function compiled(script: string): Promise<string> {
  const outDir = here('../../../.cache/bench');
  const file = basename(script).replace(/\.ts$/, '.mjs');
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { target: 'node' },
    build: {
      ssr: here(script),
      outDir,
      emptyOutDir: false,
      minify: false,
      target: 'es2022',
      rolldownOptions: { output: { entryFileNames: file } },
    },
  });
  return `${outDir}/${file}`;
}
