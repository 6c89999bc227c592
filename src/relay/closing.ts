import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';

/** Resolves with the promise, or after `ms`. */
export function inTime(promise: Promise<unknown>, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.schedule(resolve, ms);
    void promise.then(() => {
      stop();
      resolve();
    });
  });
}

/** Resolves when every socket has closed; cuts those that take longer than `ms`. */
export function allClosed(sockets: ReadonlySet<Socket>, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (sockets.size === 0) return resolve();
    const stop = clock.schedule(() => {
      for (const socket of sockets) socket.destroy();
    }, ms);
    for (const socket of [...sockets])
      socket.on('close', () => {
        if (sockets.size > 0) return;
        stop();
        resolve();
      });
  });
}
