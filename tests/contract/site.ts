import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Activation, makeToken, type Offer, signText, type TokenClaims } from '../../src/contract/node.ts';
import type { OpenClaspOptions, Relay, RelayOptions } from '../../src/relay/index.ts';
import type { GamePeer } from '../relay/game-peer.ts';
import { game, start } from '../relay/harness.ts';
import { AT, keyOf, privateKeyOf, trustText, VECTORS, type Who } from './vectors.ts';

export interface Site {
  relay: Relay;
  peer: GamePeer;
  /** What the relay takes for the time. */
  time: { at: number };
  trustFile: string;
  stateDir: string;
  /** What the operator was told. */
  told: string[];
}

/** A folder of its own, removed after the test, when the relays that write into it are closed. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'aicc-offers-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A relay that takes offers for the vectors' agent `game-mira`, and a scripted game with its character `mira` and another, `bob`. */
export async function site(openclasp: Partial<OpenClaspOptions> = {}, options: RelayOptions = {}): Promise<Site> {
  const dir = await folder();
  const trustFile = join(dir, 'KEYS.json');
  await writeFile(trustFile, trustText());
  const time = { at: AT };
  const told: string[] = [];
  const stateDir = openclasp.stateDir ?? join(dir, 'state');
  const relay = await start({
    ...options,
    openclasp: {
      trustFile,
      agents: { 'game-mira': { character: 'mira' } },
      now: () => time.at,
      log: (sentence) => told.push(sentence),
      ...openclasp,
      stateDir,
    },
  });
  const peer = await game(relay, { characters: ['mira', 'bob'], ...(options.gameToken && { token: options.gameToken }) });
  return { relay, peer, time, trustFile, stateDir, told };
}

export interface Posted {
  status: number;
  body: { error?: string; reason?: string; [name: string]: unknown };
}

/** One request to the control endpoint, exactly as given. */
export async function postRaw(relay: Relay, body: string | Buffer, headers: Record<string, string> = {}, method = 'POST'): Promise<Posted> {
  const sent = request({ host: '127.0.0.1', port: relay.port, path: '/openclasp', method, headers, agent: false });
  // The relay may hang up before it has taken it all.
  sent.on('error', () => {});
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, body: text.startsWith('{') ? JSON.parse(text) : { text } };
}

/** The headers of the platform's request. */
export function signedHeaders(
  body: string,
  { at = AT, id, by = 'platform' }: { at?: number; id?: string; by?: Who } = {},
): Record<string, string> {
  const timestamp = new Date(at).toISOString();
  const message = JSON.parse(body);
  const requestId = id ?? message.offerId ?? message.activationId;
  return {
    'openclasp-request-id': requestId,
    'openclasp-timestamp': timestamp,
    'openclasp-signature': `v1=${signText(privateKeyOf(by), `${timestamp}.${requestId}.${body}`)}`,
  };
}

/** A message from the platform, as it sends them. */
export function post(relay: Relay, message: object, how: Parameters<typeof signedHeaders>[1] = {}): Promise<Posted> {
  const body = JSON.stringify(message);
  return postRaw(relay, body, signedHeaders(body, how));
}

export function activationOf(
  { agentId, contractHash, interactionId, role }: Offer,
  sessionId: unknown,
  more: Partial<Activation> = {},
): Activation {
  return {
    type: 'openclasp.session.activation',
    version: '1',
    activationId: '3f0c2b1a-6c1d-4b7e-9a52-0d6f1f2e3c4b',
    interactionId,
    agentId,
    sessionId: String(sessionId),
    role,
    peer: {
      agentId: 'driver-one',
      sessionId: 'theirs',
      endpoint: 'https://driver.example/a2a',
      bearerToken: 'for-them',
      verificationKey: keyOf('driver-one').publicKey,
    },
    reporting: { endpoint: 'https://platform.example/report', bearerToken: 'for-us' },
    contractHash,
    activatedAt: new Date(AT).toISOString(),
    expiresAt: '2099-01-01T00:00:00Z',
    ...more,
  };
}

/** What `driver-one` shows for half an hour. */
export function driverToken(more: Partial<TokenClaims> = {}, by: Who = 'driver-one'): string {
  const { interactionId } = VECTORS.offer;
  const claims = { interactionId, senderAgentId: 'driver-one', recipientAgentId: 'game-mira', expiresAt: AT + 1_800_000 };
  return makeToken({ ...claims, ...more }, privateKeyOf(by));
}

/** A connect line with a local offer. */
export const offerLine = (offer: object, token: string | undefined = driverToken(), more: object = {}): string =>
  JSON.stringify({ connect: { session_offer: offer, token, ...more } });
