import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import type { Look, Seen } from './pages/bubbles.ts';
import { type ServedPage, servePage } from './serve-page.ts';

const WORDS = 'The lantern by the old bridge has gone out, and I am on my way to light it again.';
/** Where a speaker can stand: in the middle, and at every edge of the world. */
const PLACES: [x: number, y: number][] = [
  [1000, 600],
  [12, 16],
  [1988, 16],
  [12, 1184],
  [1988, 1184],
];
/** Set to a folder to have a picture of every look. */
const PICTURES = process.env.AICC_PICTURES;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, 300_000);
afterAll(() => browser?.close());

describe.each(['phaser4', 'phaser3'] as const)('what somebody says, on %s', (engine) => {
  let served: ServedPage;
  let page: Page;
  beforeAll(async () => {
    served = await servePage('bubbles.ts', { engine });
    page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    await page.goto(served.url);
    await page.waitForFunction(() => 'look' in window);
  });
  afterAll(async () => {
    await page?.close();
    await served?.close();
  });

  let pictures = 0;
  async function look(how: Look): Promise<Seen> {
    const seen = await page.evaluate((options) => window.look(options), how);
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${engine}-${++pictures}.png` });
    return seen;
  }

  /** Wholly on the screen, and with letters of a size to read. */
  function expectReadable({ left, top, right, bottom, lineHeight, cameras, view }: Seen, least = 12): void {
    expect([left >= 0, top >= 0, right <= view.width, bottom <= view.height]).toEqual([true, true, true, true]);
    expect(Math.round(lineHeight)).toBeGreaterThanOrEqual(least);
    expect(lineHeight).toBeLessThan(13);
    expect(cameras).toBe(1);
  }

  test.each([0.5, 1, 2, 3])('is readable and on the screen at zoom %d, in the middle and at every edge of the world', async (zoom) => {
    for (const at of PLACES) expectReadable(await look({ zoom, at, text: WORDS }));
  });

  test('is as large from within a scaled container, and stays with somebody who does not scroll', async () => {
    expectReadable(await look({ at: [1000, 600], text: WORDS, container: 4 }));
    expectReadable(await look({ at: [400, 300], text: WORDS, scrollFactor: 0, zoom: 2 }));
  });

  test('is shown once, by the camera that shows the speaker, beside a map and a HUD', async () => {
    expectReadable(await look({ at: [1000, 600], text: WORDS, beside: 'map', zoom: 2 }));
    expectReadable(await look({ at: [1000, 600], text: WORDS, beside: 'hud', zoom: 2 }));
  });

  test('fits into a small screen, however long', async () => {
    expectReadable(await look({ width: 160, height: 144, at: [1000, 600], text: WORDS }));
    expectReadable(await look({ width: 240, height: 160, at: [12, 16], text: `${WORDS} ${WORDS}` }), 6);
    expectReadable(await look({ at: [12, 16], text: 'word '.repeat(300) }), 6);
  });

  test.each([
    ['a word that is wider than a line', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'],
    ['Chinese', '橋のたもとのランタンが消えてしまったので、もう一度灯しに行くところです。すぐに戻ります。'],
    ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈👍🏽'.repeat(12)],
    ['Arabic', 'انطفأ الفانوس عند الجسر القديم، وأنا في طريقي لإشعاله من جديد!'],
    ['Hebrew with Latin', 'הפנס ליד הגשר כבה (bridge), ואני בדרך להדליק אותו שוב!'],
  ])('is broken into lines between letters where it must be: %s', async (_what, text) => {
    const seen = await look({ at: [1000, 600], text });
    expectReadable(seen);
    expect(seen.right - seen.left).toBeLessThanOrEqual(200);
    expect(seen.lines.length).toBeGreaterThan(1);
    // Nothing is lost, and no letter is broken in two.
    const letters = (whole: string) => Array.from(new Intl.Segmenter().segment(whole), ({ segment }) => segment);
    const joined = seen.lines.map((line) => line.replace(/[\u2067\u2069]/g, ''));
    expect(joined.flatMap(letters).filter((letter) => letter !== ' ')).toEqual(letters(text).filter((letter) => letter !== ' '));
  });
});
