import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { CONTRACT_LIMITS, judged, type Refused, readShape } from '../../contract/node.ts';
import { answer } from '../answers.ts';
import type { Activations } from './activations.ts';
import type { OfferDesk } from './desk.ts';
import { OPENCLASP_LIMITS } from './limits.ts';
import type { AgentPlace } from './options.ts';
import type { PlatformKey } from './platform-key.ts';
import { checkPlatformRequest } from './platform-request.ts';
import type { Trust } from './trust.ts';

export interface ControlOptions {
  desk: OfferDesk;
  activations: Activations;
  trust: Trust;
  platformKey: PlatformKey;
  placeOf(agentId: string): AgentPlace | undefined;
  addressOf(place: AgentPlace): string;
  clock: Clock;
  now(): number;
}

interface Answer {
  status: number;
  body: object;
}

const say = (status: number, error: string, reason: string): Answer => ({ status, body: { error, reason } });
const sentence = ({ reason, step }: Refused): string => `${step}: ${reason}`;

/** `POST /openclasp`, the runtime's control endpoint (T5). */
export async function handleControl(request: IncomingMessage, response: ServerResponse, options: ControlOptions): Promise<void> {
  if (request.method !== 'POST') {
    answer(request, response, 405, 'Only POST is answered here.', { Allow: 'POST', Connection: 'close' });
    return;
  }
  const body = await readBody(request, options.clock);
  // Half a body, or one too many: what else comes on this connection cannot be told from it.
  if (!Buffer.isBuffer(body)) answer(request, response, body.status, body.body, { Connection: 'close' });
  else {
    const { body: text, status } = await control(request, body, options);
    answer(request, response, status, text);
  }
}

async function control({ headers }: IncomingMessage, body: Buffer, options: ControlOptions): Promise<Answer> {
  const text = decode(body);
  const type = text === undefined ? undefined : typeOf(text);
  if (type === 'openclasp.runtime.verify') return verified(text as string, options);
  const { activations, desk, now, platformKey, trust } = options;
  const key = await platformKey.get(trust.keys.platformKey);
  const proof = checkPlatformRequest(headers, body, { key, nowMs: now() });
  if (!proof.ok || key === undefined) return say(401, 'unauthorized', proof.ok ? 'there is no key' : proof.reason);
  if (text === undefined) return say(400, 'invalid_request', 'schema: the body is not UTF-8');
  const { requestId, signature, timestamp } = proof;
  const request = { body: text, signature, timestamp };
  if (type === 'openclasp.session.offer') {
    if (!isNamed(text, 'offerId', requestId)) return say(401, 'unauthorized', 'openclasp-request-id must be the offerId');
    const taken = await desk.takeFromPlatform(request, key);
    return taken.ok ? { status: 200, body: taken.accepted } : say(409, 'session_declined', sentence(taken));
  }
  if (type === 'openclasp.session.activation') {
    if (!isNamed(text, 'activationId', requestId)) return say(401, 'unauthorized', 'openclasp-request-id must be the activationId');
    const activated = await activations.activate(request, key);
    return activated.ok
      ? { status: 200, body: { accepted: true, activationId: activated.activationId } }
      : say(409, 'activation_declined', sentence(activated));
  }
  return say(400, 'invalid_request', 'schema: the body must be an OpenClasp offer, activation or verify, as JSON');
}

/** T5: unsigned; tells the platform that the agent lives here. */
function verified(text: string, { addressOf, placeOf }: ControlOptions): Answer {
  const read = judged(() => ({ ok: true, verify: readShape('verify', text) }));
  if (!read.ok) return say(400, 'invalid_request', sentence(read));
  const { agentId, challenge } = read.verify;
  const place = placeOf(agentId);
  if (place === undefined) return say(404, 'unknown_agent', 'agent: no character of this agent is served here');
  return { status: 200, body: { type: 'openclasp.runtime.verified', version: '1', agentId, challenge, a2aEndpoint: addressOf(place) } };
}

/** The body, at most 64 KiB; what to answer otherwise. */
function readBody(request: IncomingMessage, clock: Clock): Promise<Buffer | Answer> {
  const tooLarge = say(413, 'too_large', `the body must be at most ${CONTRACT_LIMITS.messageBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > CONTRACT_LIMITS.messageBytes) return Promise.resolve(tooLarge);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stopTimer = clock.schedule(() => finish(say(408, 'too_slow', 'the body did not come in time')), OPENCLASP_LIMITS.bodyMs);
    const finish = (result: Buffer | Answer) => {
      stopTimer();
      request.removeAllListeners('data');
      resolve(result);
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > CONTRACT_LIMITS.messageBytes) finish(tooLarge);
      else chunks.push(chunk);
    });
    request.on('end', () => finish(Buffer.concat(chunks)));
    request.on('error', () => finish(say(400, 'invalid_request', 'the body broke off')));
    request.on('close', () => finish(say(400, 'invalid_request', 'the body broke off')));
  });
}

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function typeOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}

/** Whether the message has this id; one that has none is its schema's fault, not the header's. */
function isNamed(text: string, member: string, requestId: string): boolean {
  const id = (JSON.parse(text) as Record<string, unknown>)[member];
  return typeof id !== 'string' || id === requestId;
}
