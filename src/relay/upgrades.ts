import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { CLOSE_CODES, connectFromQuery } from '../protocol/index.ts';
import type { Agents } from './agents.ts';
import { answerSocket } from './answers.ts';
import { type GuardOptions, refusedByGuard } from './guard.ts';
import { bearerToken, subprotocols } from './http-token.ts';
import type { Liveness } from './liveness.ts';
import { asksForWebSocket } from './ordinary-request.ts';
import type { WebSocketDoor } from './relay-door.ts';
import type { Tokens } from './tokens.ts';

export interface UpgradesOptions {
  guard: GuardOptions;
  tokens: Tokens;
  agents: Agents;
  liveness: Liveness;
  /** Serves a request for another protocol than WebSocket as if it did not ask for one. */
  ordinary(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

const BOUNDS = {
  /** A message in more pieces than this is an attack: each piece costs memory of its own (A2). */
  maxFragments: 1_024,
  maxBufferedChunks: 8_192,
  /** How long a peer may take to answer a close frame. */
  closeTimeout: 2_000,
};

/** The way from an HTTP upgrade to a WebSocket, past everything that may speak against it (B5, H3, H7). */
export function handleUpgrades(
  doors: readonly WebSocketDoor[],
  options: UpgradesOptions,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const { agents, liveness, tokens } = options;
  const paths = new Map(doors.map((door) => [door.path, { door, server: serverFor(door) }]));

  return (request, socket, head) => {
    if (!asksForWebSocket(request)) return options.ordinary(request, socket, head);
    socket.on('error', () => socket.destroy());
    const [path, query] = splitUrl(request.url ?? '');
    const refusal = refusedByGuard(request, options.guard);
    const found = paths.get(path);
    if (refusal !== undefined) answerSocket(socket, 403, refusal);
    else if (found === undefined) answerSocket(socket, 404, `WebSockets are at ${[...paths.keys()].join(' and ')}.`);
    else upgrade(found, request, socket, head, query);
  };

  function upgrade({ door, server }: Served, request: IncomingMessage, socket: Duplex, head: Buffer, query: string): void {
    const token = bearerToken(request);
    const isKnown = door.for === 'agents' ? agents.mayEnter(token) : tokens.admitsGame(token);
    if (!isKnown) {
      refuseToken(server, request, socket, head);
    } else if (door.for === 'agents' && query !== '' && !agents.hasSeat) {
      // Without a query it may still take up a session, which needs no room.
      answerSocket(socket, 503, 'Too many connections wait for a session: try again.');
    } else if (door.for === 'games' && !subprotocols(request).includes(door.subprotocol)) {
      answerSocket(socket, 400, `A game must offer the subprotocol ${door.subprotocol}.`);
    } else {
      server.handleUpgrade(request, socket, head, (ws) => {
        liveness.watch(ws);
        accept(door, ws, socket, token, query);
      });
    }
  }

  function accept(door: WebSocketDoor, ws: WebSocket, socket: Duplex, token: string | undefined, query: string): void {
    if (door.for === 'games') return door.accept(ws, socket);
    agents.admit(door.channel(ws, socket), { token, query: query === '' ? undefined : connectFromQuery(new URLSearchParams(query)) });
  }
}

interface Served {
  door: WebSocketDoor;
  server: WebSocketServer;
}

function serverFor({ messageBytes, subprotocol }: WebSocketDoor): WebSocketServer {
  return new WebSocketServer({
    ...BOUNDS,
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytes,
    handleProtocols: (offered) => offered.has(subprotocol) && subprotocol,
  });
}

/** B5: a page cannot see an HTTP status, so its socket is accepted and closed. */
function refuseToken(server: WebSocketServer, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  if (request.headers.origin === undefined) {
    answerSocket(socket, 401, 'unauthorized', { 'WWW-Authenticate': 'Bearer' });
  } else {
    server.handleUpgrade(request, socket, head, (ws) => {
      ws.on('error', () => {});
      ws.close(CLOSE_CODES.unauthorized, 'unauthorized');
    });
  }
}

function splitUrl(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}
