import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './chromium.ts';
import type { Fared } from './pages/hidden-tab.ts';
import { type ServedPage, servePage } from './serve-page.ts';
import { openTabs, type Tab, type Tabs } from './tabs.ts';

/** Long enough for a browser to slow a hidden page's timers down. */
const HIDDEN_MS = 70_000;

let tabs: Tabs;
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
  tabs = await openTabs(await chromiumPath());
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
  await each((tab) => until(tab, 'document.title === "ready"'));
  const front = await tabs.open('about:blank');
  await front.activate();
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
}, 180_000);

afterAll(async () => {
  await tabs?.close();
  for (const server of servers) await server.close();
});

describe('E6: a hidden tab', () => {
  test.each(['besideTheBundle', 'named', 'blob'])(
    'the world keeps real time to within three per cent, its worker being found: %s',
    (way) => {
      const { hidden, real, world, scene, walked, ticks, calls, kinds, warnings } = fared[way]!;
      expect(hidden).toBe(true);
      expect(real).toBeGreaterThanOrEqual(HIDDEN_MS);
      for (const time of [world, scene, walked * 100, ticks * 100]) expect(Math.abs(time / real - 1)).toBeLessThan(0.03);
      expect(calls.done).toBeGreaterThan(60);
      expect(calls.failed).toEqual([]);
      expect(kinds).toEqual([]);
      expect(warnings).toEqual([]);
    },
  );

  test('E2: an event mode world steps for its calls as it does in front', () => {
    const { real, world, walked, calls } = fared.eventMode!;
    expect(calls.failed).toEqual([]);
    expect(calls.done).toBeGreaterThan(40);
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
    expect(calls.failed.length).toBeGreaterThan(10);
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
