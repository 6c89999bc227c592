type Listener = EventListenerOrEventListenerObject | null;

/**
 * An AbortController whose signal's listeners may throw or reject, which in Node would end the process.
 * @param report told what they threw
 */
export function tolerantController(report: (thrown: unknown) => void): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<Listener>();
  const tell = async (listener: Listener, event: Event): Promise<void> => {
    if (typeof listener === 'function') await listener.call(signal, event);
    else await listener?.handleEvent(event);
  };
  signal.addEventListener('abort', (event) => {
    for (const listener of listeners) tell(listener, event).catch(report);
    tell(signal.onabort as Listener, event).catch(report);
  });
  signal.addEventListener = (_type: string, listener: Listener) => void listeners.add(listener);
  signal.removeEventListener = (_type: string, listener: Listener) => void listeners.delete(listener);
  // Else the platform would call it.
  Object.defineProperty(signal, 'onabort', { value: null, writable: true });
  return controller;
}
