import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../support/extent.ts';
import { chromiumPath } from './chromium.ts';
import type { Fared } from './pages/hidden-tab.ts';
import { type ServedPage, servePage } from './serve-page.ts';
import { openTabs, type Tab, type Tabs } from './tabs.ts';

/** Long enough for a browser to slow a hidden page's timers down, and for some heartbeats. */
const HIDDEN_MS = isLong ? 70_000 : 42_000;
const SECONDS = HIDDEN_MS / 1_000;
/** Whole gaps between heartbeats that fit in, wherever the first one falls. */
const FEWEST_GAPS = Math.floor(HIDDEN_MS / 10_000) - 2;

/** Once a page has been hidden for five minutes the browser lets its timers run but once a minute: here after five seconds. */
const INTENSIVE = ['--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/5'];

const browsers: Tabs[] = [];
const servers: ServedPage[] = [];
let pages: { [way: string]: Tab } = {};
let fared: { [way: string]: Fared } = {};
let shown: Fared;

const until = async (tab: Tab, condition: string): Promise<void> => {
  while (!(await tab.evaluate<boolean>(condition))) await new Promise((resolve) => setTimeout(resolve, 50));
};

const each = async <T>(work: (tab: Tab) => Promise<T>): Promise<{ [way: string]: T }> =>
  Object.fromEntries(await Promise.all(Object.entries(pages).map(async ([way, tab]) => [way, await work(tab)])));

beforeAll(async () => {
  const [tabs, strictTabs] = await Promise.all([openTabs(await chromiumPath()), openTabs(await chromiumPath(), INTENSIVE)]);
  browsers.push(tabs, strictTabs);
  const [free, strict] = await Promise.all([
    servePage('hidden-tab.ts'),
    servePage('hidden-tab.ts', { headers: { 'content-security-policy': "default-src 'self'; img-src 'self' data: blob:" } }),
  ]);
  servers.push(free, strict);
  const urls = {
    besideTheBundle: strict.url,
    named: `${free.url}without/assets/?workerUrl=../../beat.js`,
    blob: `${free.url}without/assets/`,
    timer: `${strict.url}without/assets/?workerUrl=nowhere.js`,
    paused: `${free.url}?background=pause`,
    eventMode: `${free.url}?tickMode=event`,
  };
  pages = {};
  for (const [way, url] of Object.entries(urls)) pages[way] = await tabs.open(url);
  const intensive = {
    intensive: strict.url,
    intensivePaused: `${free.url}?background=pause`,
    intensiveTimer: `${strict.url}without/assets/?workerUrl=nowhere.js`,
  };
  for (const [way, url] of Object.entries(intensive)) {
    const tab = await strictTabs.open(url);
    pages[way] = tab;
    // In front, for behind it would take minutes.
    await until(tab, 'document.title === "ready"');
  }
  await each((tab) => until(tab, 'document.title === "ready"'));
  for (const browser of browsers) {
    const front = await browser.open('about:blank');
    await front.activate();
  }
  // Most of them were hidden by the next one before they had ever been painted.
  await each((tab) => until(tab, 'document.hidden && (fared().ticks > 3 || fared().kinds.includes("world_paused"))'));
  await each((tab) => tab.evaluate('mark()'));
  await new Promise((resolve) => setTimeout(resolve, HIDDEN_MS));
  fared = await each((tab) => tab.evaluate<Fared>('fared()'));
  const first = pages.besideTheBundle!;
  await first.activate();
  await until(first, '!document.hidden');
  await first.evaluate('mark()');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  shown = await first.evaluate<Fared>('fared()');
}, 300_000);

afterAll(async () => {
  for (const browser of browsers) await browser.close();
  for (const server of servers) await server.close();
});

describe('E6: a hidden tab', () => {
  test.each(['besideTheBundle', 'named', 'blob', 'intensive'])(
    'the world keeps real time to within three per cent, its worker being found: %s',
    (way) => {
      const { hidden, real, world, scene, walked, ticks, calls, kinds, warnings } = fared[way]!;
      expect(hidden).toBe(true);
      expect(real).toBeGreaterThanOrEqual(HIDDEN_MS);
      for (const time of [world, scene, walked * 100, ticks * 100]) expect(Math.abs(time / real - 1)).toBeLessThan(0.03);
      expect(calls.done).toBeGreaterThan(SECONDS * 0.85);
      expect(calls.failed).toEqual([]);
      expect(kinds).toEqual([]);
      expect(warnings).toEqual([]);
    },
  );

  test('a worker that is named is taken before the one beside the bundle, and that before a Blob', () => {
    const workers = (server: ServedPage) =>
      server.asked.filter((path) => path.includes('beat')).map((path) => path.replace(/-worker-.*/, ''));
    const [free, strict] = servers as [ServedPage, ServedPage];
    // Named; a Blob, there being none beside the bundle; and the pages that have one there.
    expect(workers(free).sort()).toEqual(['assets/beat', 'assets/beat', 'assets/beat', 'beat.js', 'without/assets/assets/beat']);
    expect(workers(strict)).toContain('assets/beat');
  });

  test.each(['besideTheBundle', 'named', 'blob', 'eventMode', 'paused', 'intensive', 'intensivePaused'])(
    'C3: a heartbeat comes every ten seconds, also when the browser lets timers run but once a minute: %s',
    (way) => {
      const { heartbeatGaps } = fared[way]!;
      expect(heartbeatGaps.length).toBeGreaterThanOrEqual(FEWEST_GAPS);
      for (const gap of heartbeatGaps) expect(Math.abs(gap - 10_000)).toBeLessThan(1_500);
    },
  );

  test('without a worker it does not: the browser holds timers back, as it is meant to here', () => {
    expect(fared.intensiveTimer!.heartbeatGaps.length).toBeLessThan(FEWEST_GAPS);
  });

  test.each(['besideTheBundle', 'intensive'])('D18: deadlines are kept: %s', (way) => {
    const { late } = fared[way]!;
    expect(late.length).toBeGreaterThan(SECONDS * 0.85);
    expect(late.sort((a, b) => a - b)[Math.floor(late.length / 2)]).toBeLessThan(200);
  });

  test('E2: an event mode world steps for its calls as it does in front', () => {
    const { real, world, walked, calls } = fared.eventMode!;
    expect(calls.failed).toEqual([]);
    expect(calls.done).toBeGreaterThan(SECONDS * 0.55);
    expect(Math.abs((walked * 100) / world - 1)).toBeLessThan(0.03);
    expect(world).toBeGreaterThan(real * 0.7);
    expect(world).toBeLessThan(real * 1.03);
  });

  test('without any worker a timer of the page does what it can, and says so once', () => {
    const { world, real, calls, warnings } = fared.timer!;
    expect(world).toBeGreaterThan(real / 4);
    expect(calls.failed).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('workerUrl')]);
  });

  test("background: 'pause' stands still, says so, and answers at once", () => {
    const { world, calls, kinds } = fared.paused!;
    expect(world).toBeLessThan(300);
    expect(calls.done).toBeLessThanOrEqual(1);
    expect(calls.failed.length).toBeGreaterThan(SECONDS / 7);
    expect(new Set(calls.failed)).toEqual(new Set(['tool_unavailable: the world is paused; wait for world_resumed']));
    expect(kinds).toEqual(['world_paused']);
  });

  test('shown again, it runs on at its own pace, and neither jumps nor runs twice', () => {
    const { hidden, real, world, calls } = shown;
    expect(hidden).toBe(false);
    expect(world).toBeGreaterThan(real * 0.5);
    expect(world).toBeLessThan(real * 1.1 + 100);
    expect(calls.failed).toEqual([]);
  });
});
