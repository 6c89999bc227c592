import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { comeBackBy } from '../../src/agent/come-back.ts';
import { connect as connectInPage } from '../../src/agent/index.ts';
import { type CallError, connect, type OpeningOptions, type Session } from '../../src/agent/node.ts';
import { openSession } from '../../src/agent/open-session.ts';
import { defineTool, ManualClock } from '../../src/bridge/index.ts';
import { tcpChannel } from '../../src/transport/node.ts';
import { message, tcpAgent } from '../relay/raw-agents.ts';
import { SESSION, type Sent, text } from './scripted-peer.ts';
import { serve } from './small-server.ts';
import { smallWorld } from './small-world.ts';

const refusal = (call: Promise<unknown>): Promise<CallError> =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  );
const told = (session: Session, what: 'lost' | 'resumed') => new Promise<void>((resolve) => session.on(what, () => resolve()));

/** Node 20 has no WebSocket of its own; the one of `ws` has the browser's interface. */
const pageLike = () => vi.stubGlobal('WebSocket', WebSocket);
afterEach(() => {
  vi.unstubAllGlobals();
});

type Server = Awaited<ReturnType<typeof serve>>;
const WAYS: [string, (server: Server, options?: OpeningOptions) => Promise<Session>][] = [
  ['WebSocket in Node', ({ url }, options) => connect({ url, ...options })],
  ['WebSocket in Node, opened by a query', ({ url }, options) => connect({ url: `${url}?character=ann`, ...options })],
  [
    'WebSocket in a page',
    ({ url }, options) => {
      pageLike();
      return connectInPage({ url, ...options });
    },
  ],
  ['TCP', ({ tcp }, options) => connect({ port: tcp, ...options })],
];

function cut({ sockets }: Server): void {
  for (const socket of sockets)
    if ('terminate' in socket) socket.terminate();
    else socket.destroy();
  sockets.clear();
}

/** A world whose tool `count` says how often each number was asked for. */
function countingWorld() {
  const counts = new Map<number, number>();
  const count = defineTool({
    id: 'count',
    class: 'actuator',
    description: 'Counts',
    input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const,
    run: ({ n }) => {
      counts.set(n, (counts.get(n) ?? 0) + 1);
      return { n };
    },
  });
  const slow = defineTool({ id: 'slow', class: 'actuator', description: 'Sleeps', run: (_input, context) => context.sleep(1_000) });
  const world = smallWorld({ tools: [count, slow] });
  return { world, counts };
}

describe.each(WAYS)('over %s', (_way, reach) => {
  test('C5: after a cut the same session goes on, and each pending call gets its one result', async () => {
    const { world, counts } = countingWorld();
    const server = await serve(world, 's3cret');
    const session = await reach(server, { token: 's3cret' });
    const problems: Error[] = [];
    session.on('error', (error) => problems.push(error));
    const slow = session.call('slow');
    await session.call('count', { n: 0 });
    const calls = [session.call('count', { n: 1 }), session.call('count', { n: 2 })];
    const lost = told(session, 'lost');
    const resumed = told(session, 'resumed');
    cut(server);
    await lost;
    calls.push(session.call('count', { n: 3 }));
    await resumed;
    expect(await Promise.all(calls)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    world.bridge.advance(1_000);
    expect(await slow).toEqual({});
    expect([...counts.values()]).toEqual([1, 1, 1, 1]);
    expect(problems).toEqual([]);
    expect(world.bridge.sessions()).toMatchObject([{ session_id: session.id }]);
    await session.close();
    expect(world.bridge.sessions()).toEqual([]);
  });

  test('C5: a session that ended meanwhile is over, and that settles every outstanding call', async () => {
    const world = smallWorld();
    const eve = world.bridge.addCharacter('eve', { description: 'Leaves', tools: [], default: false });
    const server = await serve(world);
    const session = await (_way.includes('query') ? connect({ url: `${server.url}?character=eve` }) : reach(server, { character: 'eve' }));
    const lost = told(session, 'lost');
    const calls = [1, 2].map(() => refusal(session.call('nothing')));
    cut(server);
    await lost;
    eve.remove('gone for ever');
    calls.push(refusal(session.call('late')));
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ name: 'CallError' });
    expect(await calls[2]).toMatchObject({ code: 'session_expired', retryable: false });
    expect((await session.closed).reason).toContain('could not be resumed');
  });

  test('C5: with reconnect false a lost connection is the end', async () => {
    const server = await serve(smallWorld());
    const session = await reach(server, { reconnect: false });
    const walking = refusal(session.call('walk', { ms: 1_000 }));
    await session.call('body');
    cut(server);
    expect(await walking).toMatchObject({ code: 'session_expired' });
    expect((await session.closed).code).not.toBe(1000);
  });

  test('C5: a session that another connection took up does not take itself back', async () => {
    const world = smallWorld();
    const server = await serve(world);
    const session = await reach(server);
    const walking = refusal(session.call('walk', { ms: 1_000 }));
    await session.call('body');
    let losses = 0;
    session.on('lost', () => losses++);
    const thief = await tcpAgent(server.tcp, JSON.stringify({ connect: { resume: session.id } }));
    expect(await thief.next()).toMatchObject({ type: 'session_init', session_id: session.id });
    expect(await walking).toMatchObject({ code: 'session_expired' });
    await session.closed;
    expect(losses).toBe(0);
    thief.send(message('tool_call', session.id, { call_id: 'x', tool: 'body', input: {} }));
    for (let got = await thief.next(); got.call_id !== 'x'; got = await thief.next());
    thief.close();
  });

  test('C7: close while the connection is lost still ends the session in the game', async () => {
    const world = smallWorld();
    const server = await serve(world);
    const session = await reach(server);
    await session.call('body');
    const lost = told(session, 'lost');
    cut(server);
    await lost;
    await session.close('enough');
    expect((await session.closed).code).toBe(1000);
    expect(world.bridge.sessions()).toEqual([]);
  });
});

/** A server of lines that answers as the test says; `accept` gives its next connection. */
async function scriptedServer() {
  const connections: ((socket: Socket) => void)[] = [];
  const early: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const waiting = connections.shift();
    if (waiting) waiting(socket);
    else early.push(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<Socket>();
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const accept = async () => {
    const socket = early.shift() ?? (await new Promise<Socket>((resolve) => connections.push(resolve)));
    sockets.add(socket);
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    return {
      socket,
      say: (...texts: string[]) => socket.write(texts.map((line) => `${line}\n`).join('')),
      next: async () => JSON.parse((await lines.next()).value) as Sent,
    };
  };
  return { port: (server.address() as AddressInfo).port, accept };
}

async function opened() {
  const server = await scriptedServer();
  const opening = connect({ port: server.port });
  const first = await server.accept();
  await first.next();
  first.say(text.init());
  const session = await opening;
  expect(await first.next()).toMatchObject({ type: 'heartbeat' });
  return { server, first, session };
}

const numbered = (kind: string, seq: number) =>
  text.event('state_change', JSON.stringify({ kind })).replace(/}$/, `,"meta":{"tick":1,"seq":${seq}}}`);

describe('C3: a bridge that falls silent', () => {
  /** A session over TCP whose wall time is the test's. */
  async function watched({ reconnect = true } = {}) {
    const server = await scriptedServer();
    const clock = new ManualClock();
    const dial = async () => {
      const socket = connectTcp({ port: server.port, host: '127.0.0.1' });
      await once(socket, 'connect');
      return tcpChannel(socket);
    };
    const opening = openSession(
      await dial(),
      'here',
      { connect: {} },
      { reconnect },
      comeBackBy(Object.assign(dial, { where: 'here' })),
      clock,
    );
    const first = await server.accept();
    await first.next();
    first.say(text.init());
    const session = await opening;
    return { server, clock, first, session };
  }

  /** The bridge closes it. */
  async function over(session: Session, { say, socket }: Awaited<ReturnType<typeof watched>>['first']) {
    say(text.close('over'));
    socket.end();
    await session.closed;
  }

  test('for 30 s is dead: the agent comes back on another connection, and its calls with it', async () => {
    const { clock, first, server, session } = await watched();
    const call = session.call('body');
    let losses = 0;
    session.on('lost', () => losses++);
    clock.pass(29_999);
    expect(losses).toBe(0);
    first.socket.pause();
    clock.pass(1);
    expect(losses).toBe(1);
    const second = await server.accept();
    expect(await second.next()).toMatchObject({ connect: { resume: SESSION, last_seq: 0 } });
    second.say(text.init());
    const { call_id } = await second.next();
    second.say(text.result(call_id, '{"at":3}'));
    expect(await call).toEqual({ at: 3 });
    await over(session, second);
  });

  test('or says something in time is alive, whatever it says', async () => {
    const { clock, first, session } = await watched();
    let losses = 0;
    session.on('lost', () => losses++);
    for (let seq = 1; seq < 20; seq++) {
      clock.pass(25_000);
      const heard = new Promise((resolve) => session.on('state_change', resolve));
      first.say(numbered('news', seq));
      await heard;
    }
    expect(losses).toBe(0);
    await over(session, first);
    expect(clock.timers).toBe(0);
  });

  test('ends a session that has no way back', async () => {
    const { clock, session } = await watched({ reconnect: false });
    const call = refusal(session.call('body'));
    clock.pass(30_000);
    expect(await call).toMatchObject({ code: 'session_expired' });
    expect(await session.closed).toEqual({ code: 1006, reason: 'nothing came for 30 s' });
    expect(clock.timers).toBe(0);
  });

  test('inside one page is only quiet', async () => {
    const { enter } = smallWorld();
    const clock = new ManualClock();
    const session = await openSession(enter().channel, 'here', { connect: {} }, {}, undefined, clock);
    expect(clock.timers).toBe(0);
    await session.close();
  });
});

test('C5: resume names the newest seq, and what comes a second time is dropped', async () => {
  const { first, server, session } = await opened();
  const kinds: string[] = [];
  session.on('state_change', ({ kind }) => kinds.push(kind));
  first.say(numbered('one', 1), numbered('two', 2));
  await vi.waitUntil(() => kinds.length === 2, { timeout: 30_000 });
  first.socket.destroy();
  const second = await server.accept();
  expect(await second.next()).toMatchObject({ connect: { resume: SESSION, last_seq: 2 } });
  second.say(text.init(), numbered('one', 1), numbered('two', 2), numbered('three', 3));
  await vi.waitUntil(() => kinds.length === 3, { timeout: 30_000 });
  expect(kinds).toEqual(['one', 'two', 'three']);
});

test('D1: a call is sent again with the same id and content, one that was given up is only cancelled', async () => {
  const { first, server, session } = await opened();
  const input = { at: 1 };
  const kept = session.call('move_to', input);
  const abort = new AbortController();
  const dropped = refusal(session.call('move_to', { at: 2 }, { signal: abort.signal }));
  const [one, two] = [await first.next(), await first.next()];
  input.at = 99;
  const lost = told(session, 'lost');
  first.socket.destroy();
  await lost;
  abort.abort();
  expect(await dropped).toMatchObject({ code: 'execution_failed' });
  const second = await server.accept();
  await second.next();
  second.say(text.init());
  expect(await second.next()).toEqual(one);
  expect(await second.next()).toMatchObject({ tool: 'cancel_call', input: { call_id: two.call_id } });
  second.say(text.result(one.call_id, '{"done":true}'));
  expect(await kept).toEqual({ done: true });
});

test('C6: a relay that does not know its games yet is asked again, until it does', async () => {
  const { first, server, session } = await opened();
  const resumed = told(session, 'resumed');
  first.say(text.error('tool_unavailable', 'the relay is going away', true));
  first.socket.end();
  for (let tries = 0; tries < 3; tries++) {
    const early = await server.accept();
    expect(await early.next()).toMatchObject({ connect: { resume: SESSION } });
    early.say(text.error('tool_unavailable', 'no game yet', true));
  }
  const last = await server.accept();
  await last.next();
  last.say(text.init());
  await resumed;
});

test.each([
  ['session_expired', 'replaced'],
  ['invalid_input', 'too many messages were refused'],
])('C5: on TCP a last %s means the end', async (code, why) => {
  const { first, session } = await opened();
  const call = refusal(session.call('body'));
  await first.next();
  let losses = 0;
  session.on('lost', () => losses++);
  first.say(text.error(code, why, false));
  first.socket.end();
  expect(await call).toMatchObject({ code: 'session_expired' });
  expect((await session.closed).reason).toBe(why);
  expect(losses).toBe(0);
});

test('C5: a bridge that opens another session instead is not followed there', async () => {
  const { first, server, session } = await opened();
  const call = refusal(session.call('body'));
  first.socket.destroy();
  const second = await server.accept();
  await second.next();
  second.say(text.init(undefined, '00000000-0000-4000-8000-00000000000b'));
  expect(await call).toMatchObject({ code: 'session_expired' });
  expect((await session.closed).reason).toContain('another session');
});
