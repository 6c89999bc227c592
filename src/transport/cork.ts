import type { Writable } from 'node:stream';

const corked = new WeakSet<Writable>();

/** Gathers what is written to a socket in this turn of the event loop into one write. Call it before each write. */
export function corkThisTurn(socket: Writable): void {
  if (corked.has(socket)) return;
  corked.add(socket);
  socket.cork();
  process.nextTick(() => {
    corked.delete(socket);
    socket.uncork();
  });
}
