import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import sirv from 'sirv';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';

/** What a strict host sends; Phaser itself needs pictures from data: and blob:. */
const policy = "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; worker-src 'self'";
const folder = '/games/lantern/';
let built: string;
let server: Server;
let browser: Browser;
let page: Page | undefined;
const told = { requests: [] as string[], sockets: [] as string[], problems: [] as string[] };

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'lantern-night-'));
  await build({ logLevel: 'silent', build: { outDir: built } });
  const serve = sirv(built, { dev: true });
  server = createServer((request, response) => {
    response.setHeader('content-security-policy', policy);
    if (!request.url?.startsWith(folder)) {
      response.writeHead(404).end();
      return;
    }
    request.url = request.url.slice(folder.length - 1);
    serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  if (built) rmSync(built, { recursive: true, force: true });
});

afterEach(() => page?.close());

const host = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function open(query: string): Promise<Page> {
  for (const list of Object.values(told)) list.length = 0;
  const opened = await browser.newPage({ viewport: { width: 800, height: 500 } });
  opened.on('request', (request) => told.requests.push(request.url()));
  opened.on('websocket', (socket) => told.sockets.push(socket.url()));
  opened.on('pageerror', (error) => told.problems.push(error.message));
  opened.on('console', (message) => {
    if (message.type() === 'error') told.problems.push(message.text());
  });
  page = opened;
  await opened.goto(`${host()}${folder}?renderer=canvas&seed=7${query}`);
  return opened;
}

/** What the page says about the game in `data-…`. */
const shown = async (on: Page, name: string): Promise<string> => (await on.locator('#game').getAttribute(`data-${name}`)) ?? '';
const person = async (on: Page, name: string): Promise<{ x: number; y: number; driver: string; mind: string; says: string }> =>
  JSON.parse((await shown(on, name)) || '{}');
const eventually = (look: () => Promise<unknown>) => expect.poll(look, { timeout: 30_000, interval: 50 });

test('the built demo plays from a folder of any web host, under a strict CSP, and attempts no connection', async () => {
  const on = await open('&play');
  await eventually(() => shown(on, 'scene')).toBe('hud');
  await eventually(async () => (await person(on, 'mira')).driver).toBe('builtin');
  expect(await person(on, 'mira')).toMatchObject({ mind: 'behaviour tree' });
  const start = await person(on, 'mira');
  await eventually(async () => (await person(on, 'mira')).x).not.toBe(start.x);
  expect(told.sockets).toEqual([]);
  expect(told.problems).toEqual([]);
  expect(told.requests.filter((url) => !url.startsWith(`${host()}${folder}`) && !/^(blob|data):/.test(url))).toEqual([]);
});

test('from the title, Enter begins the night; keys walk; words typed in the chat never do, and Mira answers them', async () => {
  const on = await open('');
  await eventually(() => shown(on, 'scene')).toBe('title');
  await on.keyboard.press('Enter');
  await eventually(() => shown(on, 'scene')).toBe('hud');
  const start = await person(on, 'player');
  await on.keyboard.down('d');
  await eventually(async () => (await person(on, 'player')).x).toBeGreaterThan(start.x + 10);
  await on.keyboard.up('d');

  await on.keyboard.press('Enter');
  await on.locator('.chat input').waitFor();
  const before = await person(on, 'player');
  await on.keyboard.type('wasd wait here ', { delay: 30 });
  // Held for a second of the night: a walk of some 80 pixels, if it were one.
  const second = Number(await shown(on, 'left'));
  await on.keyboard.down('a');
  await eventually(async () => Number(await shown(on, 'left'))).toBeLessThan(second - 1);
  await on.keyboard.up('a');
  expect(await on.locator('.chat input').inputValue()).toBe('wasd wait here a');
  await on.keyboard.press('Enter');
  await eventually(async () => (await person(on, 'player')).says).toBe('wasd wait here a');
  const after = await person(on, 'player');
  // What is shown may be a tenth of a second old.
  expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(10);
  await eventually(async () => (await person(on, 'mira')).says).toBe('I will wait here.');
});

test('a night can be paused and begun anew', async () => {
  const on = await open('&play');
  await eventually(() => shown(on, 'scene')).toBe('hud');
  const left = async () => Number(await shown(on, 'left'));
  await eventually(left).toBeLessThan(148);
  await on.keyboard.press('p');
  await eventually(() => shown(on, 'scene')).toBe('pause');
  const paused = await left();
  await on.keyboard.press('r');
  await eventually(() => shown(on, 'scene')).toBe('hud');
  await eventually(left).toBeGreaterThan(paused);
});

test('the picture fills the window, whatever size the window takes', async () => {
  const on = await open('&play');
  await eventually(() => shown(on, 'scene')).toBe('hud');
  const filled = () =>
    on.evaluate(() => {
      const { width, height } = document.querySelector('canvas')?.getBoundingClientRect() ?? { width: 0, height: 0 };
      return [width - innerWidth, height - innerHeight].every((pixels) => pixels >= 0 && pixels < 4);
    });
  for (const size of [
    { width: 844, height: 390 },
    { width: 390, height: 844 },
    { width: 1280, height: 720 },
  ]) {
    await on.setViewportSize(size);
    await eventually(() => on.evaluate(() => innerWidth)).toBe(size.width);
    await eventually(filled).toBe(true);
  }
});
