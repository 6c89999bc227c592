import { LIMITS } from '../../protocol/index.ts';
import { SUBPROTOCOLS } from '../../protocol/subprotocols.ts';
import { nodeWebSocketChannel } from '../../transport/node.ts';
import type { RelayDoor } from '../relay-door.ts';

/** Agents by WebSocket, at `/agent` (A1). */
export const agentWebSocketDoor: RelayDoor = {
  name: 'agent-web-socket',
  webSocket: {
    path: '/agent',
    subprotocol: SUBPROTOCOLS.agent,
    messageBytes: LIMITS.messageBytes,
    for: 'agents',
    channel: nodeWebSocketChannel,
  },
};
