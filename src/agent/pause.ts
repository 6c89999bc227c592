import { onAbort } from './on-abort.ts';

/** Resolves after so many milliseconds of wall time. @throws the signal's reason by rejecting, when it aborts */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, ms);
    const stop = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
