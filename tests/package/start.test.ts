import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { nodeProblem } from '../../demo-game/start/check-node.mjs';
import { makeReady } from '../../demo-game/start/make-ready.mjs';
import { canShowBrowser } from '../../demo-game/start/open-browser.mjs';

interface Ready {
  url: string;
  agent: string;
  tcp: number;
  pid: number;
}

/** One `npm start`, or the script that it runs, in a process group of its own as in a terminal. */
class Start {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
    this.child = spawn(command, args, { detached: true, env: { ...process.env, CI: 'true', ...env } });
    this.child.stdout?.on('data', (text) => (this.stdout += text));
    this.child.stderr?.on('data', (text) => (this.stderr += text));
    this.#ended = once(this.child, 'close');
    started.push(this);
  }

  /** The ready line, and nothing but one; rejects when the start fails. */
  async ready(): Promise<Ready> {
    const line = () => /^AICC_READY (.*)\n/m.exec(this.stdout)?.[1];
    const failed = this.#ended.then(() => Promise.reject(new Error(`the start ended: ${this.stderr}`)));
    failed.catch(() => {});
    while (line() === undefined) await Promise.race([once(this.child.stdout as NonNullable<ChildProcess['stdout']>, 'data'), failed]);
    return JSON.parse(line() as string);
  }

  /** How it ends: a number, or the name of the signal that nobody caught. */
  async code(): Promise<number | string | null> {
    await this.#ended;
    return this.child.exitCode ?? this.child.signalCode;
  }

  /** Whether any process of its group still runs. */
  isAlive(): boolean {
    try {
      return process.kill(-(this.child.pid as number), 0);
    } catch {
      return false;
    }
  }
}

const started: Start[] = [];
const FREE = ['--no-open', '--port', '0', '--tcp-port', '0'];
const npmStart = (...args: string[]) => new Start('npm', ['start', '--', ...args]);
const script = (...args: string[]) => new Start(process.execPath, ['demo-game/start.mjs', ...args]);

beforeAll(() => makeReady('all', () => {}), 300_000);
afterEach(() => {
  for (const start of started.splice(0)) if (start.isAlive()) process.kill(-(start.child.pid as number), 'SIGKILL');
});

describe('npm start', () => {
  test('serves the game, tells where everything is in one line, and Ctrl-C ends all of it with code 0', async () => {
    const start = npmStart(...FREE);
    const { url, agent, tcp, pid } = await start.ready();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(agent).toBe(`${url.replace('http', 'ws')}agent`);
    expect(tcp).toBeGreaterThan(0);

    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/<title>Lantern Night<\/title>/);
    expect((await fetch(new URL('healthz', url))).status).toBe(200);

    // A terminal tells the whole group.
    process.kill(-(start.child.pid as number), 'SIGINT');
    expect(await start.code()).toBe(0);
    expect(start.stdout.match(/AICC_READY/g)).toHaveLength(1);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(start.isAlive()).toBe(false);
    await expect(fetch(url)).rejects.toThrow();
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s at npm alone, or at the process that the ready line names, ends all of it with code 0',
    async (signal) => {
      const [one, other] = [npmStart(...FREE), npmStart(...FREE)];
      await one.ready();
      const { pid } = await other.ready();
      one.child.kill(signal);
      process.kill(pid, signal);
      expect(await one.code()).toBe(0);
      expect(await other.code()).toBe(0);
      expect([one.isAlive(), other.isAlive()]).toEqual([false, false]);
    },
  );

  test('prints the ready line alone on stdout', async () => {
    const start = script(...FREE);
    const ready = await start.ready();
    expect(start.stdout).toBe(`AICC_READY ${JSON.stringify(ready)}\n`);
    start.child.kill('SIGINT');
    expect(await start.code()).toBe(0);
  });

  test.each(['--port', '--tcp-port'])('a taken port for %s is one clear sentence and a code that is not 0', async (option) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const port = String((holder.address() as AddressInfo).port);
    const start = script('--no-open', '--port', '0', '--tcp-port', '0', option, port);
    expect(await start.code()).toBe(1);
    holder.close();
    expect(start.stderr.trim().split('\n')).toEqual([expect.stringMatching(new RegExp(`${port}.*in use.*${option}`))]);
    expect(start.stdout).toBe('');
  });

  test.each([['--colour'], ['--port', 'x'], ['--port', '65536'], ['--tcp-port=-1'], ['--tcp-port'], ['now']])(
    'wrong use (%s %s) is one line and code 2',
    async (...args) => {
      const start = script(...args.filter(Boolean));
      expect(await start.code()).toBe(2);
      expect(start.stderr.trim().split('\n')).toEqual([expect.stringContaining('npm start -- --help')]);
      expect(start.stdout).toBe('');
    },
  );

  test('--help tells every option and starts nothing', async () => {
    const start = script('--help');
    expect(await start.code()).toBe(0);
    expect(start.stdout).toMatch(/--port[\s\S]*--tcp-port[\s\S]*--no-open/);
    expect(start.stdout).not.toContain('AICC_READY');
  });

  test('a Node that is too old is one clear sentence', () => {
    expect(['14.0.0', '18.20.8', '20.18.3'].map(nodeProblem)).toEqual(
      Array(3).fill(expect.stringMatching(/^[^\n]*20\.19 or newer[^\n]*$/)),
    );
    expect(['20.19.0', '22.0.0', '24.1.0'].map(nodeProblem)).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{}, 'linux', false],
    [{}, 'darwin', true],
    [{}, 'win32', true],
    [{ CI: 'true', DISPLAY: ':0' }, 'linux', false],
    [{ CI: '1' }, 'darwin', false],
    [{ CI: 'false' }, 'darwin', true],
  ] as const)('with %j on %s a browser can be shown: %s', (env, platform, expected) => {
    expect(canShowBrowser(env, platform)).toBe(expected);
  });
});
