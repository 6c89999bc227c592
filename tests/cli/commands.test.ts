import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/agent/node.ts';
import { joinWorld, liveRelay, naps } from './live-world.ts';
import { cli, runCli } from './run-cli.ts';

async function world() {
  const relay = await liveRelay();
  const { bridge, ann, bob } = await joinWorld(relay);
  const url = ['--url', relay.url];
  expect((await cli(['wait', ...url])).code).toBe(0);
  return { relay, bridge, ann, bob, url };
}

describe('worlds', () => {
  test('lists worlds and characters for people and for machines', async () => {
    const { url } = await world();
    const { code, out } = await cli(['worlds', ...url]);
    expect(code).toBe(0);
    expect(out).toContain('hill  (2d)\n  ann (default)  driven by nobody, agents 0/1\n      Walks and talks\n  bob');
    expect(JSON.parse((await cli(['worlds', '--json', ...url])).out)).toMatchObject([
      { world: 'hill', kind: '2d', characters: [{ id: 'ann', default: true, driver: 'none' }, { id: 'bob' }] },
    ]);
  });

  test('says so when there is none, and finds the relay by AICC_URL', async () => {
    const relay = await liveRelay();
    expect(await cli(['worlds'], { AICC_URL: relay.agentUrl })).toEqual({ code: 0, out: 'No world is connected.\n', err: '' });
  });

  test('says so of a world that has no characters yet', async () => {
    const { ann, bob, url } = await world();
    ann.remove();
    bob.remove();
    await vi.waitUntil(async () => (await cli(['wait', '--timeout', '0', ...url])).err.includes('no characters'));
    expect((await cli(['worlds', ...url])).out).toBe('hill  (2d)  no characters yet\n');
  });

  test('B5: needs the token where the relay does: from AICC_TOKEN or a file', async () => {
    const relay = await liveRelay({ agentToken: 's3cret' });
    const folder = await mkdtemp(join(tmpdir(), 'aicc-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'token'), 's3cret\n');
    expect(await cli(['worlds', '--url', relay.url])).toMatchObject({ code: 1, err: expect.stringContaining('unauthorized') });
    expect(await cli(['worlds', '--url', relay.url], { AICC_TOKEN: 's3cret' })).toMatchObject({ code: 0 });
    expect(await cli(['worlds', '--url', relay.url, '--token-file', join(folder, 'token')])).toMatchObject({ code: 0 });
  });
});

describe('wait', () => {
  test('waits for a world and character that come later', async () => {
    const relay = await liveRelay();
    const waiting = runCli(['wait', '--url', relay.url, '--world', 'hill', '--character', 'bob', '--json']);
    await joinWorld(relay);
    expect(await waiting.exit).toBe(0);
    expect(JSON.parse(waiting.out())).toEqual({ world: 'hill', character: 'bob' });
  });

  test('waits for the relay too', async () => {
    const first = await liveRelay();
    const { port, url } = first;
    await first.close();
    const waiting = runCli(['wait', '--url', url]);
    await joinWorld(await liveRelay({ port }));
    expect(await waiting.exit).toBe(0);
    expect(waiting.out()).toBe('ann is in hill\n');
  });

  test('gives up in time with exit code 1, saying what there is', async () => {
    const { url } = await world();
    const { code, err } = await cli(['wait', '--character', 'eve', '--timeout', '0', ...url]);
    expect([code, err]).toEqual([1, 'aicc wait: gave up after 0 s: no eve in any world; there is hill (ann, bob)\n']);
  });

  test('does not wait for a token to become right, and ends at Ctrl-C', async () => {
    const locked = await liveRelay({ agentToken: 's3cret' });
    expect(await cli(['wait', '--url', locked.url])).toMatchObject({ code: 1, err: expect.stringContaining('unauthorized') });
    const empty = await liveRelay();
    const waiting = runCli(['wait', '--url', empty.url]);
    waiting.interrupt();
    expect(await waiting.exit).toBe(130);
    expect(waiting.err()).toBe('');
  });
});

describe('tools', () => {
  test('shows the catalogue, or one tool in full, and leaves the character free', async () => {
    const { bridge, url } = await world();
    const list = await cli(['tools', ...url]);
    expect(list.out).toContain('say(text: string, loud?: boolean)  generator\n    Says it aloud\n');
    const one = await cli(['tools', 'say', ...url]);
    expect(one.out).toContain('"required": [\n    "text"\n  ]');
    expect(one.out).toContain('output: ');
    expect(JSON.parse((await cli(['tools', '--json', '--character', 'bob', ...url])).out).map((tool: { id: string }) => tool.id)).toEqual([
      'body',
      'cancel_call',
    ]);
    expect(JSON.parse((await cli(['tools', 'say', '--json', ...url])).out)).toMatchObject({ id: 'say' });
    expect(bridge.sessions()).toEqual([]);
  });

  test('an unknown tool is one line that lists those there are', async () => {
    const { url } = await world();
    expect(await cli(['tools', 'fly', ...url])).toEqual({
      code: 1,
      out: '',
      err: 'aicc tools: there is no tool fly; there are body, say, sleep, cancel_call\n',
    });
  });
});

describe('call', () => {
  test('prints the output over WebSocket and over TCP', async () => {
    const { relay, url } = await world();
    expect(await cli(['call', 'body', ...url])).toEqual({ code: 0, out: '{\n  "x": 3\n}\n', err: '' });
    expect(await cli(['call', 'say', '{"text":"hi"}', '--json', '--url', `tcp://127.0.0.1:${relay.tcpPort}`])).toEqual({
      code: 0,
      out: '{"ok":true,"output":{"said":"hi"}}\n',
      err: '',
    });
  });

  test('a failed call is exit code 1, with its error for people and for machines', async () => {
    const { url } = await world();
    const { code, err, out } = await cli(['call', 'say', '--json', ...url]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining('text'), retryable: false, reason: 'invalid_input' },
    });
    expect(err).toMatch(/^aicc call: invalid_input: .*\n$/);
    expect(err.match(/\n/g)).toHaveLength(1);
  });

  test('D17: --timeout and Ctrl-C cancel the call', async () => {
    const { bridge, url } = await world();
    const nap = once(naps, 'asleep');
    // The time is for the connection too: on a busy machine the least of them end before the call begins.
    for (let seconds = 0.05, err = ''; !err.includes('timeout: '); seconds *= 2) {
      const run = await cli(['call', 'sleep', '--timeout', String(seconds), ...url]);
      ({ err } = run);
      expect(run).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/timeout: |within/) });
    }
    await nap;
    const asleep = once(naps, 'asleep');
    const sleeping = runCli(['call', 'sleep', ...url]);
    await asleep;
    sleeping.interrupt();
    expect(await sleeping.exit).toBe(130);
    expect([sleeping.out(), sleeping.err(), bridge.sessions()]).toEqual(['', '', []]);
  });

  test('B4: several worlds are one line that says how to choose', async () => {
    const { relay, url } = await world();
    await joinWorld(relay);
    await cli(['wait', '--world', 'hill-2', ...url]);
    expect(await cli(['call', 'body', ...url])).toEqual({
      code: 1,
      out: '',
      err: 'aicc call: Several worlds are connected: name one of "hill", "hill-2". Say which with --world.\n',
    });
    const { out } = await cli(['tools', '--character', 'bob', '--json', ...url]);
    expect(JSON.parse(out).error.message).toBe('Several worlds have "bob": name one of "hill", "hill-2". Say which with --world.');
    expect(await cli(['call', 'body', '--world', 'hill-2', ...url])).toMatchObject({ code: 0 });
  });

  test('a taken character, an absent one and an absent relay are one line and exit code 1', async () => {
    const { relay, url } = await world();
    const other = await connect({ url: relay.agentUrl });
    const taken = await cli(['call', 'body', ...url]);
    expect(taken).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^aicc call: .*taken; try again when its agent has left\n$/),
    });
    await other.close();
    expect(await cli(['call', 'body', '--character', 'eve', ...url])).toMatchObject({ code: 1, err: expect.stringContaining('eve') });
    await relay.close();
    expect(await cli(['call', 'body', ...url])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^aicc call: cannot connect to ws:.*\n$/),
    });
    expect(await cli(['worlds', ...url])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^aicc worlds: cannot reach a relay at .*\n$/),
    });
  });
});

describe('watch', () => {
  test('prints events until Ctrl-C, which is a good end', async () => {
    const { ann, bridge, url } = await world();
    const watching = runCli(['watch', '--json', '--topics', 'tick,agent_message', ...url]);
    await watching.shows('"topic":"tick"');
    ann.emit('agent_message', { from: 'player', text: 'hello' });
    await watching.shows('hello');
    watching.interrupt();
    expect(await watching.exit).toBe(0);
    const lines = watching.out().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { topic: 'tick', payload: { tick: 0 } },
      { topic: 'agent_message', payload: { from: 'player', text: 'hello' }, meta: { tick: 0 } },
    ]);
    expect(bridge.sessions()).toEqual([]);
  });

  test('ends with exit code 1 and the reason when the session does', async () => {
    const { bridge, url } = await world();
    const watching = runCli(['watch', ...url]);
    const left = new Promise<void>((resolve) => bridge.onChange(() => bridge.sessions().length > 0 && resolve()));
    await left;
    bridge.close('the game is over');
    expect(await watching.exit).toBe(1);
    expect(watching.err()).toBe(
      'aicc watch: watching the default character of hill until Ctrl-C\naicc watch: the session is over (4002, the game is over)\n',
    );
  });
});
