import type { IncomingMessage } from 'node:http';
import type { Clock } from '../base/clock.ts';

/** A body is there within this time; milliseconds of wall time. */
const BODY_MS = 10_000;

/** Why a body was not read. */
export interface BodyRefusal {
  status: number;
  error: string;
  reason: string;
}

/** Reads a request's body of at most `most` bytes. Returns why it could not, if so: then the connection must be closed, for the rest of the body is still on it. */
export function readBody(request: IncomingMessage, most: number, clock: Clock): Promise<Buffer | BodyRefusal> {
  const tooLarge = { status: 413, error: 'too_large', reason: `the body must be at most ${most} bytes` };
  const brokenOff = { status: 400, error: 'invalid_request', reason: 'the body broke off' };
  if (Number(request.headers['content-length'] ?? 0) > most) return Promise.resolve(tooLarge);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (result: Buffer | BodyRefusal) => {
      stopTimer();
      request.removeAllListeners('data');
      resolve(result);
    };
    const stopTimer = clock.schedule(() => finish({ status: 408, error: 'too_slow', reason: 'the body did not come in time' }), BODY_MS);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > most) finish(tooLarge);
      else chunks.push(chunk);
    });
    request.on('end', () => finish(Buffer.concat(chunks)));
    request.on('error', () => finish(brokenOff));
    request.on('close', () => finish(brokenOff));
  });
}
