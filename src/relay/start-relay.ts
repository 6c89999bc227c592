import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { checkOptions, type OptionKind } from '../base/check-options.ts';
import { type Clock, wallClock } from '../base/clock.ts';
import { DEFAULT_HOST, DEFAULT_PORTS } from '../protocol/default-addresses.ts';
import { CLOSE_CODES } from '../protocol/index.ts';
import { type Channel, CROWDED, type Door, type DoorOptions, memoryPair, openDoor, type Principal } from '../transport/index.ts';
import { nodeWebSocketChannel, tcpChannel } from '../transport/node.ts';
import { isLoopback, urlHost } from './addresses.ts';
import { Admission } from './admission.ts';
import { type AiControl, type AiControlOptions, checkAiControl, startAiControl } from './aicontrol/index.ts';
import { answerSocket } from './answers.ts';
import { allClosed, inTime } from './closing.ts';
import { GameLink } from './game-link.ts';
import { inTurn } from './in-turn.ts';
import { listen } from './listen.ts';
import { Liveness } from './liveness.ts';
import { metricsOf } from './metrics.ts';
import { type OpenClaspOptions, startOpenClasp } from './openclasp/index.ts';
import { serveOrdinarily } from './ordinary-request.ts';
import { Places } from './places.ts';
import { RelayError } from './relay-error.ts';
import { RELAY_LIMITS, type RelayLimits } from './relay-limits.ts';
import { RelayedAgent } from './relayed-agent.ts';
import { handleRequests } from './requests.ts';
import { serveStatic } from './static-files.ts';
import { type TokenOptions, Tokens } from './tokens.ts';
import { handleUpgrades } from './upgrades.ts';
import { Worlds } from './worlds.ts';

export interface RelayOptions extends TokenOptions {
  /** Default 127.0.0.1. Anything but this machine needs a token for agents and one for games. */
  host?: string | undefined;
  /** HTTP and WebSocket. Default 4750; 0 for a free one. */
  port?: number | undefined;
  /** AICC over TCP. Default 4751; 0 for a free one. */
  tcpPort?: number | undefined;
  /** Files to serve at `/`; none when left out. */
  staticDir?: string | undefined;
  /** Further names (`name` or `name:port`) that the relay may be called by. */
  allowedHosts?: readonly string[] | undefined;
  /** Origins of pages elsewhere (`https://play.example`) that may connect. */
  allowedOrigins?: readonly string[] | undefined;
  /** A second way in, for clients of the AiControl line protocol. Default: none. */
  aicontrol?: AiControlOptions | undefined;
  /** Session offers: who may drive which character, and under which contract. Default: none are taken. */
  openclasp?: OpenClaspOptions | undefined;
  limits?: Partial<RelayLimits> | undefined;
  /** Told in one line each of games and agents that come and go, for a person. Default: nobody. */
  log?: ((line: string) => void) | undefined;
  /** Wall time. Default: the real one. */
  clock?: Clock | undefined;
}

export interface Relay {
  /** Where a person opens it. */
  readonly url: string;
  /** Where agents connect by WebSocket. */
  readonly agentUrl: string;
  /** Where games connect. */
  readonly gameUrl: string;
  readonly host: string;
  readonly port: number;
  readonly tcpPort: number;
  /** Where AiControl clients connect; undefined when it is off. */
  readonly aicontrolPort: number | undefined;
  /** Gives back what AiControl drives, hangs up on everyone and resolves when everything is closed. May be called again. */
  close(): Promise<void>;
}

const OPTIONS: Record<keyof RelayOptions, OptionKind> = {
  host: 'string',
  port: 'number',
  tcpPort: 'number',
  agentToken: 'string',
  gameToken: 'string',
  tokensFile: 'string',
  staticDir: 'string',
  allowedHosts: 'list',
  allowedOrigins: 'list',
  aicontrol: 'object',
  openclasp: 'object',
  limits: 'object',
  clock: 'object',
  log: 'function',
};
const LIMIT_OPTIONS = Object.fromEntries(Object.keys(RELAY_LIMITS).map((name) => [name, 'number'])) as Record<
  keyof RelayLimits,
  OptionKind
>;

/**
 * Starts a relay: it keeps bad input, strangers and slow sockets away from games and carries everything else. It keeps no session state.
 * @throws RelayError when it cannot: one sentence says why and what to do
 */
export async function startRelay(options: RelayOptions = {}): Promise<Relay> {
  checkOptions('startRelay(options)', options, OPTIONS);
  checkOptions('startRelay({ limits })', options.limits, LIMIT_OPTIONS);
  const { host = DEFAULT_HOST, port = DEFAULT_PORTS.http, tcpPort = DEFAULT_PORTS.tcp, clock = wallClock, log = () => {} } = options;
  const limits: RelayLimits = { ...RELAY_LIMITS, ...options.limits };
  const tokens = await Tokens.load(options);
  refuseOpenDoors(host, tokens);
  if (options.aicontrol !== undefined) checkAiControl(options.aicontrol);
  const files = options.staticDir === undefined ? undefined : await serveStatic(options.staticDir);

  const guard = { host, allowedHosts: options.allowedHosts ?? [], allowedOrigins: options.allowedOrigins ?? [] };
  const worlds = new Worlds(clock, limits, log);
  const places = new Places({ clock, limits });
  const admission = new Admission(limits, () => clock.wallNow());
  const sockets = new Set<Socket>();
  const doors = new Set<Door>();
  /** Those of the relay's own agents, which say goodbye by themselves. */
  const ownDoors = new Set<Door>();
  const links = new Set<GameLink>();
  const liveness = new Liveness(clock, limits.pingMs);
  let agentUrl = '';
  const offers =
    options.openclasp && (await startOpenClasp(options.openclasp, { clock, worlds, agentUrl: () => agentUrl, newId: randomUUID }));
  /** Who a token names: for an offer's the offer decides, and nothing else. */
  const authenticate = (token: string | undefined): Principal | undefined =>
    offers?.isOurs(token) ? offers.present(token) : tokens.agent(token);
  const takeOffer = (header: string | undefined) =>
    offers && { takeOffer: (line: string, token: string | undefined) => offers.takeOffer(line, token ?? header) };

  /** A game says hello at once: one that is silent for long gives way. */
  const makeRoomForGame = (): void => {
    const silent = [...links].filter((link) => !link.hasJoined);
    if (silent.length >= limits.unopened) silent[0]?.close(CLOSE_CODES.tryAgainLater, 'Too many games have said no hello yet: try again.');
  };

  const admit = (socket: Socket): 'full' | 'too_fast' | undefined => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      admission.leave();
    });
    return admission.enter(socket.remoteAddress ?? '');
  };

  const acceptAgent = (
    channel: Channel,
    how: Pick<DoorOptions, 'authenticate' | 'takeOffer' | 'tokenRequired' | 'query'>,
    isOwn = false,
  ): Door => {
    const agent = new RelayedAgent(worlds, channel, log);
    const place = isOwn ? undefined : places.take(() => door.close(CLOSE_CODES.tryAgainLater, CROWDED));
    let isOver = false;
    const door = openDoor(channel, {
      ...how,
      ...(place && { place }),
      opener: offers?.around(agent) ?? agent,
      clock,
      newId: randomUUID,
      outboundBytes: limits.outboundBytes,
      pingMs: limits.pingMs,
      onClosed(end) {
        isOver = true;
        place?.leave();
        agent.leave(end);
        doors.delete(door);
        ownDoors.delete(door);
      },
    });
    if (!isOver) doors.add(door);
    return door;
  };

  const http = createHttpServer(
    { headersTimeout: limits.headersMs, requestTimeout: limits.headersMs, connectionsCheckingInterval: limits.headersMs },
    inTurn(
      limits.pipelinedRequests,
      handleRequests({
        guard,
        tokens,
        worlds,
        files,
        openclasp: offers && ((request, response) => offers.handle(request, response)),
        agents: () => [...doors].filter((door) => door.isOpen).length,
        metrics: () => metricsOf({ worlds: worlds.size, agents: [...doors], games: [...links], connections: admission.counts }),
      }),
    ),
  );
  http.setTimeout(limits.quietMs);
  http.on('connection', (socket: Socket) => {
    // Handed over anew, by `serveOrdinarily`.
    if (sockets.has(socket)) return;
    const refusal = admit(socket);
    if (refusal === 'full') answerSocket(socket, 503, 'Too many connections: try again.');
    else if (refusal === 'too_fast') answerSocket(socket, 429, 'Too many connections from one address: wait a second.');
  });
  http.on(
    'upgrade',
    handleUpgrades({
      guard,
      tokens,
      mayKnock: (token) => offers?.mayKnock(token) ?? false,
      limits,
      hasRoom: () => places.hasSeat,
      ordinary: (request, socket, head) => serveOrdinarily(http, request, socket, head),
      agent(ws, socket, token, query) {
        liveness.watch(ws);
        acceptAgent(nodeWebSocketChannel(ws, socket), {
          authenticate: (named) => authenticate(named ?? token),
          ...takeOffer(token),
          tokenRequired: false,
          ...(query !== undefined && { query }),
        });
      },
      game(ws, socket) {
        liveness.watch(ws);
        const channel = nodeWebSocketChannel(ws, socket);
        makeRoomForGame();
        const link: GameLink = new GameLink({ channel, socket, registry: worlds, clock, limits, log, onClosed: () => links.delete(link) });
        links.add(link);
      },
    }),
  );

  const tcp = createTcpServer((socket) => {
    const refusal = admit(socket);
    const door = acceptAgent(tcpChannel(socket), { authenticate, ...takeOffer(undefined), tokenRequired: tokens.agentsNeedOne });
    if (refusal !== undefined)
      door.close(
        CLOSE_CODES.tryAgainLater,
        refusal === 'too_fast' ? 'Too many connections from one address: wait a second.' : 'Too many connections: try again.',
      );
  });

  /** AiControl's own way to the games: an agent like any other (AiControl W18). */
  const enter = (): Channel => {
    const [channel, doorEnd] = memoryPair();
    ownDoors.add(acceptAgent(doorEnd, { authenticate: () => ({ name: 'aicontrol' }), ...takeOffer(undefined), tokenRequired: true }, true));
    return channel;
  };
  let aicontrol: AiControl | undefined;

  const closeServers = (): void => {
    for (const server of [http, tcp]) if (server.listening) server.close();
    http.closeIdleConnections();
    liveness.stop();
  };

  let boundPort: number;
  let boundTcpPort: number;
  try {
    boundPort = await listen(http, host, port, '--port');
    boundTcpPort = await listen(tcp, host, tcpPort, '--tcp-port');
    if (options.aicontrol !== undefined) {
      const onChange = (listener: () => void) => worlds.onChange(listener);
      aicontrol = await startAiControl(options.aicontrol, { clock, enter, onChange, admit: (socket) => admit(socket) === undefined });
    }
  } catch (error) {
    closeServers();
    await offers?.close();
    throw error;
  }
  // A connection that cannot be accepted (no more files, say) is that connection's loss.
  for (const server of [http, tcp]) server.on('error', () => {});

  const close = async (): Promise<void> => {
    closeServers();
    const hangUp = (closing: Iterable<Door | GameLink>) => {
      for (const each of [...closing]) each.close(CLOSE_CODES.serviceRestart, 'The relay is going away: connect again.');
    };
    // What the relay's own agents drive is free at once (C7), which their games must hear before their links go.
    const givenBack = aicontrol?.close();
    hangUp([...doors].filter((door) => !ownDoors.has(door)));
    await inTime(givenBack, clock, limits.closeMs);
    hangUp(doors);
    hangUp(links);
    await allClosed(sockets, clock, limits.closeMs);
    // Last: what games said before they heard of it counts.
    await offers?.close();
  };

  const authority = `${urlHost(isAnyAddress(host) ? DEFAULT_HOST : host)}:${boundPort}`;
  agentUrl = `ws://${authority}/agent`;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${authority}/`,
    agentUrl,
    gameUrl: `ws://${authority}/game`,
    host,
    port: boundPort,
    tcpPort: boundTcpPort,
    aicontrolPort: aicontrol?.port,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

function refuseOpenDoors(host: string, tokens: Tokens): void {
  if (isLoopback(host) || (tokens.agentsNeedOne && tokens.gamesNeedOne)) return;
  const missing = [!tokens.agentsNeedOne && 'agents (AICC_AGENT_TOKEN)', !tokens.gamesNeedOne && 'games (AICC_GAME_TOKEN)'].filter(Boolean);
  throw new RelayError(
    'tokens_needed',
    `Listening on ${host} lets other machines in: set a token for ${missing.join(' and one for ')}, or name a tokens file that has them, or listen on ${DEFAULT_HOST}.`,
  );
}
