import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import sirv from 'sirv';
import { build, createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../browser/chromium.ts';
import { type Consumer, installPackage } from './installed-package.ts';

/** A game as a newcomer writes it. `background: 'pause'` starts the beat whoever drives. */
const GAME = `
import * as Phaser from 'phaser';
import { aicc } from 'phaser-aicc';

const game = new Phaser.Game({
  type: Phaser.CANVAS,
  audio: { noAudio: true },
  plugins: { global: [aicc({ world: 'w', background: 'pause' })] },
  scene: { create() { this.game.events.once('poststep', () => this.game.events.emit('hidden')); } },
});
globalThis.game = game;
`;
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>game</title><link rel="icon" href="data:,"><script type="module" src="/game.js"></script>';

let consumer: Consumer;
let browser: Browser;
let dev: ViteDevServer | undefined;
let served: Server | undefined;
beforeAll(async () => {
  consumer = await installPackage();
  consumer.write('index.html', PAGE);
  consumer.write('game.js', GAME);
  browser = await launchChromium();
}, 300_000);
afterAll(async () => {
  served?.close();
  await dev?.close();
  await browser?.close();
  consumer?.remove();
});

/** Opens the page, and tells what was not found there and which worker beats. */
async function visit(url: string): Promise<{ worker: string; missing: string[]; complaints: string[] }> {
  const page = await browser.newPage();
  const missing: string[] = [];
  const complaints: string[] = [];
  page.on('response', (response) => response.status() >= 400 && missing.push(response.url()));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const worker = page.waitForEvent('worker');
  await page.goto(url);
  const beating = (await worker).url();
  await page.close();
  return { worker: beating.replace(/\?.*/, ''), missing, complaints };
}

test("under Vite's dev server, without any configuration, a hidden page's beat asks for no file that is not there", async () => {
  dev = await createServer({ root: consumer.dir, configFile: false, logLevel: 'silent', server: { port: 0, host: '127.0.0.1' } });
  await dev.listen();
  const url = dev.resolvedUrls?.local[0] as string;
  // The first visit may be reloaded when Vite has found the dependencies.
  await visit(url).catch(() => undefined);
  const { worker, missing, complaints } = await visit(url);
  expect([missing, complaints]).toEqual([[], []]);
  expect(worker).toMatch(/^blob:/);
});

test('built by Vite, the worker is a file beside the bundle, which a strict content security policy allows', async () => {
  await build({ root: consumer.dir, configFile: false, logLevel: 'silent', build: { assetsInlineLimit: 0 } });
  const files = sirv(join(consumer.dir, 'dist'));
  served = createHttpServer((request, response) => {
    response.setHeader('content-security-policy', "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'");
    files(request, response);
  });
  await new Promise<void>((resolve) => served?.listen(0, '127.0.0.1', resolve));
  const { worker, missing, complaints } = await visit(`http://127.0.0.1:${(served.address() as AddressInfo).port}/`);
  expect([missing, complaints]).toEqual([[], []]);
  expect(worker).toMatch(/\/assets\/beat-worker-[\w-]+\.js$/);
});
