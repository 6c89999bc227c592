import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Finding } from '../../src/conformance/index.ts';
import { joinWorld, liveRelay } from '../cli/live-world.ts';
import { cli, runCli } from '../cli/run-cli.ts';

// The game link wants one, and Node 20 has none.
beforeEach(() => void vi.stubGlobal('WebSocket', WebSocket));
afterEach(() => void vi.unstubAllGlobals());

/** An ordinary world, which knows nothing of the suite. */
async function world() {
  const relay = await liveRelay();
  const { bridge } = await joinWorld(relay);
  const frames = setInterval(() => bridge.advance(20), 20);
  onTestFinished(() => clearInterval(frames));
  await cli(['wait', '--url', relay.url]);
  return relay;
}

/** Passes everything on to another address, but never a `tool_result` as it was. */
async function brokenProxy(to: string): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  server.on('connection', (near) => {
    const far = new WebSocket(to);
    const early: string[] = [];
    near.on('message', (data) => (far.readyState === WebSocket.OPEN ? far.send(data.toString()) : early.push(data.toString())));
    far.on('open', () => {
      for (const text of early) far.send(text);
    });
    far.on('message', (data) => near.send(data.toString().replace('"source":"bridge"', '"source":"nobody"')));
    near.on('close', () => far.close());
    far.on('close', () => near.close());
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/agent`;
}

test('aicc conformance tries an ordinary world rule by rule, over WebSocket and over TCP', async () => {
  const relay = await world();
  for (const url of [`${relay.agentUrl}?character=ann`, `tcp://127.0.0.1:${relay.tcpPort}?world=hill&character=ann`]) {
    const { code, err, out } = await cli(['conformance', url, '--rules', 'A3,D2,d17,D10']);
    expect(err).toBe('');
    expect(out).toMatch(/^pass {2}A3 {3}what is no JSON object is an error/m);
    expect(out).toMatch(/^n\/a {3}D10 {2}queue: .*\n +the character has no conformance_queue$/m);
    expect(out).toMatch(/\n\n6 passed, 0 failed, 6 not applicable\n$/);
    expect(code).toBe(0);
  }
});

test('everything that an ordinary world lets see passes, and what takes long is left out', async () => {
  const relay = await world();
  const { code, out } = await cli([
    'conformance',
    `${relay.agentUrl}?character=bob`,
    '--json',
    '--rules',
    'A2,A4,A5,A6,A7,B2,B4,B5,C1,C2,C4,C5,C7,D1,D6,D14,D15,E3,E4,G1,H',
  ]);
  const findings = JSON.parse(out) as Finding[];
  expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(findings).toContainEqual({
    rule: 'C4',
    title: 'a detached session ends after 60 s',
    verdict: 'not applicable',
    why: 'it takes 60 s',
  });
  expect(findings.filter(({ rule }) => rule === 'E3').map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  expect(findings).toContainEqual(
    expect.objectContaining({ rule: 'H', verdict: 'not applicable', why: expect.stringContaining('disturb') }),
  );
  expect(code).toBe(0);
});

test('a rule that is broken is exit code 1, with how, for people and for machines', async () => {
  const relay = await world();
  const url = `${await brokenProxy(relay.agentUrl)}?character=ann`;
  const forPeople = await cli(['conformance', url, '--rules', 'D15,D17']);
  expect(forPeople).toMatchObject({ code: 1, err: '' });
  expect(forPeople.out).toMatch(/^FAIL {2}D15 {2}a result says its tick.*\n +its meta is .*"source":"nobody"/m);
  const forMachines = await cli(['conformance', url, '--rules', 'D15,D17', '--json']);
  expect(forMachines.code).toBe(1);
  expect(JSON.parse(forMachines.out)).toContainEqual(expect.objectContaining({ rule: 'D15', verdict: 'fail', why: expect.any(String) }));
});

test('no way in is exit code 1 and one line', async () => {
  const relay = await world();
  const taken = await cli(['conformance', `${relay.agentUrl}?character=eve`, '--patience', '0.5']);
  expect(taken).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^aicc conformance: cannot begin at ws:.*: the session was not opened: .*eve.*\n$/),
  });
  await relay.close();
  expect(await cli(['conformance', `tcp://127.0.0.1:${relay.tcpPort}`])).toMatchObject({
    code: 1,
    err: expect.stringContaining('ECONNREFUSED'),
  });
});

test('Ctrl-C ends it between two rules', async () => {
  const relay = await world();
  const run = runCli(['conformance', relay.agentUrl]);
  await run.shows('pass');
  run.interrupt();
  expect(await run.exit).toBe(130);
});

test.each([
  [[], 'URL is missing'],
  [['nowhere'], 'is not a URL'],
  [['http://127.0.0.1:4750'], 'is of no known kind'],
  [['tcp://127.0.0.1'], 'names no port'],
  [['ws://127.0.0.1:4750/agent?token=x'], 'not "token"; a token goes into AICC_TOKEN'],
  [['ws://127.0.0.1:4750/agent', '--rules', 'A3,Z9'], 'there is no case for "Z9"'],
])('wrong use, %j, is one line on stderr and exit code 2', async (argv, problem) => {
  const { code, err } = await cli(['conformance', ...argv]);
  expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
});
