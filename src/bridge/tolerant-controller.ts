type Listener = EventListenerOrEventListenerObject | null;

/**
 * An AbortController whose signal's listeners may throw or reject, which in Node would end the process.
 * @param report told what they threw
 */
export function tolerantController(report: (thrown: unknown) => void): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  const tolerated = new WeakMap<object, EventListener>();
  const tolerate = (listener: Listener): Listener => {
    if (!listener) return listener;
    const known = tolerated.get(listener);
    if (known) return known;
    const run = async (event: Event): Promise<void> =>
      'handleEvent' in listener ? listener.handleEvent(event) : listener.call(signal, event);
    const tolerant = (event: Event) => void run(event).catch(report);
    tolerated.set(listener, tolerant);
    return tolerant;
  };
  for (const name of ['addEventListener', 'removeEventListener'] as const) {
    const method = signal[name];
    signal[name] = (type: string, listener: Listener, options?: boolean | AddEventListenerOptions) =>
      method.call(signal, type, tolerate(listener) as EventListener, options);
  }
  let own: AbortSignal['onabort'] = null;
  Object.defineProperty(signal, 'onabort', {
    get: () => own,
    set(handler: AbortSignal['onabort']) {
      if (own) signal.removeEventListener('abort', own);
      own = handler;
      if (own) signal.addEventListener('abort', own);
    },
  });
  return controller;
}
