import { beforeEach, describe, expect, test } from 'vitest';
import type { Relay } from '../../src/relay/index.ts';
import type { GamePeer } from './game-peer.ts';
import { game, start } from './harness.ts';
import { message, type RawAgent, refusedUpgrade, tcpAgent, webSocketAgent } from './raw-agents.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
const KINDS: [string, (relay: Relay) => Promise<RawAgent>][] = [
  ['WebSocket', (relay) => webSocketAgent(relay.agentUrl)],
  ['TCP', (relay) => tcpAgent(relay.tcpPort)],
];

describe.each(KINDS)('an agent over %s', (kind, connect) => {
  let relay: Relay;
  let peer: GamePeer;
  let agent: RawAgent;
  beforeEach(async () => {
    relay = await start();
    peer = await game(relay);
    agent = await connect(relay);
  });

  test('B2: session_init comes first, then calls and results pass', async () => {
    agent.send('{"connect":{"character":"mira"}}');
    const init = await agent.next();
    expect(init.type).toBe('session_init');
    agent.send(message('tool_call', init.session_id, { call_id: 'c1', tool: 'say', input: { text: 'hö\n' } }));
    expect(await agent.next()).toMatchObject({ type: 'tool_result', call_id: 'c1', ok: true, output: { text: 'hö\n' } });
    expect(peer.controls.find(({ type }) => type === 'open')).toEqual({
      type: 'open',
      conn: 1,
      request: { character: 'mira', principal: 'anonymous' },
    });
  });

  test('B3: a manifest_request with the nil UUID is enough', async () => {
    agent.send(message('manifest_request', NIL));
    expect((await agent.next()).type).toBe('session_init');
  });

  test('C7: the bridge closes with 1000', async () => {
    agent.send('{"connect":{}}');
    const { session_id } = await agent.next();
    agent.send(message('session_close', session_id));
    expect((await agent.next()).type).toBe('session_close');
    expect((await agent.closed).code).toBe(kind === 'TCP' ? 0 : 1000);
    expect(agent.unread).toEqual([]);
    expect(peer.controls.some(({ type }) => type === 'close')).toBe(false);
  });

  test('C4: the game is told when an agent is gone, and whether it left with 1000', async () => {
    agent.send('{"connect":{}}');
    await agent.next();
    agent.close();
    expect(await peer.control('close')).toEqual({ type: 'close', conn: 1, clean: kind !== 'TCP' });
  });

  test('C6: when the game is lost its agents are closed with 1012; on TCP an error says so first', async () => {
    agent.send('{"connect":{}}');
    await agent.next();
    peer.ws.terminate();
    if (kind === 'TCP') expect(await agent.next()).toMatchObject({ type: 'error', error: { code: 'tool_unavailable', retryable: true } });
    expect((await agent.closed).code).toBe(kind === 'TCP' ? 0 : 1012);
    expect(agent.unread).toEqual([]);
  });

  test('A7: a malformed call with a readable call_id is handed to the bridge', async () => {
    agent.send('{"connect":{}}');
    const { session_id } = await agent.next();
    agent.send(message('tool_call', session_id, { call_id: 'c9', tool: 'Not A Tool', input: {} }));
    const refused = await peer.control('refused_call');
    expect(refused).toMatchObject({ conn: 1, call: { call_id: 'c9', session_id, error: expect.stringContaining('/tool') } });
    expect(peer.lines).toEqual([]);
  });

  test('what is malformed never reaches the game', async () => {
    agent.send('{"connect":{}}');
    const { session_id } = await agent.next();
    for (const text of ['nonsense', '[]', message('tool_result', session_id), message('heartbeat', session_id, { more: 1 })])
      agent.send(text);
    for (let index = 0; index < 4; index++)
      expect(await agent.next()).toMatchObject({ type: 'error', session_id, error: { code: 'invalid_input' } });
    agent.send(message('heartbeat', session_id));
    await agent.next();
    expect(peer.lines).toHaveLength(1);
  });

  test('an agent that leaves while the game thinks about its opening is told to the game', async () => {
    peer.onOpen = () => {};
    agent.send('{"connect":{}}');
    await peer.control('open');
    agent.close();
    expect(await peer.control('close')).toEqual({ type: 'close', conn: 1, clean: false });
  });

  test('a game that goes while it thinks about an opening leaves the agent connected, for another try', async () => {
    peer.onOpen = () => {};
    agent.send('{"connect":{}}');
    await peer.control('open');
    await peer.close();
    expect(await agent.next()).toMatchObject({ type: 'error', error: { code: 'tool_unavailable', retryable: true } });
    await game(relay);
    agent.send('{"connect":{}}');
    expect((await agent.next()).type).toBe('session_init');
  });

  test('H5: an agent with more unread than its bound is closed with 1013, the game is told, and the next agent feels nothing', async () => {
    const relay = await start({ limits: { outboundBytes: 100_000 } });
    const peer = await game(relay);
    const agent = await connect(relay);
    agent.send('{"connect":{}}');
    const { session_id } = await agent.next();
    const other = await connect(relay);
    other.send('{"connect":{}}');
    await other.next();
    // One message over the bound is enough: what the peer will read soon counts as unread until it has.
    peer.sendLines([1, message('heartbeat', session_id, { filler: 'x'.repeat(200_000) })]);
    expect(await peer.control('close')).toEqual({ type: 'close', conn: 1, clean: false });
    await agent.next();
    if (kind === 'TCP') expect((await agent.next()).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    expect((await agent.closed).code).toBe(kind === 'TCP' ? 0 : 1013);
    peer.sendLines([2, message('heartbeat', session_id)]);
    expect((await other.next()).type).toBe('heartbeat');
  });
});

describe('routing', () => {
  test('B4: with no game, an opening error says so and the agent may try again', async () => {
    const relay = await start();
    const agent = await tcpAgent(relay.tcpPort);
    agent.send('{"connect":{}}');
    expect((await agent.next()).error).toEqual({
      code: 'tool_unavailable',
      message: 'No game is connected: open its page, then try again.',
      retryable: true,
    });
    await game(relay);
    agent.send('{"connect":{}}');
    expect((await agent.next()).type).toBe('session_init');
  });

  test('B4: an unknown world lists the names there are', async () => {
    const relay = await start();
    await game(relay);
    await game(relay, { world: 'duel' });
    const agent = await webSocketAgent(`${relay.agentUrl}?world=dual`);
    expect((await agent.next()).error).toMatchObject({
      code: 'tool_unavailable',
      message: 'There is no world "dual": there is "lantern_night", "duel".',
      retryable: true,
    });
  });

  test('B4: with several worlds and none named, the one that has the character is meant', async () => {
    const relay = await start();
    await game(relay, { characters: ['mira', 'guard'] });
    const duel = await game(relay, { world: 'duel', characters: ['rival', 'guard'] });
    const agent = await webSocketAgent(`${relay.agentUrl}?character=rival`);
    expect((await agent.next()).type).toBe('session_init');
    expect(duel.sessions.size).toBe(1);
    const errors: unknown[] = [];
    for (const query of ['?character=guard', '?character=nobody', '?observe=true'])
      errors.push((await (await webSocketAgent(relay.agentUrl + query)).next()).error?.message);
    expect(errors).toEqual([
      'Several worlds have "guard": name one of "lantern_night", "duel".',
      'No world has a character "nobody": there is "lantern_night/mira", "lantern_night/guard", "duel/rival", "duel/guard".',
      'Several worlds are connected: name one of "lantern_night", "duel".',
    ]);
  });

  test('B1: wait_ms waits for a game, and for a character that comes later', async () => {
    const relay = await start();
    const agent = await webSocketAgent(`${relay.agentUrl}?character=old_tam&wait_ms=60000`);
    const peer = await game(relay);
    peer.onOpen = (conn) => peer.refuse(conn, 'There is no old_tam.', true);
    await peer.control('open');
    peer.onOpen = undefined;
    peer.sendCharacters('mira', 'old_tam');
    expect((await agent.next()).type).toBe('session_init');
  });

  test('C6: the same instance’s new link replaces the old one and keeps its name', async () => {
    const relay = await start();
    const instance = '33333333-3333-4333-8333-333333333333';
    await game(relay);
    const old = await game(relay, { instance });
    const agent = await webSocketAgent(`${relay.agentUrl}?world=lantern_night-2`);
    await agent.next();
    const gone = new Promise<number>((resolve) => old.ws.on('close', resolve));
    const next = await game(relay, { instance });
    expect(await gone).toBe(4001);
    expect((await agent.closed).code).toBe(1012);
    expect([old.world, next.world]).toEqual(['lantern_night-2', 'lantern_night-2']);
    expect(await (await fetch(`${relay.url}worlds`)).json()).toHaveLength(2);
  });

  test('C6: another instance with the same world name becomes name-2, and the next name-3', async () => {
    const relay = await start();
    const names = [(await game(relay)).world, (await game(relay)).world, (await game(relay)).world];
    expect(names).toEqual(['lantern_night', 'lantern_night-2', 'lantern_night-3']);
  });
});

describe('the game link', () => {
  test('lines of one turn travel in one frame, and keep their order with control frames', async () => {
    const relay = await start();
    const peer = await game(relay);
    const agent = await webSocketAgent(relay.agentUrl);
    agent.send('{"connect":{}}');
    const { session_id } = await agent.next();
    const before = peer.frames.length;
    peer.onLine = () => {};
    const texts = Array.from({ length: 40 }, (_, index) =>
      message('tool_call', session_id, { call_id: `c${index}`, tool: 'say', input: {} }),
    );
    const bad = message('tool_call', session_id, { call_id: 'bad', tool: 'say' });
    for (const text of texts.slice(0, 20)) agent.send(text);
    agent.send(bad);
    for (const text of texts.slice(20)) agent.send(text);
    await peer.until(() => (peer.lines.length === 40 ? true : undefined));
    expect(peer.lines.map(({ text }) => text)).toEqual(texts);
    expect(peer.frames.length - before).toBeLessThan(20);
    const order = peer.frames.slice(before).flatMap((frame) => (frame.startsWith('{') ? ['refused'] : frame.split('\n')));
    expect(order.indexOf('refused')).toBe(20);
  });

  test('a message with a raw newline stays one line and means the same', async () => {
    const relay = await start();
    const peer = await game(relay);
    const agent = await webSocketAgent(relay.agentUrl);
    agent.send('{"connect":{}}');
    const { session_id } = await agent.next();
    const call = JSON.parse(message('tool_call', session_id, { call_id: 'c1', tool: 'say', input: { text: 'a\nb' } }));
    agent.send(JSON.stringify(call, null, 2));
    await agent.next();
    expect(JSON.parse(peer.lines[0]?.text as string)).toEqual(call);
  });

  test.each([
    ['lines before hello', '1 {}'],
    ['a control message that is none', '{"type":"hallo"}'],
    ['what is not JSON', '{'],
    ['a hello of another version', '{"type":"hello","version":2}'],
  ])('%s closes it with 1008', async (_what, frame) => {
    const relay = await start();
    const raw = await webSocketAgent(relay.gameUrl, ['aicc-game.v1']);
    raw.send(frame);
    expect((await raw.closed).code).toBe(1008);
    expect(await (await fetch(`${relay.url}worlds`)).json()).toEqual([]);
  });

  test('a second hello, or a frame that is no lines, closes it with 1008', async () => {
    const relay = await start();
    for (const frame of ['No lines at all!', '{"type":"opened"}', '1']) {
      const peer = await game(relay);
      peer.ws.send(frame);
      expect(await new Promise((resolve) => peer.ws.on('close', resolve))).toBe(1008);
    }
    const peer = await game(relay);
    peer.sendHello();
    expect(await new Promise((resolve) => peer.ws.on('close', resolve))).toBe(1008);
  });

  test('H5: a frame of exactly the bound passes, one byte more closes with 1009', async () => {
    const relay = await start({ limits: { gameFrameBytes: 2_000 } });
    const peer = await game(relay);
    const agent = await webSocketAgent(`${relay.agentUrl}?character=mira`);
    await agent.next();
    const line = (bytes: number) => `{"text":"${'x'.repeat(bytes - '1 {"text":""}'.length)}"}`;
    peer.sendLines([1, line(2_000)]);
    expect(await agent.next()).toHaveProperty('text');
    peer.sendLines([1, line(2_001)]);
    expect(await new Promise((resolve) => peer.ws.on('close', resolve))).toBe(1009);
  });

  test('a game that does not read holds its agents back instead of filling the relay', async () => {
    const relay = await start({ limits: { gameHoldBytes: 100_000, gameOutboundBytes: 4_000_000 } });
    const peer = await game(relay);
    const agent = await webSocketAgent(`${relay.agentUrl}?character=mira`);
    const { session_id } = await agent.next();
    let heard = 0;
    peer.onLine = () => heard++;
    peer.ws.pause();
    const text = message('tool_call', session_id, { call_id: 'c', tool: 'say', input: { text: 'x'.repeat(100_000) } });
    for (let index = 0; index < 120; index++) agent.send(text);
    const other = await webSocketAgent(relay.agentUrl);
    other.send('nonsense');
    await other.next();
    peer.ws.resume();
    await peer.until(() => (heard === 120 ? true : undefined));
    expect(peer.ws.readyState).toBe(peer.ws.OPEN);
  });

  test('a game whose backlog passes its bound is closed with 1013', async () => {
    const relay = await start({ limits: { gameOutboundBytes: 10_000 } });
    const peer = await game(relay);
    const agent = await webSocketAgent(`${relay.agentUrl}?character=mira`);
    const { session_id } = await agent.next();
    agent.send(message('tool_call', session_id, { call_id: 'c', tool: 'say', input: { text: 'x'.repeat(20_000) } }));
    expect(await new Promise((resolve) => peer.ws.on('close', resolve))).toBe(1013);
    expect((await agent.closed).code).toBe(1012);
  });

  test('a close code that no frame may carry does not harm the relay', async () => {
    const relay = await start();
    const peer = await game(relay);
    const agent = await webSocketAgent(`${relay.agentUrl}?character=mira`);
    await agent.next();
    peer.send({ type: 'close', conn: 1, code: 1006, reason: 'odd' });
    expect((await agent.closed).code).toBe(4000);
  });
});

describe('the first line of TCP', () => {
  test.each(['GET / HTTP/1.1', 'POST /agent?x=1 HTTP/1.1\r', 'frob /x HTTP/2', 'PRI * HTTP/2.0'])(
    'A8: %j closes the connection silently',
    async (line) => {
      const relay = await start();
      await game(relay);
      const agent = await tcpAgent(relay.tcpPort);
      agent.send(`\r\n${line}`);
      agent.send('{"connect":{}}');
      await agent.closed;
      expect(agent.unread).toEqual([]);
    },
  );

  test.each([1, 11])('A8: a TLS ClientHello in pieces of %i bytes closes the connection silently', async (size) => {
    const relay = await start();
    await game(relay);
    const { closed, socket, unread } = await tcpAgent(relay.tcpPort);
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    const hello = Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 0x0a, 0x7b, 0x7d, 0x0a, 0x7b, 0x0a]);
    for (let at = 0; at < hello.length; at += size) socket.write(hello.subarray(at, at + size));
    await closed;
    expect([unread, answer]).toEqual([[], '']);
  });

  test('A8: a page cannot open a session by a POST', async () => {
    const relay = await start();
    const peer = await game(relay);
    const body = '{"connect":{}}\n';
    await expect(fetch(`http://127.0.0.1:${relay.tcpPort}/`, { method: 'POST', body })).rejects.toThrow();
    expect(peer.controls.filter(({ type }) => type === 'open')).toEqual([]);
  });

  test('A1: blank lines, CR and a split at every byte change nothing', async () => {
    const relay = await start();
    await game(relay);
    const agent = await tcpAgent(relay.tcpPort);
    for (const byte of Buffer.from('\r\n\n{"connect":{"character":"mira"}}\r\n')) agent.socket.write(Uint8Array.of(byte));
    expect((await agent.next()).type).toBe('session_init');
  });

  test('A1: a line that is not UTF-8 is an error, and the connection stays open', async () => {
    const relay = await start();
    await game(relay);
    const agent = await tcpAgent(relay.tcpPort);
    agent.socket.write(Uint8Array.of(0x22, 0xff, 0x22, 0x0a));
    expect((await agent.next()).error).toMatchObject({ code: 'invalid_input', retryable: false });
    agent.send('{"connect":{}}');
    expect((await agent.next()).type).toBe('session_init');
  });

  test('A2: a line over 1 MiB gets an error and is closed, however it is sent', async () => {
    const relay = await start();
    const agent = await tcpAgent(relay.tcpPort);
    agent.socket.write('x'.repeat(1_048_577));
    expect((await agent.next()).error).toMatchObject({ code: 'invalid_input' });
    await agent.closed;
    expect(agent.unread).toEqual([]);
  });

  test('A3: the 20th bad line gets its answer, the reason, and the end', async () => {
    const relay = await start();
    const agent = await tcpAgent(relay.tcpPort);
    for (let index = 0; index < 30; index++) agent.send('nonsense');
    await agent.closed;
    expect(agent.unread).toHaveLength(21);
    expect(agent.unread[20]?.error).toEqual({ code: 'invalid_input', message: '20 messages within 60 s were refused.', retryable: false });
  });
});

describe('WebSocket agents', () => {
  test('A1: a binary frame closes with 1003', async () => {
    const relay = await start();
    const agent = await webSocketAgent(relay.agentUrl);
    agent.ws.send(Buffer.from('{"connect":{}}'));
    expect((await agent.closed).code).toBe(1003);
  });

  test('A2: a frame of 1 MiB is read, one byte more closes with 1009', async () => {
    const relay = await start();
    const agent = await webSocketAgent(relay.agentUrl);
    agent.send('x'.repeat(1_048_576));
    expect((await agent.next()).error?.code).toBe('invalid_input');
    agent.send('x'.repeat(1_048_577));
    expect((await agent.closed).code).toBe(1009);
  });

  test('A2: a message in thousands of pieces is cut off', async () => {
    const relay = await start();
    const agent = await webSocketAgent(relay.agentUrl);
    for (let index = 0; index < 1_100; index++) agent.ws.send(' ', { fin: false });
    expect((await agent.closed).code).toBe(1008);
  });

  test('B1: a token in the URL is refused', async () => {
    const relay = await start();
    const agent = await webSocketAgent(`${relay.agentUrl}?token=secret`);
    expect((await agent.next()).error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('must not be in the URL') });
  });

  test('B5: the subprotocol aicc.v0.1 is selected where it is offered', async () => {
    const relay = await start();
    expect((await webSocketAgent(relay.agentUrl, ['aicc.v0.1', 'aicc.bearer.x'])).ws.protocol).toBe('aicc.v0.1');
  });

  test('other paths are 404, and a game must offer its subprotocol', async () => {
    const relay = await start();
    expect((await refusedUpgrade(`${relay.agentUrl}s`)).status).toBe(404);
    expect(await refusedUpgrade(relay.gameUrl)).toEqual({ status: 400, body: 'A game must offer the subprotocol aicc-game.v1.\n' });
  });
});
