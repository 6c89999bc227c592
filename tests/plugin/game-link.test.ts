import { once } from 'node:events';
import { connect } from 'phaser-aicc/agent';
import { type Bridge, type CharacterSlot, createBridge, defineTool, ManualClock } from 'phaser-aicc/bridge';
import { type Relay, startRelay } from 'phaser-aicc/relay';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { wallClock } from '../../src/base/clock.ts';
import { uuid } from '../../src/base/uuid.ts';

beforeAll(() => {
  // Node 20 has none of its own.
  globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket;
});

const echo = defineTool({
  id: 'echo',
  class: 'sensor',
  description: 'Say it back.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => ({ text }),
});

let bridge: Bridge;
let slot: CharacterSlot;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  bridge = createBridge({ world: { name: 'linked' }, clock: wallClock, newId: uuid });
  slot = bridge.addCharacter('mira', { description: 'Mira.', tools: [echo], default: true });
  closing.push(() => bridge.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function relayAt(port = 0, token?: string): Promise<Relay> {
  const relay = await startRelay({ port, tcpPort: 0, ...(token !== undefined && { gameToken: token }) });
  closing.push(() => relay.close());
  return relay;
}

function link(url: string, token?: string): void {
  closing.push(openGameLink({ url, token: token === undefined ? undefined : () => token, bridge }));
}

/** A relay of the test's own, that shows the link's frames. */
async function openRelay(at = 0): Promise<{
  url: string;
  port: number;
  close(): void;
  next(): Promise<{ socket: WebSocket; frame(): Promise<string>; send(text: string): void }>;
}> {
  const server = new WebSocketServer({ port: at, host: '127.0.0.1', handleProtocols: () => 'aicc-game.v1' });
  await once(server, 'listening');
  const close = () => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  };
  closing.push(close);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `ws://127.0.0.1:${port}/game`,
    port,
    close,
    async next() {
      const [socket] = (await once(server, 'connection')) as [WebSocket];
      const frames: string[] = [];
      const waiting: ((text: string) => void)[] = [];
      socket.on('message', (data) => {
        const wanted = waiting.shift();
        if (wanted) wanted(String(data));
        else frames.push(String(data));
      });
      return {
        socket,
        frame: () => new Promise((resolve) => (frames.length > 0 ? resolve(frames.shift()!) : waiting.push(resolve))),
        send: (text) => socket.send(text),
      };
    },
  };
}

describe('the game link', () => {
  test('carries agents to the bridge and back through a real relay', async () => {
    const relay = await relayAt();
    link(relay.gameUrl);
    const agent = await connect({ url: relay.agentUrl, world: 'linked', character: 'mira', waitMs: 5_000 });
    expect(agent.world).toEqual({ name: 'linked', kind: '2d' });
    const calls = Array.from({ length: 100 }, (_, index) => agent.call('echo', { text: `line\n${index}` }));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 100 }, (_, index) => ({ text: `line\n${index}` })));
    await expect(connect({ url: relay.agentUrl, character: 'mira' })).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
    await agent.close();
    bridge.addCharacter('tam', { description: 'Tam.', tools: [echo] });
    const second = await connect({ url: relay.agentUrl, character: 'tam', waitMs: 5_000 });
    bridge.close('night is over');
    expect(await second.closed).toMatchObject({ code: 4002 });
  });

  test('a game token opens it', async () => {
    const relay = await relayAt(0, 'a-secret-of-the-game');
    link(relay.gameUrl, 'a-secret-of-the-game');
    await expect(connect({ url: relay.agentUrl, waitMs: 5_000 })).resolves.toBeDefined();
  });

  test('C6: comes back by itself when the relay does, and its sessions with it', async () => {
    const first = await relayAt();
    const { port, gameUrl, agentUrl } = first;
    link(gameUrl);
    const agent = await connect({ url: agentUrl, waitMs: 5_000 });
    // The bridge keeps only sessions of which it has heard.
    await agent.call('echo', { text: 'before' });
    const resumed = new Promise<void>((resolve) => agent.on('resumed', resolve));
    await first.close();
    await relayAt(port);
    await resumed;
    expect(await agent.call('echo', { text: 'after' })).toEqual({ text: 'after' });
    expect(bridge.sessions()).toMatchObject([{ session_id: agent.id }]);
    await agent.close();
  });

  test('C6: a new link is the same instance, names the sessions that live on, and resumes them with nothing lost', async () => {
    const relay = await openRelay();
    const connected = relay.next();
    link(relay.url);
    const peer = await connected;
    await peer.frame();
    peer.send('{"type":"open","conn":1,"request":{"principal":"tester"}}');
    let opened: { session_id?: string } = {};
    while (!opened.session_id) {
      const frame = await peer.frame();
      if (frame.includes('"opened"')) opened = JSON.parse(frame);
    }
    const { session_id } = opened;
    const heartbeat = { protocol: 'aicc/0.1', type: 'heartbeat', session_id, message_id: uuid() };
    peer.send(`1 ${JSON.stringify(heartbeat)}`);
    while (!(await peer.frame()).includes(heartbeat.message_id));
    const again = relay.next();
    peer.socket.terminate();
    const hello = JSON.parse(await (await again).frame());
    expect(hello).toMatchObject({
      type: 'hello',
      instance: bridge.instance,
      sessions: [{ session_id, character: 'mira', principal: 'tester' }],
    });
    const resumed = await again;
    slot.emit('state_change', { kind: 'missed' });
    resumed.send('{"type":"welcome","world":"linked"}');
    resumed.send(`{"type":"open","conn":4,"request":{"principal":"tester","resume":"${session_id}","last_seq":0}}`);
    const frames: string[] = [];
    while (!frames.some((frame) => frame.includes('missed'))) frames.push(await resumed.frame());
    const said = frames.join('\n');
    expect(said).toContain(`{"type":"opened","conn":4,"session_id":"${session_id}","character":"mira"}`);
    expect(said.indexOf('session_init')).toBeGreaterThan(said.indexOf('"opened"'));
    expect(said.indexOf('missed')).toBeGreaterThan(said.indexOf('session_init'));
  });

  test('F4: a held session keeps its events back, and still gets its results', async () => {
    const relay = await openRelay();
    const connected = relay.next();
    link(relay.url);
    const peer = await connected;
    peer.send('{"type":"welcome","world":"linked"}');
    peer.send('{"type":"open","conn":1,"request":{"principal":"tester"}}');
    const frames: string[] = [];
    const until = async (part: string) => {
      while (!frames.join('\n').includes(part)) frames.push(await peer.frame());
    };
    await until('session_init');
    const { session_id } = bridge.sessions()[0]!;
    const call = (call_id: string) =>
      peer.send(
        `1 ${JSON.stringify({ protocol: 'aicc/0.1', type: 'tool_call', session_id, message_id: uuid(), call_id, tool: 'echo', input: { text: call_id } })}`,
      );
    peer.send('{"type":"hold","conn":1}');
    call('held');
    await until('"call_id":"held"');
    slot.emit('state_change', { kind: 'kept_back' });
    call('still held');
    await until('"call_id":"still held"');
    expect(frames.join('\n')).not.toContain('kept_back');
    peer.send('{"type":"release","conn":1}');
    await until('kept_back');
  });

  test('B7, C9: a session whose agent is said to be silent gives way to the next one', async () => {
    const relay = await openRelay();
    const connected = relay.next();
    link(relay.url);
    const peer = await connected;
    peer.send('{"type":"welcome","world":"linked"}');
    const frames: string[] = [];
    const until = async (part: string) => {
      while (!frames.join('\n').includes(part)) frames.push(await peer.frame());
    };
    peer.send('{"type":"open","conn":1,"request":{"principal":"tester"}}');
    await until('"opened","conn":1');
    peer.send('{"type":"open","conn":2,"request":{"principal":"other"}}');
    await until('"refused","conn":2');
    peer.send('{"type":"quiet","conn":1,"quiet":true}');
    peer.send('{"type":"open","conn":3,"request":{"principal":"other"}}');
    await until('"opened","conn":3');
    expect(bridge.sessions()).toMatchObject([{ principal: 'other' }]);
  });

  test('speaks first with hello, tells of changes, and answers an opening before the session speaks', async () => {
    const relay = await openRelay();
    const connected = relay.next();
    link(relay.url);
    const peer = await connected;
    expect(JSON.parse(await peer.frame())).toEqual({
      type: 'hello',
      version: 1,
      world: { name: 'linked', kind: '2d' },
      instance: bridge.instance,
      characters: [{ id: 'mira', description: 'Mira.', default: true, sessions: 0, max_sessions: 1, driver: 'none' }],
      sessions: [],
    });
    peer.send('{"type":"welcome","world":"linked"}');
    peer.send('{"type":"open","conn":7,"request":{"principal":"tester"}}');
    const frames = [await peer.frame(), await peer.frame(), await peer.frame()];
    const opened = frames.findIndex((frame) => frame.includes('"opened"'));
    const spoken = frames.findIndex((frame) => frame.startsWith('7 {'));
    expect(opened).toBeGreaterThanOrEqual(0);
    expect(spoken).toBeGreaterThan(opened);
    expect(frames.some((frame) => frame.includes('"changed"') && frame.includes('"driver":"agent"'))).toBe(true);
    peer.send('{"type":"open","conn":8,"request":{"principal":"tester","character":"nobody"}}');
    expect(JSON.parse(await peer.frame())).toMatchObject({
      type: 'refused',
      conn: 8,
      absent: true,
      error: { code: 'tool_unavailable', retryable: true },
    });
    bridge.close();
    const rest = [await peer.frame(), await peer.frame()].join('\n');
    expect(rest).toContain('session_close');
    expect(rest).toContain('"type":"close","conn":7,"code":4002');
  });

  test('B2: a session that ends while it opens is opened, speaks and closes in this order, and nothing of it is kept', async () => {
    const ended: boolean[] = [];
    const opening: Bridge = {
      ...bridge,
      open(port, request) {
        const answer = bridge.open(port, request);
        if ('error' in answer) return answer;
        bridge.close('the night is over');
        return { ...answer, closed: (clean) => ended.push(clean), message: () => ended.push(true) };
      },
      characters: () => bridge.characters(),
      character: (id) => bridge.character(id),
      sessions: () => bridge.sessions(),
      onChange: (listener) => bridge.onChange(listener),
      world: bridge.world,
      instance: bridge.instance,
    };
    const relay = await openRelay();
    const connected = relay.next();
    const close = openGameLink({ url: relay.url, token: undefined, bridge: opening });
    closing.push(close);
    const peer = await connected;
    await peer.frame();
    peer.send('{"type":"open","conn":1,"request":{"principal":"tester"}}');
    const frames: string[] = [];
    while (!frames.some((frame) => frame.includes('"close"'))) frames.push(await peer.frame());
    const order = frames.flatMap((frame) => frame.split('\n')).flatMap((line) => /"type":"(?!changed)(\w+)"/.exec(line)?.[1] ?? []);
    expect(order).toEqual(['opened', 'session_init', 'session_close', 'close']);
    peer.send('1 {}');
    peer.send('{"type":"open","conn":2,"request":{"principal":"tester","character":"nobody"}}');
    while (!(await peer.frame()).includes('"conn":2'));
    close();
    expect(ended).toEqual([]);
  });

  test('hangs up on a relay that does not make sense, and calls again', async () => {
    const relay = await openRelay();
    for (const [index, nonsense] of ['{"type":"open"}', '{', '!? no line'].entries()) {
      const connected = relay.next();
      if (index === 0) link(relay.url);
      const peer = await connected;
      await peer.frame();
      peer.send('{"type":"welcome","world":"linked"}');
      peer.send(nonsense);
      const [code] = (await once(peer.socket, 'close')) as [number];
      expect(code).toBe(4000);
    }
  });

  test('a newer relay may say more than the game knows: it is passed over and told once', async () => {
    const relay = await openRelay();
    const connected = relay.next();
    const lines: string[] = [];
    closing.push(openGameLink({ url: relay.url, token: undefined, bridge, log: (line) => lines.push(line) }));
    const peer = await connected;
    await peer.frame();
    peer.send('{"type":"welcome","world":"linked","motto":"hello"}');
    for (let times = 0; times < 3; times++) peer.send('{"type":"dance"}');
    peer.send('{"type":"open","conn":7,"request":{"principal":"tester","mood":"calm"},"priority":1}');
    expect(await peer.frame()).toContain('"opened"');
    expect(lines.map((line) => /the (message|member).*/.exec(line)?.[0])).toEqual([
      'the member "motto" of welcome',
      'the message "dance"',
      'the member "priority" of open',
    ]);
  });

  test('a relay that hangs up right after its welcome is called ever more rarely', async () => {
    const relay = await openRelay();
    const clock = new ManualClock();
    const dialled = vi.spyOn(clock, 'schedule');
    let next = relay.next();
    closing.push(openGameLink({ url: relay.url, token: undefined, bridge, clock }));
    const waits: number[] = [];
    for (let times = 0; times < 5; times++) {
      const peer = await next;
      await peer.frame();
      next = relay.next();
      dialled.mockClear();
      peer.send('{"type":"welcome","world":"linked"}');
      peer.socket.close(1008, 'no');
      await vi.waitUntil(() => dialled.mock.calls.length > 0);
      waits.push(dialled.mock.calls.at(-1)?.[1] as number);
      clock.pass(5_000);
    }
    expect(waits[4]).toBeGreaterThanOrEqual(2_500);
    expect(waits[0]).toBeLessThanOrEqual(500);
  });

  test('F3: a relay that stands still fills neither the wire nor the memory: events wait in the bridge, as many as may', async () => {
    const relay = await openRelay();
    const connected = relay.next();
    link(relay.url);
    const peer = await connected;
    peer.send('{"type":"welcome","world":"linked"}');
    peer.send('{"type":"open","conn":1,"request":{"principal":"tester"}}');
    while (!(await peer.frame()).includes('session_init'));
    peer.socket.pause();
    const filler = 'x'.repeat(100_000);
    for (let index = 0; index < 800; index++) {
      slot.emit('state_change', { kind: 'news', filler });
      await new Promise((resolve) => setImmediate(resolve));
    }
    slot.emit('state_change', { kind: 'last' });
    peer.socket.resume();
    let dropped = 0;
    for (let frame = ''; !frame.includes('"kind":"last"'); dropped += Number(/"dropped":(\d+)/.exec(frame)?.[1] ?? 0))
      frame = await peer.frame();
    expect(dropped).toBeGreaterThan(100);
  });

  test('closed, it stays closed', async () => {
    const relay = await openRelay();
    const connected = relay.next();
    const close = openGameLink({ url: relay.url, token: undefined, bridge });
    const peer = await connected;
    await peer.frame();
    close();
    close();
    const [code] = (await once(peer.socket, 'close')) as [number];
    expect(code).toBe(1000);
  });

  describe('C9: a wire that dies without a word', () => {
    /** The longest that the link waits before it calls again. */
    const RETRY_MS = 5_000;

    async function linked() {
      const relay = await openRelay();
      const clock = new ManualClock();
      const connected = relay.next();
      const close = openGameLink({ url: relay.url, token: undefined, bridge, clock });
      closing.push(close);
      const peer = await connected;
      await peer.frame();
      return { relay, clock, close, peer };
    }

    test('is given up after 45 s in which nothing came, its agents count as lost, and the relay is called anew', async () => {
      const { clock, peer, relay } = await linked();
      peer.send('{"type":"open","conn":1,"request":{"principal":"tester"}}');
      while (!(await peer.frame()).includes('session_init'));
      expect(bridge.characters()[0]?.driver).toBe('agent');
      // It was heard before the first look.
      clock.pass(59_999);
      expect(bridge.characters()[0]?.driver).toBe('agent');
      const again = relay.next();
      peer.socket.pause();
      clock.pass(1);
      expect(bridge.characters()[0]?.driver).toBe('none');
      clock.pass(RETRY_MS);
      expect(JSON.parse(await (await again).frame())).toMatchObject({ type: 'hello', instance: bridge.instance });
      peer.socket.terminate();
    });

    test('a relay that takes the call and never says a word is given up too', async () => {
      const { clock, relay } = await linked();
      clock.pass(44_999);
      const again = relay.next();
      clock.pass(1);
      clock.pass(RETRY_MS);
      expect(await (await again).frame()).toContain('"hello"');
    });

    test('one that only says that it is alive is kept', async () => {
      const { clock, peer } = await linked();
      let ended = false;
      peer.socket.on('close', () => {
        ended = true;
      });
      const read = async () => {
        // What follows on the same wire shows that it has been read.
        peer.send('{"type":"open","conn":1,"request":{"principal":"tester","character":"nobody"}}');
        while (!(await peer.frame()).includes('"refused"'));
      };
      await read();
      for (let look = 0; look < 20; look++) {
        clock.pass(15_000);
        peer.send('{"type":"alive"}');
        await new Promise((resolve) => peer.socket.once('pong', resolve).ping());
      }
      await read();
      expect(ended).toBe(false);
    });

    test('closed, it leaves no timer behind', async () => {
      const { clock, close } = await linked();
      expect(clock.timers).toBe(1);
      close();
      expect(clock.timers).toBe(0);
    });
  });

  describe('tells why it cannot connect', () => {
    const open = (url: string, token: () => string) => {
      const told: string[] = [];
      closing.push(openGameLink({ url, token, bridge, log: (message) => told.push(message) }));
      return told;
    };

    test('a token that cannot travel: once, and it goes on trying', async () => {
      const relay = await openRelay();
      const connected = relay.next();
      const tokens = ['has spaces', 'has spaces', 'good'];
      const told = open(relay.url, () => tokens.shift()!);
      await (await connected).frame();
      expect(told).toEqual([
        `aicc: this game cannot connect to ${relay.url}: TypeError: a token may have only letters, digits and !#$%&'*+-.^_\`|~`,
      ]);
    });

    test('nobody there: once, while nobody comes and when a relay that was there goes', async () => {
      const { port, close } = await openRelay();
      close();
      const url = `ws://127.0.0.1:${port}/game`;
      let told: string[] = [];
      await new Promise<void>((resolve) => {
        let dialled = 0;
        told = open(url, () => {
          if (++dialled === 3) resolve();
          return 'any';
        });
      });
      expect(told).toEqual([expect.stringContaining(`cannot connect to ${url}: no relay answers there`)]);
      const relay = await openRelay(port);
      const peer = await relay.next();
      peer.send('{"type":"welcome","world":"linked"}');
      peer.socket.close(1001);
      await relay.next();
      expect(told).toHaveLength(1);
    });

    test('a token() that throws', () => {
      const told = open('ws://127.0.0.1:1/game', () => {
        throw new RangeError('no token yet');
      });
      expect(told).toEqual(['aicc: this game cannot connect to ws://127.0.0.1:1/game: RangeError: no token yet']);
    });

    test.each([
      [4401, 'unauthorized', 'the relay asks games for another `token`'],
      [4001, 'Replaced by a new link of the same game.', 'Replaced by a new link of the same game.'],
    ])('B5: what the relay closes it with, such as %d', async (code, reason, problem) => {
      const relay = await openRelay();
      const told = open(relay.url, () => 'any');
      for (let time = 0; time < 2; time++) (await relay.next()).socket.close(code, reason);
      await relay.next();
      expect(told).toEqual([`aicc: this game cannot connect to ${relay.url}: ${problem}`]);
    });
  });
});
