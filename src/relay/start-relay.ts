import { randomUUID } from 'node:crypto';
import type { Server } from 'node:net';
import { wallClock } from '../base/clock.ts';
import { DEFAULT_HOST, DEFAULT_PORTS } from '../protocol/default-addresses.ts';
import { CLOSE_CODES } from '../protocol/index.ts';
import { urlHost } from './addresses.ts';
import { Agents } from './agents.ts';
import { checkAiControl } from './aicontrol/index.ts';
import { inTime } from './closing.ts';
import { Connections } from './connections.ts';
import { agentTcpDoor } from './doors/agent-tcp.ts';
import { agentWebSocketDoor } from './doors/agent-web-socket.ts';
import { aiControlDoor } from './doors/aicontrol.ts';
import { filesDoor } from './doors/files.ts';
import { gameDoor } from './doors/game.ts';
import { openClaspDoor } from './doors/openclasp.ts';
import { statusDoor } from './doors/status.ts';
import { httpServer } from './http-server.ts';
import { listen } from './listen.ts';
import { Liveness } from './liveness.ts';
import { startOpenClasp } from './openclasp/index.ts';
import { portServer } from './port-server.ts';
import type { Relay } from './relay.ts';
import type { RelayDoor } from './relay-door.ts';
import { RELAY_LIMITS, type RelayLimits } from './relay-limits.ts';
import { checkRelayOptions, type RelayOptions, refuseOpenDoors } from './relay-options.ts';
import { serveStatic } from './static-files.ts';
import { Tokens } from './tokens.ts';
import { Worlds } from './worlds.ts';

/** Starts a relay with every door there is, and with further ones, for which `agents` takes agents in. */
export async function startRelayWith(options: RelayOptions, furtherDoors: (agents: Agents) => readonly RelayDoor[]): Promise<Relay> {
  checkRelayOptions(options);
  const { host = DEFAULT_HOST, port = DEFAULT_PORTS.http, tcpPort = DEFAULT_PORTS.tcp, clock = wallClock, log = () => {} } = options;
  const limits: RelayLimits = { ...RELAY_LIMITS, ...options.limits };
  const tokens = await Tokens.load(options);
  refuseOpenDoors(host, tokens);
  if (options.aicontrol !== undefined) checkAiControl(options.aicontrol);
  const files = options.staticDir === undefined ? undefined : await serveStatic(options.staticDir);

  const worlds = new Worlds(clock, limits, log);
  let agentUrl = '';
  const offers =
    options.openclasp && (await startOpenClasp(options.openclasp, { clock, worlds, agentUrl: () => agentUrl, newId: randomUUID }));
  const connections = new Connections(limits, clock);
  const agents = new Agents({ worlds, tokens, offers, limits, clock, log });
  const liveness = new Liveness(clock, limits.pingMs);

  const game = gameDoor({ registry: worlds, clock, limits, log });
  const doors: RelayDoor[] = [
    agentWebSocketDoor,
    game,
    agentTcpDoor(host, tcpPort),
    statusDoor({ worlds, agents, games: game.games, connections }),
    filesDoor(files),
    ...furtherDoors(agents),
  ];
  if (offers !== undefined) doors.push(openClaspDoor(offers));
  if (options.aicontrol !== undefined) doors.push(await aiControlDoor(options.aicontrol, { clock, agents, worlds }));

  const guard = { host, allowedHosts: options.allowedHosts ?? [], allowedOrigins: options.allowedOrigins ?? [] };
  const http = httpServer(doors, { guard, tokens, agents, connections, liveness, limits, clock });
  const servers: Server[] = [http];
  const ports = new Map<string, number>();

  const closeServers = (): void => {
    for (const server of servers) if (server.listening) server.close();
    http.closeIdleConnections();
    liveness.stop();
  };

  let boundPort: number;
  try {
    boundPort = await listen(http, host, port, '--port');
    for (const { name, port: own } of doors) {
      if (own === undefined) continue;
      const server = portServer(own, connections, agents);
      servers.push(server);
      const bound = await listen(server, own.host, own.port, own.option);
      own.listens?.(bound);
      ports.set(name, bound);
    }
  } catch (error) {
    closeServers();
    await offers?.close();
    throw error;
  }
  // A connection that cannot be accepted (no more files, say) is that connection's loss.
  for (const server of servers) server.on('error', () => {});

  const close = async (): Promise<void> => {
    closeServers();
    const goodbye = [CLOSE_CODES.serviceRestart, 'The relay is going away: connect again.'] as const;
    // What the relay's own agents drive is free at once (C7), which their games must hear before their connections go.
    const givenBack = Promise.all(doors.map((door) => door.giveBack?.()));
    agents.hangUpOnGuests(...goodbye);
    await inTime(givenBack, clock, limits.closeMs);
    agents.hangUp(...goodbye);
    for (const door of doors) door.hangUp?.(...goodbye);
    await connections.closed(limits.closeMs);
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
    tcpPort: ports.get('agent-tcp') as number,
    aicontrolPort: ports.get('aicontrol'),
    close() {
      closed ??= close();
      return closed;
    },
  };
}

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';
