import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * H9: handles the requests of one connection one after the other: each when the answer to the one before it has left. Node itself begins all requests
 * that a client pipelines, and each would hold its file and its bytes. A connection on which more than `most` wait is cut.
 */
export function inTurn(most: number, listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Duplex, (() => void)[]>();

  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    response.once('close', () => {
      const next = waiting.get(socket)?.shift();
      if (next === undefined) waiting.delete(socket);
      else if (!socket.destroyed) next();
    });
    listener(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    const line = waiting.get(socket);
    if (line === undefined) {
      waiting.set(socket, []);
      begin(request, response);
    } else if (line.length < most) {
      line.push(() => begin(request, response));
    } else {
      socket.destroy();
    }
  };
}
