import type { Relay } from '../../src/relay/index.ts';
import { type RawAgent, tcpAgent, webSocketAgent } from './raw-agents.ts';

/** An agent that can stop reading. */
export type Reader = RawAgent & { stop(): void; goOn(): void };
export const READERS: [string, (relay: Pick<Relay, 'agentUrl' | 'tcpPort'>) => Promise<Reader>][] = [
  [
    'WebSocket',
    async (relay) => {
      const agent = await webSocketAgent(relay.agentUrl);
      return { ...agent, stop: () => agent.ws.pause(), goOn: () => agent.ws.resume() };
    },
  ],
  [
    'TCP',
    async (relay) => {
      const agent = await tcpAgent(relay.tcpPort);
      return { ...agent, stop: () => agent.socket.pause(), goOn: () => agent.socket.resume() };
    },
  ],
];
