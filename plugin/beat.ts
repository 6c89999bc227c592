/** The same as beat-worker.js, for where that file is not to be had. */
const SOURCE = 'let t;onmessage=e=>{clearInterval(t);t=setInterval(()=>postMessage(0),e.data)}';

/** So long a worker may keep silent before the next way is tried, in milliseconds. */
const SILENCE_MS = 3_000;

export interface BeatOptions {
  /** Milliseconds between two beats. */
  everyMs: number;
  /** A game's own copy of `beat-worker.js`. */
  workerUrl: string | undefined;
  beat(): void;
  /** No worker can be had: a timer of the page beats, once a second or less while it is hidden. */
  onlyTimer(): void;
}

/** Makes a worker; throws or lets it fail where it cannot be had. */
type Way = () => Worker;

/**
 * Beats until it is stopped, also in a hidden page: from a worker that is found as `workerUrl`, beside the bundle or as a Blob, in this order (the
 * Blob first under Vite's dev server), else from a timer of the page.
 * @returns the way to stop it
 */
export function startBeat({ everyMs, workerUrl, beat, onlyTimer }: BeatOptions): () => void {
  // Written so that bundlers see the file and bring it along.
  const beside = () => new Worker(new URL('./beat-worker.js', import.meta.url));
  const ways: Way[] = [
    ...(workerUrl === undefined ? [] : [() => new Worker(workerUrl)]),
    ...(isPreBundled(import.meta.url) ? [fromBlob, beside] : [beside, fromBlob]),
  ];
  let stopCurrent: () => void = () => undefined;
  let stopped = false;
  const tryNext = () => {
    stopCurrent();
    if (stopped) return;
    const way = ways.shift();
    stopCurrent = way ? beatFrom(way) : beatFromTimer();
  };
  const beatFrom = (way: Way): (() => void) => {
    let worker: Worker;
    try {
      worker = way();
    } catch {
      queueMicrotask(tryNext);
      return () => undefined;
    }
    const silence = setTimeout(tryNext, SILENCE_MS);
    worker.onerror = (event) => {
      event.preventDefault();
      tryNext();
    };
    worker.onmessage = () => {
      clearTimeout(silence);
      beat();
    };
    worker.postMessage(everyMs);
    return () => {
      clearTimeout(silence);
      worker.onmessage = null;
      worker.onerror = null;
      worker.terminate();
    };
  };
  const beatFromTimer = (): (() => void) => {
    onlyTimer();
    const timer = setInterval(beat, everyMs);
    return () => clearInterval(timer);
  };
  tryNext();
  return () => {
    stopped = true;
    stopCurrent();
  };
}

/**
 * Vite's dev server serves each dependency from a folder of its cache, until Vite 8 without the files that lie beside it: asking for the worker there
 * is a 404 in the game's console.
 */
export function isPreBundled(moduleUrl: string): boolean {
  return /\/deps\/[^/?]+\?(.*&)?v=/.test(moduleUrl);
}

function fromBlob(): Worker {
  const url = URL.createObjectURL(new Blob([SOURCE], { type: 'text/javascript' }));
  const worker = new Worker(url);
  // Fetched by then, whatever came of it.
  setTimeout(() => URL.revokeObjectURL(url), SILENCE_MS);
  return worker;
}
