interface Waiting {
  readonly runs: Set<() => void>;
  stop(): void;
}

const waitingOn = new WeakMap<AbortSignal, Waiting>();

/**
 * Runs something when the signal aborts. However many wait on one signal, it gets one listener: Node warns of more than ten.
 * @param run not called when the signal has aborted already
 * @returns the way to stop waiting
 */
export function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal === undefined) return () => {};
  const waiting = waitingOn.get(signal) ?? listenTo(signal);
  // The same function may wait twice.
  const once = () => run();
  waiting.runs.add(once);
  return () => {
    if (waiting.runs.delete(once) && waiting.runs.size === 0) waiting.stop();
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const runs = new Set<() => void>();
  const fire = () => {
    waitingOn.delete(signal);
    for (const run of [...runs]) run();
  };
  const waiting = {
    runs,
    stop() {
      waitingOn.delete(signal);
      signal.removeEventListener('abort', fire);
    },
  };
  signal.addEventListener('abort', fire, { once: true });
  waitingOn.set(signal, waiting);
  return waiting;
}
