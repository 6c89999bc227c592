import type { EventEmitter } from 'node:events';

/** Node's own list of what keeps a process alive: sockets, servers, children. */
interface Handles {
  _getActiveHandles(): unknown[];
}

const isEmitter = (handle: unknown): handle is EventEmitter => typeof (handle as EventEmitter).eventNames === 'function';

/** How many listeners there are on the process and on all that keeps it alive. */
export function countListeners(): number {
  const handles = (process as unknown as Handles)._getActiveHandles();
  const emitters = new Set([process, ...handles].filter(isEmitter));
  return [...emitters].reduce((sum, emitter) => sum + emitter.eventNames().reduce((own, name) => own + emitter.listenerCount(name), 0), 0);
}
