import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { createBridge, defineTool, ManualClock } from '../../src/bridge/index.ts';
import type { Relay } from '../../src/relay/index.ts';
import type { GamePeer } from './game-peer.ts';
import { afterwards, game, start } from './harness.ts';
import { type Message, message, type RawAgent, tcpAgent, webSocketAgent } from './raw-agents.ts';

const KINDS: [string, (relay: Relay, first: string, token?: string) => Promise<RawAgent>][] = [
  [
    'WebSocket',
    async (relay, first, token) => {
      const agent = await webSocketAgent(relay.agentUrl, token === undefined ? [] : ['aicc.v0.1', `aicc.bearer.${token}`]);
      agent.send(first);
      return agent;
    },
  ],
  ['TCP', (relay, first) => tcpAgent(relay.tcpPort, first)],
];
/** For a busy machine. */
const PATIENT = { timeout: 30_000 };
const opening = (members: object) => JSON.stringify({ connect: members });

/** What one more connection that wants this session is told first. */
async function resume(relay: Relay, session: string, more: object = {}): Promise<Message> {
  const agent = await tcpAgent(relay.tcpPort, opening({ resume: session, ...more }));
  const answer = await agent.next();
  agent.close();
  return answer;
}

const EXPIRED = { type: 'error', error: { code: 'session_expired', retryable: false } };
const LATER = { type: 'error', error: { code: 'tool_unavailable', retryable: true } };

/** Ends a game's link, and waits until the relay knows. */
async function lose(relay: Relay, peer: GamePeer, how: (peer: GamePeer) => void): Promise<void> {
  const worlds = async () => ((await (await fetch(`${relay.url}worlds`)).json()) as object[]).length;
  const before = await worlds();
  how(peer);
  await vi.waitUntil(async () => (await worlds()) < before, PATIENT);
}
const cut = (peer: GamePeer) => peer.ws.terminate();

async function opened(relay: Relay, members: object = {}): Promise<{ agent: RawAgent & { ws: WebSocket }; session: string }> {
  const agent = await webSocketAgent(relay.agentUrl);
  agent.send(opening(members));
  const { session_id } = await agent.next();
  return { agent, session: session_id };
}

describe('C6: where a session is', () => {
  test('an agent that was lost finds it again, in whichever world it is, by either way to ask', async () => {
    const relay = await start();
    await game(relay, { world: 'hill', characters: ['tam'] });
    const peer = await game(relay, { world: 'lake' });
    const { agent, session } = await opened(relay, { world: 'lake' });
    agent.ws.terminate();
    await peer.control('close');
    expect(await resume(relay, session, { last_seq: 7 })).toMatchObject({ type: 'session_init', session_id: session });
    expect((await peer.control('open', 1)).request).toEqual({ resume: session, last_seq: 7, principal: 'anonymous' });
  });

  test('session_resume as the first message asks the same', async () => {
    const relay = await start();
    const session = randomUUID();
    await game(relay, { world: 'hill' });
    const peer = await game(relay, { world: 'lake', sessions: [session] });
    const agent = await tcpAgent(relay.tcpPort, message('session_resume', session));
    expect(await agent.next()).toMatchObject({ type: 'session_init', session_id: session });
    expect(peer.controls.filter(({ type }) => type === 'open')).toHaveLength(1);
    agent.close();
  });

  test('a relay that has just started knows at once the sessions that hello names', async () => {
    const relay = await start();
    const session = randomUUID();
    const other = await game(relay, { world: 'hill' });
    await game(relay, { world: 'lake', sessions: [session] });
    expect(await resume(relay, session)).toMatchObject({ type: 'session_init', session_id: session });
    expect(other.controls.some(({ type }) => type === 'open')).toBe(false);
  });

  test('for 10 s after the start an unknown one may still come, then it is expired', async () => {
    const clock = new ManualClock();
    const relay = await start({ clock });
    const peer = await game(relay);
    clock.pass(9_999);
    expect(await resume(relay, randomUUID())).toMatchObject(LATER);
    clock.pass(1);
    expect(await resume(relay, randomUUID())).toMatchObject(EXPIRED);
    expect(peer.controls.some(({ type }) => type === 'open')).toBe(false);
  });

  test('the same for 10 s after a link was lost', async () => {
    const clock = new ManualClock();
    const relay = await start({ clock });
    const peer = await game(relay);
    const { agent, session } = await opened(relay);
    clock.pass(10_000);
    await lose(relay, peer, cut);
    expect((await agent.closed).code).toBe(1012);
    clock.pass(9_999);
    for (const id of [session, randomUUID()]) expect(await resume(relay, id)).toMatchObject(LATER);
    clock.pass(1);
    for (const id of [session, randomUUID()]) expect(await resume(relay, id)).toMatchObject(EXPIRED);
    const late = await tcpAgent(relay.tcpPort, opening({}));
    expect((await late.next()).error).toMatchObject({
      code: 'tool_unavailable',
      retryable: true,
      message: expect.stringContaining('No game'),
    });
    late.close();
  });

  test.each(KINDS)('a resume over %s that comes before its game waits for it, if it says so', async (_kind, connect) => {
    const relay = await start();
    const session = randomUUID();
    const agent = await connect(relay, opening({ resume: session, wait_ms: 60_000 }));
    await game(relay, { world: 'hill' });
    await game(relay, { world: 'lake', sessions: [session] });
    expect(await agent.next()).toMatchObject({ type: 'session_init', session_id: session });
  });

  test.each([1000, 1001])('a page that leaves with %s takes its sessions with it at once', async (code) => {
    const relay = await start();
    const peer = await game(relay);
    const { session } = await opened(relay);
    await lose(relay, peer, ({ ws }) => ws.close(code));
    expect(await resume(relay, session)).toMatchObject(EXPIRED);
    // Of others nobody knows better.
    expect(await resume(relay, randomUUID())).toMatchObject(LATER);
  });

  test('a page that was reloaded takes its old name, and the old sessions are expired at once', async () => {
    const relay = await start();
    const peer = await game(relay);
    const { session } = await opened(relay);
    await lose(relay, peer, cut);
    expect(await resume(relay, session)).toMatchObject(LATER);
    expect((await game(relay)).world).toBe('lantern_night');
    expect(await resume(relay, session)).toMatchObject(EXPIRED);
  });

  test('two tabs of one world that lose their links get their names and sessions back, whoever comes first', async () => {
    const relay = await start();
    const tabs = [randomUUID(), randomUUID()];
    const peers = [await game(relay, { instance: tabs[0] as string }), await game(relay, { instance: tabs[1] as string })];
    const first = await opened(relay, { world: 'lantern_night' });
    const second = await opened(relay, { world: 'lantern_night-2' });
    for (const peer of peers) await lose(relay, peer, cut);
    const back = await game(relay, { instance: tabs[1] as string, sessions: [second.session] });
    expect(back.world).toBe('lantern_night-2');
    expect(await resume(relay, second.session)).toMatchObject({ type: 'session_init' });
    expect(await resume(relay, first.session)).toMatchObject(LATER);
    expect((await game(relay, { instance: tabs[0] as string, sessions: [first.session] })).world).toBe('lantern_night');
    expect(await resume(relay, first.session)).toMatchObject({ type: 'session_init', session_id: first.session });
  });

  test('a session that its game no longer names after a return is gone', async () => {
    const clock = new ManualClock();
    const relay = await start({ clock });
    clock.pass(10_000);
    const instance = randomUUID();
    const peer = await game(relay, { instance });
    const { session } = await opened(relay);
    const next = await game(relay, { instance });
    await new Promise((resolve) => peer.ws.once('close', resolve));
    expect(await resume(relay, session)).toMatchObject(EXPIRED);
    expect(next.controls.some(({ type }) => type === 'open')).toBe(false);
  });

  test('a session that was lost is known for as long as it may live, however often it is looked for what can be forgotten', async () => {
    const clock = new ManualClock();
    // Pings would be missed, for no time passes while the clock does.
    const relay = await start({ clock, limits: { pingMs: 1e9 } });
    const peer = await game(relay);
    const lost = [await opened(relay), await opened(relay)];
    for (const [index, { agent }] of lost.entries()) {
      agent.ws.terminate();
      await peer.control('close', index);
    }
    /** A new session is when the relay looks. */
    const look = () => opened(relay);
    for (let seconds = 0; seconds < 60; seconds += 10) {
      clock.pass(10_000);
      await look();
    }
    clock.pass(9_999);
    expect(await resume(relay, lost[0]?.session as string)).toMatchObject({ type: 'session_init' });
    clock.pass(1);
    await look();
    expect(await resume(relay, lost[1]?.session as string)).toMatchObject(EXPIRED);
  });

  test('a session that was closed in order is gone', async () => {
    const clock = new ManualClock();
    const relay = await start({ clock });
    clock.pass(10_000);
    const peer = await game(relay);
    const { agent, session } = await opened(relay);
    agent.send(message('session_close', session));
    expect((await agent.closed).code).toBe(1000);
    expect(await resume(relay, session)).toMatchObject(EXPIRED);
    expect(peer.controls.filter(({ type }) => type === 'open')).toHaveLength(1);
  });
});

/** A real game behind a real relay that knows two principals; the game's clock is the test's. */
async function realGame() {
  const directory = await mkdtemp(join(tmpdir(), 'aicc-sessions-'));
  afterwards(() => rm(directory, { recursive: true }));
  const hash = (token: string) => createHash('sha256').update(token).digest('hex');
  const tokensFile = join(directory, 'tokens.json');
  await writeFile(tokensFile, JSON.stringify({ [hash('one')]: { name: 'one' }, [hash('two')]: { name: 'two' } }));
  const relay = await start({ tokensFile });
  vi.stubGlobal('WebSocket', WebSocket);
  afterwards(() => vi.unstubAllGlobals());
  const clock = new ManualClock();
  const echo = defineTool({ id: 'echo', class: 'sensor', description: 'Answers', run: () => ({ ok: true }) });
  const bridge = createBridge({ world: { name: 'real' }, clock, newId: randomUUID });
  const mira = bridge.addCharacter('mira', { description: 'One at a time', tools: [echo], default: true });
  afterwards(openGameLink({ url: relay.gameUrl, token: undefined, bridge }));
  afterwards(() => bridge.close());
  return { relay, clock, bridge, mira };
}

describe('with a real game', () => {
  async function lostSession() {
    const world = await realGame();
    const agent = await tcpAgent(world.relay.tcpPort, opening({ token: 'one', wait_ms: 20_000 }));
    const { session_id } = await agent.next();
    agent.send(message('tool_call', session_id, { call_id: 'c', tool: 'echo', input: {} }));
    await agent.next();
    const attached = () => world.bridge.characters()[0]?.driver;
    const before = attached();
    agent.close();
    await vi.waitUntil(() => attached() !== before, PATIENT);
    return { ...world, session: session_id };
  }

  test('C5: only the principal that opened a session resumes it', async () => {
    const { relay, session } = await lostSession();
    expect(await resume(relay, session, { token: 'two' })).toMatchObject(EXPIRED);
    expect(await resume(relay, session, { token: 'one' })).toMatchObject({ type: 'session_init', session_id: session });
  });

  test('C5: without last_seq the events since the loss come again on each connection, those before it on none', async () => {
    const { relay, mira, bridge } = await realGame();
    const connect = async (members: object) => {
      const agent = await tcpAgent(relay.tcpPort, opening({ token: 'one', ...members }));
      const { session_id } = await agent.next();
      return { agent, session_id };
    };
    const news = async (agent: RawAgent) => {
      const { payload, meta } = await agent.next();
      return [(payload as { kind: string }).kind, (meta as { seq: number }).seq];
    };
    const first = await connect({ wait_ms: 20_000 });
    const { session_id } = first;
    first.agent.send(message('heartbeat', session_id));
    await first.agent.next();
    mira.emit('state_change', { kind: 'before' });
    expect(await news(first.agent)).toEqual(['before', 1]);
    const attached = () => bridge.characters()[0]?.driver;
    const driver = attached();
    first.agent.close();
    await vi.waitUntil(() => attached() !== driver, PATIENT);
    mira.emit('state_change', { kind: 'missed' });
    const second = await connect({ resume: session_id });
    expect(await news(second.agent)).toEqual(['missed', 2]);
    // That one is not lost, as far as anyone knows.
    const third = await connect({ resume: session_id });
    expect(await news(third.agent)).toEqual(['missed', 2]);
    // Nor by the other way to ask.
    third.agent.send(message('session_resume', session_id));
    expect(await third.agent.next()).toMatchObject({ type: 'session_init', session_id });
    expect(await news(third.agent)).toEqual(['missed', 2]);
    third.agent.send(message('session_close', session_id));
    expect(await third.agent.next()).toMatchObject({ type: 'session_close' });
  });

  test('B7: a session that has been lost for 5 s gives way, and its resume is expired', async () => {
    const { clock, relay, session } = await lostSession();
    clock.pass(4_999);
    const early = await tcpAgent(relay.tcpPort, opening({ token: 'two' }));
    expect((await early.next()).error?.message).toContain('taken');
    clock.pass(1);
    early.send(opening({ token: 'two' }));
    expect(await early.next()).toMatchObject({ type: 'session_init' });
    expect(await resume(relay, session, { token: 'one' })).toMatchObject(EXPIRED);
    early.close();
  });

  test('C5: the connection that a resume replaces is told by an error on TCP, and what it still sends is dropped', async () => {
    const { relay } = await realGame();
    const old = await tcpAgent(relay.tcpPort, opening({ token: 'one', wait_ms: 20_000 }));
    const { session_id } = await old.next();
    const next = await tcpAgent(relay.tcpPort, opening({ token: 'one', resume: session_id }));
    expect(await next.next()).toMatchObject({ type: 'session_init', session_id });
    old.send(message('session_close', session_id));
    expect((await old.next()).error).toMatchObject({ code: 'session_expired', retryable: false });
    await old.closed;
    next.send(message('tool_call', session_id, { call_id: 'c', tool: 'echo', input: {} }));
    expect(await next.next()).toMatchObject({ type: 'tool_result', ok: true });
    next.close();
  });

  test.each(KINDS)(
    'B2, C7: over %s a session that its game ends while it opens begins and ends as any other does',
    async (_kind, connect) => {
      const { relay, bridge } = await realGame();
      const see = defineTool({
        id: 'see',
        class: 'sensor',
        description: 'Sees that it is over',
        snapshot: true,
        run: () => {
          brief.remove('the night is over');
          return {};
        },
      });
      const brief = bridge.addCharacter('brief', { description: 'Goes when it is looked at', tools: [see] });
      const asked = { character: 'brief', event_subscriptions: ['tick'], wait_ms: 20_000 };
      const agent = await connect(relay, opening({ token: 'one', ...asked }), 'one');
      expect(await agent.next()).toMatchObject({ type: 'session_init' });
      expect(await agent.next()).toMatchObject({ type: 'session_close', reason: 'the night is over' });
      expect([0, 1000]).toContain((await agent.closed).code);
      expect(bridge.sessions()).toEqual([]);
    },
  );
});
