import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from 'phaser-aicc/agent';
import type { Browser, Page } from 'playwright';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Relay, startRelay } from '../../src/relay/index.ts';
import { launchChromium } from './chromium.ts';
import { GamePage } from './live-game.ts';

const ENGINES = [
  { version: '4.2.1', folder: 'phaser' },
  { version: '3.90.0', folder: 'phaser3' },
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, 300_000);
afterAll(() => browser?.close());

describe.each(ENGINES)('the demo on Phaser $version, served by the relay', ({ version, folder }) => {
  let built: string;
  let relay: Relay;
  let page: Page;

  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), 'lantern-night-'));
    const phaser = fileURLToPath(new URL(`../../node_modules/${folder}/dist/phaser.esm.js`, import.meta.url));
    await build({ logLevel: 'silent', resolve: { alias: { phaser } }, build: { outDir: built } });
    relay = await startRelay({ port: 0, tcpPort: 0, staticDir: built });
  });
  afterAll(async () => {
    await relay?.close();
    if (built) rmSync(built, { recursive: true, force: true });
  });
  afterEach(() => page?.close());

  async function open(query: string): Promise<GamePage> {
    page = await browser.newPage({ viewport: { width: 800, height: 500 } });
    const game = new GamePage(page);
    await game.open(`${relay.url}?renderer=canvas&seed=7${query}`);
    return game;
  }

  test('it is this engine that runs', () => {
    const script = readdirSync(join(built, 'assets')).find((name) => /^index-.*\.js$/.test(name)) as string;
    expect(readFileSync(join(built, 'assets', script), 'utf8')).toContain(version);
  });

  test('it is played, an agent drives, the page is hidden for a while, and nothing offends the strict CSP', async () => {
    const game = await open('');
    await expect.poll(() => game.shown('scene'), { timeout: 30_000 }).toBe('title');
    await page.keyboard.press('Enter');
    await expect.poll(() => game.shown('scene')).toBe('hud');
    await expect.poll(() => game.person('mira')).toMatchObject({ driver: 'builtin', mind: 'behaviour tree' });
    const start = await game.person('player');
    await page.keyboard.down('d');
    await expect.poll(async () => (await game.person('player')).x).toBeGreaterThan((start.x ?? 0) + 10);
    await page.keyboard.up('d');
    await page.keyboard.press('Enter');
    await page.locator('.chat input').fill('wait here');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await game.person('player')).says).toBe('wait here');

    const mira = await connect({ url: relay.agentUrl, character: 'mira', model: 'edge_small', waitMs: 10_000 });
    await expect.poll(() => game.person('mira')).toMatchObject({ driver: 'agent', mind: 'edge_small' });
    const { position } = (await mira.call('body')) as { position: { x: number; y: number } };
    const moved = (await mira.call('move_to', { x: position.x, y: position.y + 30 })) as { position: { y: number } };
    expect(moved.position.y).toBeGreaterThan(position.y + 15);
    await mira.call('say', { text: 'Here I am.' });
    await expect.poll(async () => (await game.person('mira')).says).toBe('Here I am.');

    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await game.pretendHidden(true);
    await expect.poll(() => workers).toEqual([expect.stringMatching(/\/assets\/beat-worker-.*\.js$/)]);
    await mira.call('move_to', position);
    await game.pretendHidden(false);
    await mira.close();
    await expect.poll(() => game.person('mira')).toMatchObject({ driver: 'builtin' });

    await page.keyboard.press('p');
    await expect.poll(() => game.shown('scene')).toBe('pause');
    expect(game.problems).toEqual([]);
  });

  test('the page that was looked at is under the policy, and a violation of it is found', async () => {
    const game = await open('');
    expect(game.policy).toMatch(/^default-src 'self'; img-src 'self' data: blob:;/);
    expect(game.policy).not.toMatch(/unsafe|\*|(?<!img-src 'self' )data:|https?:/);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      document.head.append(script);
    });
    await expect.poll(() => game.problems).toContainEqual(expect.stringContaining('script-src'));
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
  });
});
