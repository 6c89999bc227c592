import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Relay, startRelay } from '../../src/relay/index.ts';
import { afterwards, game, http, start } from './harness.ts';
import { message, tcpAgent } from './raw-agents.ts';

test('/healthz counts worlds and agents with a session', async () => {
  const relay = await start();
  expect((await http(relay.port, '/healthz')).body).toBe('{"ok":true,"worlds":0,"agents":0}');
  await game(relay);
  const agent = await tcpAgent(relay.tcpPort);
  await tcpAgent(relay.tcpPort);
  agent.send('{"connect":{}}');
  await agent.next();
  expect((await http(relay.port, '/healthz')).body).toBe('{"ok":true,"worlds":1,"agents":1}');
});

test('/worlds lists worlds and their characters, as they are now', async () => {
  const relay = await start();
  const peer = await game(relay);
  peer.sendCharacters('mira', 'old_tam');
  const character = { default: false, sessions: 0, max_sessions: 1, driver: 'none' };
  const agent = await tcpAgent(relay.tcpPort);
  agent.send('{"connect":{}}');
  await agent.next();
  expect(JSON.parse((await http(relay.port, '/worlds')).body)).toEqual([
    {
      world: 'lantern_night',
      kind: '2d',
      characters: [
        { ...character, id: 'mira', description: 'mira', default: true },
        { ...character, id: 'old_tam', description: 'old_tam' },
      ],
    },
  ]);
});

/** `/metrics`, as numbers by name. */
async function metrics(relay: Relay, headers: { [name: string]: string } = {}): Promise<{ [name: string]: number }> {
  const { body } = await http(relay.port, '/metrics', headers);
  return Object.fromEntries([...body.matchAll(/^(\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]));
}

test('H6: /metrics tells how the relay is, in numbers alone', async () => {
  const relay = await start();
  const peer = await game(relay);
  const agent = await tcpAgent(relay.tcpPort);
  agent.send('{"connect":{}}');
  const { session_id } = await agent.next();
  const silent = await tcpAgent(relay.tcpPort, 'nonsense');
  await silent.next();
  expect(await metrics(relay)).toMatchObject({
    aicc_worlds: 1,
    aicc_agents: 1,
    aicc_agents_held: 0,
    aicc_unopened: 1,
    aicc_agent_unread_bytes: 0,
    aicc_agent_unread_bytes_max: 0,
    aicc_game_unread_bytes: 0,
    aicc_connections: 4,
    aicc_connections_admitted_total: 4,
    aicc_connections_refused_total: 0,
    process_resident_memory_bytes: expect.any(Number),
  });
  agent.socket.pause();
  const filler = 'x'.repeat(20_000);
  while (!peer.controls.some(({ type }) => type === 'hold')) {
    peer.sendLines([1, message('heartbeat', session_id, { filler })]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const held = await metrics(relay);
  expect(held).toMatchObject({ aicc_agents_held: 1, aicc_connections_admitted_total: 5 });
  expect(held.aicc_agent_unread_bytes_max).toBeGreaterThanOrEqual(262_144);
  expect(held.aicc_agent_unread_bytes).toBe(held.aicc_agent_unread_bytes_max);
  const { headers, body } = await http(relay.port, '/metrics');
  expect(headers['content-type']).toBe('text/plain;version=0.0.4;charset=utf-8');
  expect(body).toContain('# TYPE aicc_agents gauge\naicc_agents 1\n');
  for (const name of ['lantern_night', 'mira', session_id]) expect(body).not.toContain(name);
  agent.close();
});

test('H6: /metrics counts who was refused', async () => {
  const relay = await start({ limits: { connections: 2 } });
  const [first] = [await tcpAgent(relay.tcpPort), await tcpAgent(relay.tcpPort)];
  await (await tcpAgent(relay.tcpPort)).closed;
  first.close();
  // It makes room once the relay has noticed.
  const counted = await vi.waitUntil(
    async () => {
      const answered = await metrics(relay);
      return 'aicc_agents' in answered && answered;
    },
    { timeout: 30_000 },
  );
  expect(counted).toMatchObject({ aicc_connections_admitted_total: 3 });
  expect(counted.aicc_connections_refused_total).toBeGreaterThanOrEqual(1);
});

test('H8: only GET and HEAD are answered; a WebSocket address says so', async () => {
  const relay = await start();
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
    expect(await http(relay.port, '/healthz', {}, method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  }
  expect(await http(relay.port, '/healthz', {}, 'HEAD')).toMatchObject({ status: 200, body: '' });
  expect((await http(relay.port, '/agent')).status).toBe(426);
  expect((await http(relay.port, '/')).status).toBe(404);
});

test('what is no HTTP is answered and closed, and the relay lives on', async () => {
  const relay = await start();
  for (const bytes of ['\0\xff\r\n\r\n', 'GET /\xe9 HTTP/1.1\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n']) {
    const socket = connect(relay.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.end(bytes, 'latin1');
    socket.resume();
    await new Promise((resolve) => socket.on('close', resolve));
  }
  expect((await http(relay.port, '/healthz')).status).toBe(200);
});

describe('static files', () => {
  let relay: Relay;
  let outside: string;

  beforeEach(async () => {
    const base = await mkdtemp(join(tmpdir(), 'aicc-static-'));
    afterwards(() => rm(base, { recursive: true }));
    outside = join(base, 'outside.txt');
    const root = join(base, 'www');
    await mkdir(join(root, 'sub', '.git'), { recursive: true });
    await Promise.all([
      writeFile(outside, 'secret'),
      writeFile(join(root, 'index.html'), '<!doctype html><html><head lang="en"><title>Game</title></head></html>'),
      writeFile(join(root, 'headless.html'), '<p>no head</p>'),
      writeFile(join(root, 'game.js'), 'play();'),
      writeFile(join(root, 'with space é.txt'), 'found'),
      writeFile(join(root, '100%.txt'), 'odd'),
      writeFile(join(root, '.env'), 'secret'),
      writeFile(join(root, 'sub', 'index.html'), '<head></head>'),
      writeFile(join(root, 'sub', '.git', 'config'), 'secret'),
    ]);
    await Promise.all([
      symlink(outside, join(root, 'link.txt')),
      symlink(base, join(root, 'up')),
      symlink(join(root, '.env'), join(root, 'env.txt')),
      symlink(join(root, 'game.js'), join(root, 'same.js')),
      symlink(join(root, 'nowhere'), join(root, 'dangling')),
    ]);
    relay = await start({ staticDir: root });
  });

  test('a page is told where its relay is', async () => {
    const page = await http(relay.port, '/?play');
    expect(page.body).toBe(
      '<!doctype html><html><head lang="en"><meta name="aicc-relay" content="/game"><title>Game</title></head></html>',
    );
    expect(page.headers['content-type']).toBe('text/html;charset=utf-8');
    expect((await http(relay.port, '/headless.html')).body).toBe('<meta name="aicc-relay" content="/game"><p>no head</p>');
    expect((await http(relay.port, '/sub/')).body).toContain('aicc-relay');
    expect(await http(relay.port, '/', {}, 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  test('files come with their type, and only once if they did not change', async () => {
    const file = await http(relay.port, '/game.js');
    expect(file).toMatchObject({ status: 200, body: 'play();' });
    expect(file.headers['content-type']).toMatch(/javascript/);
    expect((await http(relay.port, '/game.js', { 'If-None-Match': file.headers.etag as string })).status).toBe(304);
    expect((await http(relay.port, '/with%20space%20%C3%A9.txt')).body).toBe('found');
    expect((await http(relay.port, '/same.js')).status).toBe(200);
  });

  test.each([
    '/.env',
    '/%2eenv',
    '/%2Eenv',
    '/sub/.git/config',
    '/sub/%2egit/config',
    '/../outside.txt',
    '/sub/../../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/..%5coutside.txt',
    '/sub/..\\..\\outside.txt',
    '/link.txt',
    '/up/outside.txt',
    '/env.txt',
    '/dangling',
    '/100%25.txt',
    '/100%.txt',
    '//game.js',
    '/game.js/',
    '/game.js%00.txt',
    '/sub',
    '/nothing.html',
    'game.js',
  ])('H8: %s is 404', async (path) => {
    const got = await http(relay.port, path);
    expect([got.status, got.body]).toEqual([path === 'game.js' ? 400 : 404, path === 'game.js' ? '' : 'There is nothing here.\n']);
  });

  test('an odd range never harms the relay', async () => {
    for (const range of ['bytes=5-2', 'bytes=99-', 'bytes=x', 'lines=1-2', 'bytes=0-3,5-6']) {
      expect([200, 416]).toContain((await http(relay.port, '/game.js', { Range: range })).status);
    }
    expect(await http(relay.port, '/game.js', { Range: 'bytes=0-3' })).toMatchObject({ status: 206, body: 'play' });
  });

  test('every answer carries a policy that keeps pages to themselves', async () => {
    for (const path of ['/', '/game.js', '/healthz', '/nothing']) {
      const { headers } = await http(relay.port, path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'self'; img-src 'self' data: blob:;/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('a directory that is not there stops the start', async () => {
    await expect(startRelay({ port: 0, tcpPort: 0, staticDir: `${outside}/none` })).rejects.toMatchObject({ code: 'bad_static_dir' });
  });
});
