import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Relay, RelayOptions } from '../../src/relay/index.ts';
import { afterwards, http, start } from './harness.ts';

const LARGE = 24 * 1024 * 1024;

/** A relay that serves a new folder. */
async function site(options: RelayOptions = {}): Promise<{ relay: Relay; root: string; at(name: string): string }> {
  const root = await mkdtemp(join(tmpdir(), 'aicc-files-'));
  afterwards(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, 'game.js'), 'play();');
  const relay = await start({ ...options, staticDir: root });
  return { relay, root, at: (name) => join(root, name) };
}

/** A client that writes what it likes and reads nothing unless told. */
async function raw(port: number, text: string | Uint8Array): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  afterwards(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** All that comes until the other end hangs up. */
async function rest(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.resume();
  await once(socket, 'close');
  return text;
}

/** How often this process has the file open. */
async function opened(path: string): Promise<number> {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((link) => link === path).length;
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const alive = async (relay: Relay) => expect((await http(relay.port, '/healthz')).status).toBe(200);

test('H8: what is in the folder and is no readable file is 404, and the relay lives on', async () => {
  const { at, relay } = await site();
  const server = createServer().listen(at('socket.js'));
  await once(server, 'listening');
  afterwards(() => server.close());
  execFileSync('mkfifo', [at('pipe.js'), at('pipe.html')]);
  await mkdir(at('folder.html'));
  await writeFile(at('secret.js'), 'x', { mode: 0o000 });
  // More than the threads that Node opens files with.
  const pipes = Array.from({ length: 8 }, () => http(relay.port, '/pipe.js'));
  for (const answer of await Promise.all(pipes)) expect(answer.status).toBe(404);
  for (const path of ['/socket.js', '/pipe.html', '/folder.html', '/socket.js/', '/gone.js'])
    expect((await http(relay.port, path)).status, path).toBe(404);
  expect((await http(relay.port, '/secret.js')).status).toBe(process.getuid?.() === 0 ? 200 : 404);
  await alive(relay);
});

test('H8: a folder that is rebuilt while it is read never harms the relay', async () => {
  const { at, relay } = await site();
  await writeFile(at('app.js'), 'x'.repeat(LARGE));
  const broken = await raw(relay.port, get('/app.js'));
  await once(broken, 'readable');
  await truncate(at('app.js'), 10);
  const text = await rest(broken);
  expect(text).toContain(`Content-Length: ${LARGE}`);
  expect(text.length).toBeLessThan(LARGE);
  const answers = Array.from({ length: 200 }, async (_, index) => {
    if (index % 4 === 0) await rm(at('game.js'), { force: true });
    if (index % 4 === 2) await writeFile(at('game.js'), 'play();');
    return (await http(relay.port, '/game.js')).status;
  });
  for (const status of await Promise.all(answers)) expect([200, 404]).toContain(status);
  await alive(relay);
});

test('an aborted download gives its file back', async () => {
  const { at, relay } = await site();
  await writeFile(at('music.ogg'), Buffer.alloc(LARGE));
  const clients = await Promise.all(Array.from({ length: 60 }, () => raw(relay.port, get('/music.ogg'))));
  await Promise.all(clients.map((client) => once(client, 'readable')));
  expect(await opened(at('music.ogg'))).toBe(60);
  for (const [index, client] of clients.entries()) index % 2 ? client.destroy() : client.resetAndDestroy();
  await vi.waitUntil(async () => (await opened(at('music.ogg'))) === 0, { timeout: 30_000 });
  await alive(relay);
});

test('H9: requests of one connection are answered one after the other, and a connection on which too many wait is cut', async () => {
  const { at, relay } = await site({ limits: { pipelinedRequests: 4 } });
  await writeFile(at('music.ogg'), Buffer.alloc(LARGE));
  const few = await raw(relay.port, get('/game.js') + get('/healthz') + get('/none') + get('/game.js', 'Connection: close\r\n'));
  expect([...(await rest(few)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '200', '404', '200']);
  const waits = await raw(relay.port, get('/music.ogg').repeat(5));
  await once(waits, 'readable');
  expect(await opened(at('music.ogg'))).toBe(1);
  const greedy = await raw(relay.port, get('/music.ogg').repeat(500));
  await rest(greedy);
  waits.destroy();
  await vi.waitUntil(async () => (await opened(at('music.ogg'))) === 0, { timeout: 30_000 });
  await alive(relay);
});

test('who does not read the answer is cut, and so is a connection that never asks', async () => {
  const { at, relay } = await site({ limits: { quietMs: 200 } });
  await writeFile(at('music.ogg'), Buffer.alloc(LARGE));
  const slow = await raw(relay.port, get('/music.ogg'));
  const silent = await raw(relay.port, '');
  await rest(silent);
  await vi.waitUntil(async () => (await opened(at('music.ogg'))) === 0, { timeout: 30_000 });
  expect((await rest(slow)).length).toBeLessThan(LARGE);
  await alive(relay);
});

test('a request whose body never ends is answered, and its connection ends', async () => {
  const { relay } = await site({ limits: { headersMs: 200 } });
  for (const method of ['GET', 'POST']) {
    const endless = await raw(relay.port, `${method} /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`);
    expect(await rest(endless)).toMatch(method === 'GET' ? /^HTTP\/1.1 200/ : /^HTTP\/1.1 405/);
  }
  await rest(await raw(relay.port, 'GET /healthz HTTP/1.1\r\nHost: loc'));
  await alive(relay);
});

test.each([
  ['bytes=0-3', 206, 'play', 'bytes 0-3/7'],
  ['bytes=4-', 206, '();', 'bytes 4-6/7'],
  ['bytes=4-999', 206, '();', 'bytes 4-6/7'],
  ['bytes=-3', 206, '();', 'bytes 4-6/7'],
  ['bytes=-99', 206, 'play();', 'bytes 0-6/7'],
  ['bytes=7-', 416, '', 'bytes */7'],
  ['bytes=-0', 416, '', 'bytes */7'],
  [`bytes=${'9'.repeat(400)}-`, 416, '', 'bytes */7'],
  ['bytes=5-2', 200, 'play();', undefined],
  ['bytes=0-1,3-4', 200, 'play();', undefined],
  ['bytes=-', 200, 'play();', undefined],
  ['lines=1-2', 200, 'play();', undefined],
])('a GET with Range: %.20s is answered %i', async (range, status, body, contentRange) => {
  const { relay } = await site();
  const got = await http(relay.port, '/game.js', { Range: range });
  expect([got.status, got.body, got.headers['content-range']]).toEqual([status, body, contentRange]);
  expect(got.headers['accept-ranges']).toBe('bytes');
});

test('conditions are honoured for files and pages, with GET and HEAD', async () => {
  const { at, relay } = await site();
  await writeFile(at('index.html'), '<head></head>');
  await writeFile(at('empty.js'), '');
  expect(await http(relay.port, '/empty.js')).toMatchObject({ status: 200, body: '' });
  for (const path of ['/game.js', '/']) {
    const { headers } = await http(relay.port, path, {}, 'HEAD');
    const { etag, 'last-modified': modified } = headers as { [name: string]: string };
    const status = async (asked: { [name: string]: string }, method = 'GET') => (await http(relay.port, path, asked, method)).status;
    expect(await status({ 'If-None-Match': etag as string })).toBe(304);
    expect(await status({ 'If-None-Match': `"other", W/${etag}` }, 'HEAD')).toBe(304);
    expect(await status({ 'If-None-Match': '*' })).toBe(304);
    expect(await status({ 'If-None-Match': '"other"', 'If-Modified-Since': modified as string })).toBe(200);
    expect(await status({ 'If-Modified-Since': modified as string })).toBe(304);
    expect(await status({ 'If-Modified-Since': new Date(0).toUTCString() })).toBe(200);
    expect(await status({ 'If-Modified-Since': 'yesterday' })).toBe(200);
    expect(await status({ 'If-Match': '"other"' })).toBe(412);
    expect(await status({ 'If-Match': etag as string })).toBe(200);
    expect(await status({ 'If-Unmodified-Since': new Date(0).toUTCString() })).toBe(412);
    expect(await status({ Range: 'bytes=0-1', 'If-Range': etag as string })).toBe(206);
    expect(await status({ Range: 'bytes=0-1', 'If-Range': '"other"' })).toBe(200);
    expect(await status({ Range: 'bytes=0-1', 'If-Range': modified as string })).toBe(206);
    expect(await status({ Range: 'bytes=0-1' }, 'HEAD')).toBe(200);
  }
  expect((await stat(at('game.js'))).size).toBe(7);
});

test.each([
  ['GET', '/game.js', 200],
  ['HEAD', '/healthz', 200],
  ['GET', '/agent', 426],
  ['POST', '/healthz', 405],
])('a %s of %s that asks for h2c is served as if it did not', async (method, path, status) => {
  const { relay } = await site();
  for (const asked of ['h2c', 'TLS/1.2', 'h2c, foo/2']) {
    const socket = await raw(
      relay.port,
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${asked}\r\nHTTP2-Settings: AAMA\r\nContent-Length: 3\r\n\r\n{}\n`,
    );
    const answer = await rest(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    if (path === '/game.js') expect(answer).toMatch(/\r\n\r\nplay\(\);$/);
  }
  await alive(relay);
});

test('an upgrade that breaks off never harms the relay', async () => {
  const { relay } = await site();
  const ask = (path: string, protocol: string) =>
    get(
      path,
      `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`,
    );
  for (const text of [ask('/agent', 'websocket'), ask('/game', 'websocket'), ask('/none', 'websocket'), ask('/game.js', 'h2c')])
    for (let times = 0; times < 5; times++) (await raw(relay.port, text + text)).resetAndDestroy();
  await alive(relay);
});
