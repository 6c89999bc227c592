import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import type { Played } from './pages/event-mode.ts';
import { type ServedPage, servePage } from './serve-page.ts';

let browser: Browser;
let served: ServedPage;
beforeAll(async () => {
  browser = await launchChromium();
  served = await servePage('event-mode.ts');
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

test('E2: in Chromium the same seed and calls give the same outcomes and events over 1,000 steps, painted or not', async () => {
  const page = await browser.newPage();
  await page.goto(served.url);
  await page.waitForFunction(() => 'play' in window);
  const play = (frames: 'painted' | 'made'): Promise<Played> => page.evaluate((how) => window.play('a seed', 1_000, how), frames);
  const made = await play('made');
  expect(made.collisions).toBeGreaterThan(3);
  const painted = await play('painted');
  expect(painted.hash).toBe(made.hash);
  // A world that stands still is painted all the same.
  expect(painted.drawn).toBeGreaterThan(1_000);
  const other = await page.evaluate(() => window.play('another seed', 100, 'made'));
  expect(other.hash).not.toBe(made.hash);
  await page.close();
});
