import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readOptions } from '../../demo-game/start/options.mjs';
import { type RelayOptions, startRelay } from '../../src/relay/index.ts';
import { cli, runCli } from '../cli/run-cli.ts';
import { endpoint } from './harness.ts';
import { RawClient } from './raw-client.ts';

type AiControl = NonNullable<RelayOptions['aicontrol']>;

const ON = ['--aicontrol-port', '0', '--aicontrol-character', 'ann'];
const FREE = ['--port', '0', '--tcp-port', '0'];
const ready = (out: string) => JSON.parse(out.replace('AICC_READY ', ''));

/** A relay from the command line, told to stop after the test. */
async function relay(argv: string[], env: Record<string, string> = {}) {
  const run = runCli(['relay', ...FREE, ...argv], { env });
  onTestFinished(async () => {
    run.interrupt();
    await run.exit;
  });
  await run.shows('\n');
  return ready(run.out());
}

describe('what startRelay refuses', () => {
  test.each<[string, Partial<AiControl>, string]>([
    ['a host that others can reach', { host: '0.0.0.0' }, '--allow-remote'],
    ['the same with a token alone', { host: '192.0.2.1', token: 's3cret' }, '--allow-remote'],
    ['the same with remote use alone', { host: '::', allowRemote: true }, 'token'],
    ['an empty token there', { host: 'example.org', allowRemote: true, token: '' }, 'token'],
    ['no character', { character: '' }, 'character'],
    ['a queue without room', { maxQueuedCommands: 0 }, 'maxQueuedCommands'],
    ['half an event', { maxEvents: 0.5 }, 'maxEvents'],
  ])('W14: %s, before it listens', async (_what, options, says) => {
    const error = await startRelay({ port: 0, tcpPort: 0, aicontrol: { character: 'ann', port: 0, ...options } }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'RelayError', code: 'aicontrol_options', message: expect.stringContaining(says) });
    expect(error.message).not.toContain('s3cret');
    expect(error.message).toMatch(/^[^\n]+\.$/);
  });

  test('W14: it is off unless asked for', async () => {
    const relay = await startRelay({ port: 0, tcpPort: 0 });
    onTestFinished(() => relay.close());
    expect(relay.aicontrolPort).toBeUndefined();
  });

  test('W14: with both it may listen for others', async () => {
    const { port } = await endpoint({ host: '0.0.0.0', allowRemote: true, token: 's3cret' });
    const one = await RawClient.connect(port);
    expect(await one.ask('ping')).toMatchObject({ error: { code: -32001 } });
    await one.result('auth', { token: 's3cret' });
    expect((await one.result('status')).host).toBe('0.0.0.0');
  });

  test('a taken port is one sentence, and nothing else goes on listening', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await expect(startRelay({ port: 0, tcpPort: 0, aicontrol: { character: 'ann', port } })).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining('--aicontrol-port'),
    });
  });

  test('a relay that closes hangs up on AiControl clients and ends their commands', async () => {
    const { client, relay: own } = await endpoint();
    const one = await client();
    await one.result('act', { type: 'step' });
    await own.close();
    await one.ended;
    await expect(RawClient.connect(own.aicontrolPort as number)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('aicc relay', () => {
  test('W14: says nothing of AiControl unless it is on; port 0 picks a free one, which the ready line names', async () => {
    expect(await relay([])).not.toHaveProperty('aicontrol');
    const { aicontrol } = await relay(ON);
    expect(await (await RawClient.connect(aicontrol)).result('status')).toMatchObject({ host: '127.0.0.1', port: aicontrol });
  });

  test('W15: the token comes from the environment variable that is named', async () => {
    const { aicontrol } = await relay([...ON, '--aicontrol-token-env', 'MY_SECRET'], { MY_SECRET: 's3cret' });
    const one = await RawClient.connect(aicontrol);
    expect(await one.ask('ping')).toMatchObject({ error: { code: -32001 } });
    expect(await one.result('auth', { token: 's3cret' })).toEqual({ authorized: true });
  });

  test.each<[string, string[], string]>([
    ['another host', [...ON, '--aicontrol-host', '0.0.0.0'], '--allow-remote'],
    ['another host with a token', [...ON, '--aicontrol-host', '0.0.0.0', '--aicontrol-token-env', 'SECRET'], '--allow-remote'],
    ['another host without a token', [...ON, '--aicontrol-host', '0.0.0.0', '--allow-remote'], 'token'],
    ['a variable that is not set', [...ON, '--aicontrol-token-env', 'NO_SUCH'], 'not set'],
    ['a variable that is empty', [...ON, '--aicontrol-host', '0.0.0.0', '--allow-remote', '--aicontrol-token-env', 'EMPTY'], 'empty'],
    ['an empty variable on this machine', [...ON, '--aicontrol-token-env', 'EMPTY'], 'empty'],
    ['no character', ['--aicontrol-port', '0'], '--aicontrol-character'],
    ['no port', ['--aicontrol-character', 'ann'], '--aicontrol-port'],
    ['no port, but another host', ['--aicontrol-host', '0.0.0.0'], '--aicontrol-port'],
    ['no port, but remote use', ['--allow-remote'], '--aicontrol-port'],
    ['a port that is none', ['--aicontrol-port', '65536', '--aicontrol-character', 'ann'], '--aicontrol-port'],
    ['a token on the command line', [...ON, '--aicontrol-token', 's3cret'], '--aicontrol-token'],
  ])('W14, W15: %s is refused before listening: one line on stderr, exit code 2', async (_what, argv, says) => {
    const { code, err, out } = await cli(['relay', ...FREE, ...argv], { SECRET: 's3cret', EMPTY: '' });
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toContain(says);
    expect(err).not.toContain('s3cret');
  });
});

test('npm start takes --aicontrol, and --aicontrol-port for another port than 43011; off otherwise', () => {
  const port = (...argv: string[]) => (readOptions(argv) as { aicontrolPort?: number }).aicontrolPort;
  expect([port(), port('--aicontrol'), port('--aicontrol-port', '0'), port('--aicontrol', '--aicontrol-port', '7')]).toEqual([
    undefined,
    43011,
    0,
    7,
  ]);
  expect(readOptions(['--aicontrol-port', 'x'])).toEqual({ problem: expect.stringContaining('--aicontrol-port') });
});

test('W16: the README says that the protocol is plaintext and what to use beyond loopback', () => {
  const readme = readFileSync('README.md', 'utf8').replaceAll('\n', ' ');
  expect(readme).toMatch(/AiControl[^#]*is plaintext: keep it on 127\.0\.0\.1, where it listens, and use a tunnel beyond/);
});
