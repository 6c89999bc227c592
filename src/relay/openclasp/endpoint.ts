import type { IncomingMessage } from 'node:http';
import { judged, type Refused, readShape } from '../../contract/node.ts';
import { answer } from '../answers.ts';
import type { Exchange } from '../relay-door.ts';
import type { Activations } from './activations.ts';
import type { OfferDesk } from './desk.ts';
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
  now(): number;
}

interface Answer {
  status: number;
  body: object;
}

const say = (status: number, error: string, reason: string): Answer => ({ status, body: { error, reason } });
const sentence = ({ reason, step }: Refused): string => `${step}: ${reason}`;

/** Answers `POST /openclasp`, the runtime's control endpoint (T5). */
export async function handleControl({ body, request, response }: Exchange, options: ControlOptions): Promise<void> {
  const { body: text, status } = await control(request, body, options);
  answer(request, response, status, text);
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
