import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { CLOSE_CODES, type ConnectCheck, connectFromQuery, LIMITS } from '../protocol/index.ts';
import { SUBPROTOCOLS } from '../protocol/subprotocols.ts';
import { answerSocket } from './answers.ts';
import { bearerToken, subprotocols } from './bearer-token.ts';
import { type GuardOptions, refusedByGuard } from './guard.ts';
import { asksForWebSocket } from './ordinary-request.ts';
import type { RelayLimits } from './relay-limits.ts';
import type { Tokens } from './tokens.ts';

export interface UpgradesOptions {
  guard: GuardOptions;
  tokens: Tokens;
  /** Whether a token that is not one of `tokens` may come in all the same: it belongs to a session offer. */
  mayKnock(token: string): boolean;
  limits: RelayLimits;
  /** Whether there is room for one more agent that asks for a session. */
  hasRoom(): boolean;
  /** Serves a request for another protocol than WebSocket as if it did not ask for one. */
  ordinary(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  agent(ws: WebSocket, socket: Duplex, token: string | undefined, query: ConnectCheck | undefined): void;
  game(ws: WebSocket, socket: Duplex): void;
}

const BOUNDS = {
  /** A message in more pieces than this is an attack: each piece costs memory of its own (A2). */
  maxFragments: 1_024,
  maxBufferedChunks: 8_192,
  /** How long a peer may take to answer a close frame. */
  closeTimeout: 2_000,
};

/** The way from an HTTP upgrade to a WebSocket, past everything that may speak against it (B5, H3, H7). */
export function handleUpgrades(options: UpgradesOptions): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const { limits } = options;
  const server = (protocol: string, maxPayload: number) =>
    new WebSocketServer({
      ...BOUNDS,
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload,
      handleProtocols: (offered) => offered.has(protocol) && protocol,
    });
  const agents = server(SUBPROTOCOLS.agent, LIMITS.messageBytes);
  const games = server(SUBPROTOCOLS.game, limits.gameFrameBytes);

  return (request, socket, head) => {
    if (!asksForWebSocket(request)) return options.ordinary(request, socket, head);
    socket.on('error', () => socket.destroy());
    const [path, query] = splitUrl(request.url ?? '');
    const refusal = refusedByGuard(request, options.guard);
    if (refusal !== undefined) answerSocket(socket, 403, refusal);
    else if (path === '/agent') upgradeAgent(request, socket, head, query);
    else if (path === '/game') upgradeGame(request, socket, head);
    else answerSocket(socket, 404, 'WebSockets are at /agent and /game.');
  };

  function upgradeAgent(request: IncomingMessage, socket: Duplex, head: Buffer, query: string): void {
    const token = bearerToken(request);
    const isKnown = options.tokens.agent(token) !== undefined || (token !== undefined && options.mayKnock(token));
    if (!isKnown) {
      refuseToken(agents, request, socket, head);
    } else if (query !== '' && !options.hasRoom()) {
      // Without a query it may still take up a session, which needs no room.
      answerSocket(socket, 503, 'Too many connections wait for a session: try again.');
    } else {
      agents.handleUpgrade(request, socket, head, (ws) => {
        options.agent(ws, socket, token, query === '' ? undefined : connectFromQuery(new URLSearchParams(query)));
      });
    }
  }

  function upgradeGame(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!options.tokens.admitsGame(bearerToken(request))) refuseToken(games, request, socket, head);
    else if (!subprotocols(request).includes(SUBPROTOCOLS.game))
      answerSocket(socket, 400, `A game must offer the subprotocol ${SUBPROTOCOLS.game}.`);
    else games.handleUpgrade(request, socket, head, (ws) => options.game(ws, socket));
  }
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
