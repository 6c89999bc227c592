import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CONTRACT_LIMITS, isSignature } from '../../contract/node.ts';
import { signedBytes } from './stored.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Whether a request is the platform's own (T5): the signed bytes are `timestamp.requestId.rawBody`, as they came.
 * @returns the request id, or one sentence why not
 */
export function checkPlatformRequest(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { key, nowMs }: { key: KeyObject | undefined; nowMs: number },
): { ok: true; requestId: string; timestamp: string; signature: string } | { ok: false; reason: string } {
  const refuse = (reason: string) => ({ ok: false, reason }) as const;
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const requestId = header('openclasp-request-id');
  const timestamp = header('openclasp-timestamp');
  const signature = header('openclasp-signature');
  if (requestId === undefined) return refuse('the header openclasp-request-id is missing');
  if (timestamp === undefined) return refuse('the header openclasp-timestamp is missing');
  if (signature === undefined) return refuse('the header openclasp-signature is missing');
  const sentMs = TIME.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(sentMs)) return refuse('openclasp-timestamp must be a time like 2026-01-31T12:00:00.000Z');
  if (Math.abs(sentMs - nowMs) > CONTRACT_LIMITS.skewMs)
    return refuse('openclasp-timestamp is more than five minutes away from the time here');
  const value = /^v1=(\S+)$/.exec(signature)?.[1];
  if (value === undefined) return refuse('openclasp-signature must begin with v1=');
  if (key === undefined) return refuse("the platform's key is not known here");
  const signed = signedBytes({ timestamp, body }, requestId);
  return isSignature(key, signed, value)
    ? { ok: true, requestId, timestamp, signature: value }
    : refuse('the signature does not fit the request');
}
