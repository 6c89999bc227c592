import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ManualClock } from '../../src/bridge/manual-clock.ts';
import { ConnectionBounds } from '../../src/relay/connection-bounds.ts';
import { RELAY_LIMITS, startRelay } from '../../src/relay/index.ts';
import { game, http, start } from './harness.ts';
import { message, refusedUpgrade, tcpAgent, webSocketAgent } from './raw-agents.ts';

test('H1–H5: the bounds are what they are said to be', () => {
  expect(RELAY_LIMITS).toMatchObject({
    connections: 4_096,
    unopened: 64,
    connectsPerSecond: 20,
    outboundBytes: 4_194_304,
    gameFrameBytes: 4_194_304,
    pingMs: 15_000,
  });
});

test('H1: one connection more than there may be is refused, and one that left makes room', async () => {
  const relay = await start({ limits: { connections: 3 } });
  await game(relay);
  const agent = await tcpAgent(relay.tcpPort);
  const last = await webSocketAgent(relay.agentUrl);
  const more = await tcpAgent(relay.tcpPort);
  expect((await more.next()).error).toEqual({ code: 'tool_unavailable', message: 'Too many connections: try again.', retryable: true });
  await more.closed;
  expect((await refusedUpgrade(relay.agentUrl)).status).toBe(503);
  last.close();
  await last.closed;
  agent.send('{"connect":{}}');
  expect((await agent.next()).type).toBe('session_init');
  expect((await http(relay.port, '/healthz')).status).toBe(200);
});

test('H3: one connection more than may wait for a session is refused; sessions do not count', async () => {
  const relay = await start({ limits: { unopened: 2, extraMs: 50 } });
  await game(relay);
  const first = await tcpAgent(relay.tcpPort);
  const second = await webSocketAgent(relay.agentUrl);
  const third = await tcpAgent(relay.tcpPort);
  expect((await third.next()).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  await third.closed;
  expect((await refusedUpgrade(`${relay.agentUrl}?character=mira`)).status).toBe(503);
  expect((await (await webSocketAgent(relay.agentUrl)).closed).code).toBe(1013);
  for (const agent of [first, second]) {
    agent.send('{"connect":{}}');
    await agent.next();
  }
  await webSocketAgent(relay.agentUrl);
  await tcpAgent(relay.tcpPort);
  expect((await refusedUpgrade(`${relay.agentUrl}?character=mira`)).status).toBe(503);
});

test('H3: agents that wait keep neither games nor other agents out, and are bounded themselves', async () => {
  const relay = await start({ limits: { unopened: 2, waiting: 3 } });
  const wait = '{"connect":{"world":"lantern_night","wait_ms":60000}}';
  const waiting = [];
  for (let index = 0; index < 3; index++) {
    const agent = await tcpAgent(relay.tcpPort, wait);
    waiting.push(agent);
    // Its line has been read when a later connection is answered.
    await http(relay.port, '/healthz');
  }
  await vi.waitFor(async () => expect((await http(relay.port, '/metrics')).body).toContain('aicc_unopened 3\n'));
  const more = await tcpAgent(relay.tcpPort, wait);
  expect((await more.next()).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  await game(relay, { world: 'elsewhere' });
  const silent = [await tcpAgent(relay.tcpPort), await tcpAgent(relay.tcpPort)];
  await game(relay);
  for (const agent of waiting) expect((await agent.next()).type).toBe('session_init');
  for (const agent of silent) agent.close();
});

test('H4: a game always gets in: beyond the bound the one that has been silent longest gives way', async () => {
  const relay = await start({ limits: { unopened: 2 } });
  const silent = [];
  for (let index = 0; index < 2; index++) silent.push(await webSocketAgent(relay.gameUrl, ['aicc-game.v1']));
  await game(relay);
  expect((await silent[0]?.closed)?.code).toBe(1013);
  expect(silent[1]?.ws.readyState).toBe(WebSocket.OPEN);
});

test.each(['TCP', 'WebSocket'])('H3: whoever takes up a session over %s needs no place among those that have none', async (kind) => {
  const relay = await start({ limits: { unopened: 2, waiting: 1 } });
  const session = randomUUID();
  await game(relay, { sessions: [session] });
  const open = () => (kind === 'TCP' ? tcpAgent(relay.tcpPort) : webSocketAgent(relay.agentUrl));
  for (let index = 0; index < 2; index++) await tcpAgent(relay.tcpPort, 'no message');
  await (await tcpAgent(relay.tcpPort, '{"connect":{"character":"nobody","wait_ms":60000}}')).closed;
  const byLine = await open();
  byLine.send(JSON.stringify({ connect: { resume: session } }));
  expect(await byLine.next()).toMatchObject({ type: 'session_init', session_id: session });
  const byMessage = await open();
  byMessage.send(message('session_resume', session));
  expect(await byMessage.next()).toMatchObject({ type: 'session_init', session_id: session });
  const fresh = await open();
  fresh.send('{"connect":{}}');
  await fresh.closed;
  expect(fresh.unread.filter(({ type }) => type === 'session_init')).toEqual([]);
});

test('H2: 20 connects a second from one address, none more; loopback and other addresses are not counted', () => {
  let now = 0;
  const admission = new ConnectionBounds(RELAY_LIMITS, () => now);
  for (let index = 0; index < 20; index++) expect(admission.enter('10.0.0.1')).toBeUndefined();
  expect(admission.enter('10.0.0.1')).toBe('too_fast');
  expect(admission.enter('10.0.0.2')).toBeUndefined();
  for (let index = 0; index < 30; index++) expect(admission.enter(index % 2 ? '::ffff:127.0.0.1' : '::1')).toBeUndefined();
  now = 1_000;
  expect(admission.enter('10.0.0.1')).toBeUndefined();
});

test('C9: two missed pings cut a WebSocket, an answered one does not', async () => {
  const clock = new ManualClock();
  const relay = await start({ clock });
  const peer = await game(relay);
  const dead = new WebSocket(`${relay.agentUrl}?character=mira`, { autoPong: false });
  await once(dead, 'message');
  const gone = once(dead, 'close');
  const pings = [once(peer.ws, 'ping'), once(dead, 'ping')];
  clock.pass(15_000);
  await Promise.all(pings);
  const again = [once(peer.ws, 'ping'), once(dead, 'ping')];
  // The answer to the first ping is on its way; a round trip over another connection of the game's is not needed, one over its own is.
  peer.ws.ping();
  await once(peer.ws, 'pong');
  clock.pass(15_000);
  await Promise.all(again);
  peer.ws.ping();
  await once(peer.ws, 'pong');
  expect(dead.readyState).toBe(WebSocket.OPEN);
  clock.pass(15_000);
  expect((await gone)[0]).toBe(1006);
  expect(await peer.control('close')).toEqual({ type: 'close', conn: 1, clean: false });
  expect(peer.ws.readyState).toBe(WebSocket.OPEN);
});

test('C9: a TCP agent that answered heartbeats and says nothing any more is gone; of one that never answered its game is told, and it may be quiet', async () => {
  const clock = new ManualClock();
  const relay = await start({ clock });
  const peer = await game(relay);
  /** The game answers the relay's pings meanwhile. */
  const look = async () => {
    clock.pass(15_000);
    peer.ws.ping();
    await once(peer.ws, 'pong');
  };
  const [answering, quiet] = [await tcpAgent(relay.tcpPort, '{"connect":{}}'), await tcpAgent(relay.tcpPort, '{"connect":{}}')];
  const { session_id } = await answering.next();
  const other = await quiet.next();
  for (let times = 0; times < 4; times++) {
    answering.send(message('heartbeat', session_id));
    expect((await answering.next()).type).toBe('heartbeat');
    await look();
  }
  for (let looks = 0; looks < 2; looks++) await look();
  answering.send(message('tool_call', session_id, { call_id: 'c', tool: 'echo', input: {} }));
  expect((await answering.next()).type).toBe('tool_result');
  for (let looks = 0; looks < 4; looks++) await look();
  expect((await answering.next()).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  await answering.closed;
  expect(await peer.control('close')).toEqual({ type: 'close', conn: 1, clean: false });
  expect(await peer.control('quiet')).toEqual({ type: 'quiet', conn: 2, quiet: true });
  quiet.send(message('tool_call', other.session_id, { call_id: 'c', tool: 'echo', input: {} }));
  expect((await quiet.next()).type).toBe('tool_result');
  expect(await peer.control('quiet', 1)).toEqual({ type: 'quiet', conn: 2, quiet: false });
  // Whatever comes is a word, and silence counts anew after it.
  for (let looks = 0; looks < 4; looks++) await look();
  expect(await peer.control('quiet', 2)).toMatchObject({ quiet: true });
  quiet.send('no message');
  expect((await quiet.next()).type).toBe('error');
  expect(await peer.control('quiet', 3)).toMatchObject({ quiet: false });
  quiet.close();
  await peer.control('close', 1);
});

test('C9: a game is told every 15 s that the relay is there, for a page cannot see pings', async () => {
  const clock = new ManualClock();
  const relay = await start({ clock });
  const peer = await game(relay);
  const alive = () => peer.controls.filter(({ type }) => type === 'alive').length;
  /** All that the relay has sent is here, and it has all that was sent to it. */
  const settled = async () => {
    peer.ws.ping();
    await once(peer.ws, 'pong');
  };
  clock.pass(14_999);
  await settled();
  expect(alive()).toBe(0);
  for (let times = 1; times <= 10; times++) {
    clock.pass(times === 1 ? 1 : 15_000);
    await settled();
    expect(alive()).toBe(times);
  }
  await peer.close();
});

test('C9: two missed pings cut a game, and its agents are told to come back', async () => {
  const clock = new ManualClock();
  const relay = await start({ clock });
  const dead = await game(relay, { autoPong: false });
  const agent = await tcpAgent(relay.tcpPort, '{"connect":{}}');
  await agent.next();
  const gone = once(dead.ws, 'close');
  for (let round = 0; round < 2; round++) {
    const pinged = once(dead.ws, 'ping');
    clock.pass(15_000);
    await pinged;
  }
  expect(dead.ws.readyState).toBe(WebSocket.OPEN);
  clock.pass(15_000);
  expect((await gone)[0]).toBe(1006);
  expect((await agent.next()).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  await agent.closed;
});

test('a game that says no hello within 10 s is closed', async () => {
  const clock = new ManualClock();
  const relay = await start({ clock });
  const raw = await webSocketAgent(relay.gameUrl, ['aicc-game.v1']);
  clock.pass(10_000);
  expect((await raw.closed).code).toBe(1008);
});

test('a port in use is one clear sentence, and nothing stays open', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  await expect(startRelay({ port, tcpPort: 0 })).rejects.toMatchObject({
    code: 'port_in_use',
    message: `Port ${port} on 127.0.0.1 is already in use: stop the program that has it, or choose another with --port (0 for a free one).`,
  });
  const clock = new ManualClock();
  await expect(startRelay({ port: 0, tcpPort: port, clock })).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining('--tcp-port'),
  });
  expect(clock.timers).toBe(0);
  await expect(startRelay({ host: 'no.such.host.invalid', port: 0, tcpPort: 0, agentToken: 'a', gameToken: 'g' })).rejects.toMatchObject({
    code: 'cannot_listen',
  });
  taken.close();
});

test('close hangs up on everyone, says why, leaves no timer and may be called again', async () => {
  const clock = new ManualClock();
  const relay = await startRelay({ port: 0, tcpPort: 0, clock });
  const peer = await game(relay);
  const [socket, line] = [await webSocketAgent(relay.agentUrl), await tcpAgent(relay.tcpPort)];
  for (const agent of [socket, line]) {
    agent.send('{"connect":{}}');
    await agent.next();
  }
  const gone = once(peer.ws, 'close');
  await Promise.all([relay.close(), relay.close()]);
  await relay.close();
  expect((await gone)[0]).toBe(1012);
  expect((await socket.closed).code).toBe(1012);
  expect((await line.next()).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  await line.closed;
  expect(clock.timers).toBe(0);
  await expect(tcpAgent(relay.tcpPort)).rejects.toThrow('ECONNREFUSED');
});

test('close cuts those who do not hang up themselves', async () => {
  const clock = new ManualClock();
  const relay = await startRelay({ port: 0, tcpPort: 0, clock });
  const agent = await webSocketAgent(relay.agentUrl);
  agent.ws.pause();
  const closed = relay.close();
  clock.pass(RELAY_LIMITS.closeMs);
  await closed;
  agent.ws.terminate();
});
