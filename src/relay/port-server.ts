import { createServer, type Server, type Socket } from 'node:net';
import { CLOSE_CODES } from '../protocol/index.ts';
import type { Agents } from './agents.ts';
import type { Connections } from './connections.ts';
import type { PortDoor } from './relay-door.ts';

/** The server of a door with a port of its own, which counts its connections like all others. Listens not yet. */
export function portServer(door: PortDoor, connections: Connections, agents: Agents): Server {
  const accept = (socket: Socket): void => {
    const refusal = connections.enter(socket);
    if (door.for === 'agents') {
      const agent = agents.admit(door.channel(socket));
      // As a message, for there is no status to answer with.
      if (refusal !== undefined) agent.close(CLOSE_CODES.tryAgainLater, refusal.reason);
    } else if (refusal === undefined) {
      door.accept(socket);
    } else {
      socket.destroy();
    }
  };
  return createServer({ allowHalfOpen: door.allowHalfOpen ?? false }, accept);
}
