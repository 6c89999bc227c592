import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import type { Agents } from './agents.ts';
import { answer, answerSocket } from './answers.ts';
import type { Connections } from './connections.ts';
import type { GuardOptions } from './guard.ts';
import { inTurn } from './in-turn.ts';
import type { Liveness } from './liveness.ts';
import { serveOrdinarily } from './ordinary-request.ts';
import type { RelayDoor, Route, WebSocketDoor } from './relay-door.ts';
import type { RelayLimits } from './relay-limits.ts';
import { handleRequests } from './routes.ts';
import type { Tokens } from './tokens.ts';
import { handleUpgrades } from './upgrades.ts';

export interface HttpServerOptions {
  guard: GuardOptions;
  tokens: Tokens;
  agents: Agents;
  connections: Connections;
  liveness: Liveness;
  limits: RelayLimits;
  clock: Clock;
}

/** The server for HTTP requests and WebSockets of all doors. Listens not yet. */
export function httpServer(doors: readonly RelayDoor[], options: HttpServerOptions): Server {
  const { connections, limits } = options;
  const webSockets = doors.flatMap(({ webSocket }) => webSocket ?? []);
  const routes = [...webSockets.map(webSocketsOnly), ...doors.flatMap((door) => door.routes ?? [])];
  const server = createServer(
    { headersTimeout: limits.headersMs, requestTimeout: limits.headersMs, connectionsCheckingInterval: limits.headersMs },
    inTurn(limits.pipelinedRequests, handleRequests(routes, options)),
  );
  server.setTimeout(limits.quietMs);
  server.on('connection', (socket: Socket) => {
    // `serveOrdinarily` hands a socket over anew.
    if (connections.has(socket)) return;
    const refusal = connections.enter(socket);
    if (refusal !== undefined) answerSocket(socket, refusal.status, refusal.reason);
  });
  const ordinary = serveOrdinarily.bind(undefined, server);
  server.on('upgrade', handleUpgrades(webSockets, { ...options, ordinary }));
  return server;
}

/** What an ordinary request for a WebSocket's path is answered. */
const webSocketsOnly = ({ path }: WebSocketDoor): Route => ({
  path,
  methods: ['GET', 'HEAD'],
  token: 'none',
  bodyBytes: 0,
  handle: ({ request, response }) =>
    answer(request, response, 426, `${path} takes WebSocket connections only.`, { Upgrade: 'websocket', Connection: 'close' }),
});
