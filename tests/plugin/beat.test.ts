import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isPreBundled, startBeat } from '../../plugin/beat.ts';

/** How a browser deals with a worker: refuses at once, fails to load it, loads something that keeps silent, or runs it. */
type Fate = 'throws' | 'fails' | 'silent' | 'beats';

/** A browser's workers, by what they are made from; none can be had in Node. */
let fates: { [way: string]: Fate };
let made: string[];
let running: Set<BrowserWorker>;

class BrowserWorker {
  onmessage: (() => void) | null = null;
  onerror: ((event: { preventDefault(): void }) => void) | null = null;
  readonly #fate: Fate;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(url: URL | string) {
    const text = String(url);
    const way = text.startsWith('blob:') ? 'blob' : text.endsWith('/beat-worker.js') ? 'beside' : text;
    made.push(way);
    this.#fate = fates[way] ?? 'beats';
    if (this.#fate === 'throws') throw new Error('no');
    running.add(this);
    if (this.#fate === 'fails') queueMicrotask(() => this.onerror?.({ preventDefault: () => undefined }));
  }

  postMessage(everyMs: number): void {
    if (this.#fate === 'beats') this.#timer = setInterval(() => this.onmessage?.(), everyMs);
  }

  terminate(): void {
    running.delete(this);
    clearInterval(this.#timer);
  }
}

/** The timers that the beat and its workers have set and not cleared. Other files share this thread, and what they left running sets timers too. */
let timers: Set<unknown>;

function watchTimers(): void {
  timers = new Set();
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const isOurs = () => /[\\/]plugin[\\/]beat\.ts/.test(String(new Error().stack));
  const setting =
    (set: typeof setTimeout | typeof setInterval, once: boolean) =>
    (run: () => void, ms?: number): unknown => {
      const ours = isOurs();
      const timer = set(() => {
        if (once) timers.delete(timer);
        run();
      }, ms);
      if (ours) timers.add(timer);
      return timer;
    };
  const clearing = (clear: typeof clearTimeout) => (timer: never) => {
    timers.delete(timer);
    clear(timer);
  };
  vi.stubGlobal('setTimeout', setting(setTimeout, true));
  vi.stubGlobal('setInterval', setting(setInterval, false));
  vi.stubGlobal('clearTimeout', clearing(clearTimeout));
  vi.stubGlobal('clearInterval', clearing(clearInterval));
}

beforeEach(() => {
  fates = {};
  made = [];
  running = new Set();
  vi.useFakeTimers();
  watchTimers();
  vi.stubGlobal('Worker', BrowserWorker);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function beatFor(ms: number, workerUrl: string | undefined = 'mine.js') {
  let beats = 0;
  let warnings = 0;
  const stop = startBeat({ everyMs: 50, workerUrl, beat: () => beats++, onlyTimer: () => warnings++ });
  await vi.advanceTimersByTimeAsync(ms);
  return { stop, beats: () => beats, warnings: () => warnings };
}

describe('E6: the beat of a hidden page', () => {
  test('comes from workerUrl first', async () => {
    const { beats, warnings } = await beatFor(10_000);
    expect(made).toEqual(['mine.js']);
    expect(beats()).toBe(200);
    expect(warnings()).toBe(0);
  });

  test('comes from the worker beside the bundle where none is named', async () => {
    fates = { blob: 'throws' };
    const options = { everyMs: 50, workerUrl: undefined, beat: () => undefined, onlyTimer: () => undefined };
    startBeat(options);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(made).toEqual(['beside']);
  });

  test.each<Fate>(['throws', 'fails', 'silent'])(
    'tries the next way when one %s: beside the bundle, a Blob, a timer of the page',
    async (fate) => {
      const ways = ['mine.js', 'beside', 'blob'];
      for (let bad = 1; bad <= ways.length; bad++) {
        made = [];
        fates = Object.fromEntries(ways.slice(0, bad).map((way) => [way, fate]));
        const { stop, beats, warnings } = await beatFor(20_000);
        expect(made).toEqual(ways.slice(0, bad + 1));
        expect(beats()).toBeGreaterThan(200);
        expect(warnings()).toBe(bad === ways.length ? 1 : 0);
        expect(running.size).toBe(bad === ways.length ? 0 : 1);
        // The worker's or the page's own.
        expect(timers.size).toBe(1);
        const before = beats();
        stop();
        await vi.advanceTimersByTimeAsync(10_000);
        expect(beats()).toBe(before);
        expect(running.size).toBe(0);
        expect(timers.size).toBe(0);
      }
    },
  );

  test('that is stopped while a way fails tries no other', async () => {
    fates = { 'mine.js': 'fails' };
    const { stop } = await beatFor(0, 'silent.js');
    stop();
    const other = startBeat({ everyMs: 50, workerUrl: 'mine.js', beat: () => undefined, onlyTimer: () => undefined });
    other();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(made).toEqual(['silent.js', 'mine.js']);
    expect(running.size).toBe(0);
  });
});

test.each([
  ['http://localhost:5173/node_modules/.vite/deps/phaser-aicc.js?v=6f9d2b1c', true],
  ['http://localhost:5173/@fs/home/me/cache/deps/chunk-ABCD.js?t=1&v=6f9d2b1c', true],
  ['http://localhost:5173/node_modules/phaser-aicc/dist/index.js', false],
  ['https://game.example/assets/index-ABCD.js?v=2', false],
  ['file:///home/me/game/node_modules/phaser-aicc/dist/index.js', false],
])("%s is a dependency from the cache of Vite's dev server: %s", (url, is) => {
  expect(isPreBundled(url)).toBe(is);
});
