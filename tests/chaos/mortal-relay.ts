import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { Measured, Order, Started } from './relay-process.ts';

type StartOptions = Extract<Order, object>['start'];

/** A relay that is killed and has a successor; only one lives at a time, and the next one is loaded already. */
export class MortalRelay {
  /** Where the living one listens; undefined between two lives. */
  ports: Started | undefined;
  readonly #folder: string;
  #options: StartOptions = {};
  #living: ChildProcess | undefined;
  #next: Promise<ChildProcess>;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#next = this.#load();
  }

  /** Bundles the relay once: to compile it for each life would take longer than all the rest. */
  static async prepare(): Promise<MortalRelay> {
    const folder = await mkdtemp(join(tmpdir(), 'aicc-chaos-'));
    await build({
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: { ssr: fileURLToPath(new URL('./relay-process.ts', import.meta.url)), outDir: folder, minify: false },
    });
    return new MortalRelay(folder);
  }

  /**
   * @param allowedHosts what its guests call it, one `name:port` each
   * @param limits other bounds than the usual ones
   */
  async start(allowedHosts: string[], limits: StartOptions['limits'] = {}): Promise<void> {
    this.#options = { allowedHosts, limits };
    await this.#begin();
  }

  /** SIGKILL; after `deadMs` the next life begins. */
  async kill(deadMs: number): Promise<void> {
    const living = this.#living as ChildProcess;
    this.ports = undefined;
    living.kill('SIGKILL');
    await once(living, 'exit');
    await new Promise((resolve) => setTimeout(resolve, deadMs));
    await this.#begin();
  }

  async measure(): Promise<Measured> {
    return this.#ask<Measured>(this.#living as ChildProcess, 'measure');
  }

  async dispose(): Promise<void> {
    for (const child of [this.#living, await this.#next]) child?.kill('SIGKILL');
    await rm(this.#folder, { recursive: true });
  }

  async #begin(): Promise<void> {
    const child = await this.#next;
    this.#living = child;
    this.ports = await this.#ask<Started>(child, { start: this.#options });
    this.#next = this.#load();
  }

  async #load(): Promise<ChildProcess> {
    const child = fork(join(this.#folder, 'relay-process.js'), { execArgv: ['--expose-gc'], stdio: 'inherit' });
    await once(child, 'message');
    return child;
  }

  async #ask<T>(child: ChildProcess, order: Order): Promise<T> {
    const answer = once(child, 'message');
    child.send(order);
    return (await answer)[0] as T;
  }
}
