/** The little of a browser that Phaser touches when it draws nothing: enough to load and run it in plain Node. */

type Bag = Record<string, unknown>;

const nothing = () => undefined;

/** A 2D context (or gradient, or pattern) that accepts everything and draws nothing. */
function drawnNowhere(canvas: Bag): object {
  const values: Bag = {
    canvas,
    measureText: (text: string) => ({ width: text.length * 8, actualBoundingBoxAscent: 8, actualBoundingBoxDescent: 2 }),
    getImageData: (_x: number, _y: number, width: number, height: number) => pixels(width, height),
    createImageData: pixels,
    createLinearGradient: () => drawnNowhere(canvas),
    createRadialGradient: () => drawnNowhere(canvas),
    createPattern: () => drawnNowhere(canvas),
  };
  return new Proxy(values, { get: (target, key: string) => (key in target ? target[key] : nothing) });
}

function pixels(width: number, height: number) {
  return { width, height, data: new Uint8ClampedArray(Math.max(0, width * height * 4)) };
}

function element(tag: string): Bag {
  const made: Bag = {
    tagName: tag.toUpperCase(),
    style: {},
    dataset: {},
    addEventListener: nothing,
    removeEventListener: nothing,
    setAttribute: nothing,
    appendChild: nothing,
    removeChild: nothing,
    remove: nothing,
    focus: nothing,
    getBoundingClientRect: () => ({ x: 0, y: 0, left: 0, top: 0, width: 0, height: 0 }),
  };
  if (tag !== 'canvas') return made;
  const context = drawnNowhere(made);
  return Object.assign(made, { width: 300, height: 150, getContext: () => context, toDataURL: () => 'data:,' });
}

/** Phaser waits for its three built-in textures: an image says "loaded" a microtask after it has been given a `src`. */
class ImageShim {
  width = 32;
  height = 32;
  complete = false;
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  #src = '';

  get src(): string {
    return this.#src;
  }

  set src(value: string) {
    this.#src = value;
    queueMicrotask(() => {
      this.complete = true;
      this.onload?.();
    });
  }
}

/**
 * Puts `window`, `document`, `navigator`, `screen`, `Image` and a frame callback that never fires on the global object, unless they are there.
 * Must run before `phaser` is loaded: import `./install.ts` as the first line of the file.
 */
export function installShim(): void {
  const document: Bag = {
    readyState: 'complete',
    hidden: false,
    visibilityState: 'visible',
    addEventListener: nothing,
    removeEventListener: nothing,
    createElement: element,
    createElementNS: (_namespace: string, tag: string) => element(tag),
    getElementById: () => null,
    querySelector: () => null,
    querySelectorAll: () => [],
    hasFocus: () => true,
    body: element('body'),
    head: element('head'),
    documentElement: element('html'),
  };
  const shims: Bag = {
    window: globalThis,
    self: globalThis,
    document,
    navigator: { userAgent: 'node', appVersion: 'node', platform: 'node', maxTouchPoints: 0, getGamepads: () => [] },
    screen: { width: 1024, height: 768, availWidth: 1024, availHeight: 768 },
    Image: ImageShim,
    HTMLCanvasElement: class {},
    HTMLVideoElement: class {},
    requestAnimationFrame: () => 0,
    cancelAnimationFrame: nothing,
    addEventListener: nothing,
    removeEventListener: nothing,
    focus: nothing,
    innerWidth: 1024,
    innerHeight: 768,
    devicePixelRatio: 1,
  };
  for (const [name, value] of Object.entries(shims)) {
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}
