import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';

// A process takes its time to start when all tests run at once.
vi.setConfig({ testTimeout: 60_000 });

const CLI = fileURLToPath(new URL('../../src/relay/cli.ts', import.meta.url));

/** `aicc` as a process of its own. */
function aicc(argv: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, ...argv], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const err: string[] = [];
  child.stderr.on('data', (chunk) => err.push(String(chunk)));
  const lines: string[] = [];
  const first = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      resolve(line);
    });
  });
  return { child, first, lines, err: () => err.join('') };
}

const ended = async (child: ChildProcess) => (await once(child, 'close'))[0] as number | null;

test.each(['SIGINT', 'SIGTERM'] as const)(
  'aicc relay prints one ready line when it listens, and %s ends it with exit code 0',
  async (signal) => {
    const { child, err, first, lines } = aicc(['relay', '--port', '0', '--tcp-port', '0']);
    const ready = /^AICC_READY (\{.*\})$/.exec(await first)?.[1];
    const { agent, pid, tcp, url } = JSON.parse(ready ?? '');
    expect(agent).toBe(`${url.replace('http', 'ws')}agent`);
    expect(pid).toBe(child.pid);
    expect(tcp).toBeGreaterThan(0);
    expect(await (await fetch(new URL('healthz', url))).json()).toMatchObject({ ok: true });
    child.kill(signal);
    expect(await ended(child)).toBe(0);
    expect(lines).toHaveLength(1);
    expect(err()).toBe('');
  },
);

test('B5: aicc relay takes its tokens from the environment', async () => {
  const { first } = aicc(['relay', '--port', '0', '--tcp-port', '0'], { AICC_AGENT_TOKEN: 's3cret' });
  const { url } = JSON.parse((await first).replace('AICC_READY ', ''));
  const worlds = new URL('worlds', url);
  expect((await fetch(worlds)).status).toBe(401);
  expect((await fetch(worlds, { headers: { authorization: 'Bearer s3cret' } })).status).toBe(200);
});

test('aicc relay on a taken port is one line on stderr and exit code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { child, err } = aicc(['relay', '--port', String(port), '--tcp-port', '0']);
  expect(await ended(child)).toBe(1);
  expect(err()).toContain(String(port));
  expect(err().match(/\n/g)).toHaveLength(1);
});

test('a command that gave up ends its process too, though the other end still holds the connection', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const { child, err } = aicc(['call', 'say', '--timeout', '0.2', '--url', `ws://127.0.0.1:${port}/agent`]);
  expect(await ended(child)).toBe(1);
  expect(err()).toContain('answers no WebSocket handshake');
});
