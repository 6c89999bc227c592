import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { type Relay, type RelayOptions, startRelay } from '../../src/relay/index.ts';
import { GamePeer, type GamePeerOptions } from './game-peer.ts';

/** Runs after the test, the last given first. (A hook of this module would serve only the first file of tests that loads it.) */
export function afterwards(close: () => unknown): void {
  onTestFinished(async () => {
    await close();
  });
}

/** A relay on free ports, closed after the test. */
export async function start(options: RelayOptions = {}): Promise<Relay> {
  const relay = await startRelay({ port: 0, tcpPort: 0, ...options });
  afterwards(() => relay.close());
  return relay;
}

/** A scripted game that is connected, closed after the test. */
export async function game(relay: Relay, options: GamePeerOptions = {}): Promise<GamePeer> {
  const peer = await GamePeer.connect(relay.gameUrl, options);
  afterwards(() => peer.close());
  return peer;
}

export interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** One HTTP request with any headers, Host included, and the path exactly as given. */
export async function http(port: number, path: string, headers: { [name: string]: string } = {}, method = 'GET'): Promise<Got> {
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  sent.end();
  const [response] = await once(sent, 'response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
}
