import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/bridge/manual-clock.ts';
import { LIMITS } from '../../src/protocol/index.ts';
import { Agents } from '../../src/relay/agents.ts';
import { Connections } from '../../src/relay/connections.ts';
import { RELAY_LIMITS, type RelayOptions } from '../../src/relay/index.ts';
import { listen } from '../../src/relay/listen.ts';
import { portServer } from '../../src/relay/port-server.ts';
import type { PortDoor, RelayDoor, Route } from '../../src/relay/relay-door.ts';
import { startRelayWith } from '../../src/relay/start-relay.ts';
import { Tokens } from '../../src/relay/tokens.ts';
import { Worlds } from '../../src/relay/worlds.ts';
import { nodeWebSocketChannel, tcpChannel } from '../../src/transport/node.ts';
import { afterwards, game, http } from './harness.ts';
import { refusedUpgrade, tcpAgent, webSocketAgent } from './raw-agents.ts';

const NEED_TOKEN = { agentToken: 'secret', gameToken: 'game-secret' };

/** A relay with one more door, which has no bounds of its own. */
async function startWith(door: (agents: Agents) => RelayDoor, options: RelayOptions = {}) {
  const relay = await startRelayWith({ port: 0, tcpPort: 0, ...options }, (agents) => [door(agents)]);
  afterwards(() => relay.close());
  return relay;
}

/** Agents on a port of a new door. */
async function agentPort(options: RelayOptions = {}) {
  let port = 0;
  const listens = (bound: number) => {
    port = bound;
  };
  const relay = await startWith(
    () => ({ name: 'stub', port: { host: '127.0.0.1', port: 0, option: '--stub', listens, for: 'agents', channel: tcpChannel } }),
    options,
  );
  return { relay, port };
}

/** Agents by WebSocket at a path of a new door. */
async function agentPath(options: RelayOptions = {}) {
  const relay = await startWith(
    () => ({
      name: 'stub',
      webSocket: { path: '/stub', subprotocol: 'stub.v1', messageBytes: 1_000, for: 'agents', channel: nodeWebSocketChannel },
    }),
    options,
  );
  return { relay, url: relay.agentUrl.replace('/agent', '/stub') };
}

/** Clients of another protocol: each connection becomes an agent, and each line that it sends a message. */
async function clientPort(options: RelayOptions = {}) {
  let port = 0;
  const listens = (bound: number) => {
    port = bound;
  };
  const seen = { accepted: 0 };
  const relay = await startWith(
    (agents) => ({
      name: 'stub',
      port: {
        host: '127.0.0.1',
        port: 0,
        option: '--stub',
        listens,
        for: 'clients',
        accept(socket) {
          seen.accepted++;
          const [client, agent] = [tcpChannel(socket), agents.enter()];
          client.onMessage((text) => agent.send(text));
          agent.onMessage((text) => client.send(text));
          agent.onClose(({ code, reason }) => client.close(code, reason));
        },
      },
    }),
    options,
  );
  return { relay, port, seen };
}

test('H: a new door with a port is refused agents when the relay is full', async () => {
  const { port } = await agentPort({ limits: { connections: 1 } });
  await tcpAgent(port);
  const more = await tcpAgent(port);
  expect((await more.next()).error?.message).toBe('Too many connections: try again.');
  await more.closed;
});

test('H: a new door with a port is refused agents that come too fast', async () => {
  const [clock, limits, log] = [new ManualClock(), { ...RELAY_LIMITS, connectsPerSecond: 1 }, () => {}];
  const worlds = new Worlds(clock, limits, log);
  const agents = new Agents({ worlds, tokens: await Tokens.load({}), offers: undefined, limits, clock, log });
  const door: PortDoor = { host: '127.0.0.1', port: 0, option: '--stub', for: 'agents', channel: tcpChannel };
  const server = portServer(door, new Connections(limits, clock), agents);
  // Loopback is not counted, so they come from elsewhere.
  server.prependListener('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: '203.0.113.7' }));
  const port = await listen(server, '127.0.0.1', 0, '--stub');
  afterwards(() => server.close());
  const first = await tcpAgent(port);
  const more = await tcpAgent(port);
  expect((await more.next()).error?.message).toContain('from one address');
  await more.closed;
  first.close();
  await first.closed;
});

test('H: agents of all doors share the seats of those that have no session yet', async () => {
  const { port, relay } = await agentPort({ limits: { unopened: 1, extraMs: 20 } });
  await tcpAgent(relay.tcpPort);
  const more = await tcpAgent(port);
  expect((await more.next()).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  await more.closed;
});

test('B3, B5: an agent at a new door needs a token where the relay does, and one that says nothing is hung up on', async () => {
  const clock = new ManualClock();
  const { port } = await agentPort({ ...NEED_TOKEN, clock });
  const wrong = await tcpAgent(port, '{"connect":{"token":"wrong"}}');
  expect((await wrong.next()).error?.message).toBe('unauthorized');
  const silent = await tcpAgent(port);
  // The relay has taken the silent one in when it answers a later one.
  const later = await tcpAgent(port, '{"connect":{"token":"wrong"}}');
  await later.next();
  clock.pass(LIMITS.openDeadlineMs);
  await silent.closed;
});

test('B5, C9, H: a new path for WebSockets has tokens, seats, pings, the message bound and the guard', async () => {
  const clock = new ManualClock();
  const { relay, url } = await agentPath({ ...NEED_TOKEN, clock, limits: { unopened: 1 } });
  const secret = { headers: { Authorization: 'Bearer secret' } };
  expect((await refusedUpgrade(url)).status).toBe(401);
  expect((await refusedUpgrade(url, [], { headers: { ...secret.headers, Origin: 'https://evil.example' } })).status).toBe(403);
  const dead = await webSocketAgent(url, [], { ...secret, autoPong: false });
  expect((await refusedUpgrade(`${url}?character=mira`, [], secret)).status).toBe(503);
  for (let round = 0; round < 3; round++) clock.pass(RELAY_LIMITS.pingMs);
  expect((await dead.closed).code).not.toBe(1000);
  const loud = await webSocketAgent(url, [], secret);
  loud.send('x'.repeat(1_001));
  expect((await loud.closed).code).toBe(1009);
  expect((await http(relay.port, '/stub')).status).toBe(426);
});

test('H: clients of another protocol are counted before their door sees them', async () => {
  const { port, seen } = await clientPort({ limits: { connections: 1 } });
  await tcpAgent(port);
  await (await tcpAgent(port)).closed;
  expect(seen.accepted).toBe(1);
});

test('B5: a client of another protocol gets no agent in without a token, and drives with one', async () => {
  const { port, relay } = await clientPort(NEED_TOKEN);
  await game(relay, { token: 'game-secret' });
  const wrong = await tcpAgent(port, '{"connect":{}}');
  expect((await wrong.closed).code).toBe(0);
  expect(wrong.unread.map(({ type }) => type)).not.toContain('session_init');
  const right = await tcpAgent(port, '{"connect":{"token":"secret"}}');
  expect((await right.next()).type).toBe('session_init');
  const left = once(right.socket, 'close');
  await relay.close();
  await left;
});

test('H: a new route has the guard, its methods, its token and its body limit', async () => {
  const handled: string[] = [];
  const route: Route = {
    path: '/stub',
    methods: ['POST'],
    token: 'agent',
    bodyBytes: 8,
    handle({ body, principal, response }) {
      handled.push(`${principal?.name}: ${body}`);
      response.end('done');
    },
  };
  const relay = await startWith(() => ({ name: 'stub', routes: [route] }), NEED_TOKEN);
  const ask = async (body: string, init: RequestInit = {}) => {
    const headers = { Authorization: 'Bearer secret', ...init.headers };
    return (await fetch(`${relay.url}stub`, { method: 'POST', body, ...init, headers })).status;
  };
  expect(await ask('12345678', { headers: { Origin: 'https://evil.example' } })).toBe(403);
  expect(await ask('12345678', { method: 'PUT' })).toBe(405);
  expect(await ask('12345678', { headers: { Authorization: 'Bearer wrong' } })).toBe(401);
  expect(await ask('123456789')).toBe(413);
  expect(handled).toEqual([]);
  expect(await ask('12345678')).toBe(200);
  expect(handled).toEqual(['agent: 12345678']);
});
