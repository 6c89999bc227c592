import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { connect, type Session } from '../../src/agent/node.ts';
import { wallClock } from '../../src/base/clock.ts';
import { type CharacterSlot, createBridge, defineTool } from '../../src/bridge/index.ts';
import { LIMITS } from '../../src/protocol/index.ts';
import { afterwards } from '../relay/harness.ts';
import { type Message, message } from '../relay/raw-agents.ts';
import { READERS, type Reader } from '../relay/readers.ts';
import { MortalRelay } from './mortal-relay.ts';

/** What one reader that stops may cost the relay. */
const MOST_BYTES = 4_194_304;
/** What the relay's heap may differ by after a collection. */
const MARGIN = 6_000_000;
const PATIENT = { timeout: 60_000, interval: 20 };
const TIMEOUT_MS = 240_000;

interface Crowd {
  relay: MortalRelay;
  crowd: CharacterSlot;
  fast: Session;
  /** So many agents of the crowd, which have a session and read. */
  enter(count: number): Promise<{ agent: Reader; session: string }[]>;
  metrics(): Promise<{ [name: string]: number }>;
}

/** A relay in a process of its own, a game with a crowd that many agents share, and one agent beside them. */
async function crowded(): Promise<Crowd> {
  const relay = await MortalRelay.prepare();
  afterwards(() => relay.dispose());
  // Who stops reading is to be held for as long as the test needs.
  await relay.start([], { pingMs: 600_000 });
  const { port, tcpPort } = relay.ports as { port: number; tcpPort: number };
  const agentUrl = `ws://127.0.0.1:${port}/agent`;
  vi.stubGlobal('WebSocket', WebSocket);
  afterwards(() => vi.unstubAllGlobals());
  const echo = defineTool({
    id: 'echo',
    class: 'sensor',
    description: 'Says it back, with something to fill it',
    input: {
      type: 'object',
      properties: { n: { type: 'number' }, filler: { type: 'number' } },
      required: ['n'],
    } as const,
    run: ({ n, filler = 0 }) => ({ n, ...(filler > 0 && { filler: 'x'.repeat(filler) }) }),
  });
  const bridge = createBridge({ world: { name: 'crowd' }, clock: wallClock, newId: randomUUID });
  const crowd = bridge.addCharacter('crowd', { description: 'Shared by many', tools: [echo], maxSessions: 64 });
  bridge.addCharacter('fast', { description: 'Alone', tools: [echo] });
  afterwards(openGameLink({ url: `ws://127.0.0.1:${port}/game`, token: undefined, bridge }));
  afterwards(() => bridge.close());
  const fast = await connect({ url: agentUrl, character: 'fast', waitMs: 20_000 });
  afterwards(() => fast.close());
  return {
    relay,
    crowd,
    fast,
    enter: (count) =>
      Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const [, enter] = READERS[index % READERS.length] as (typeof READERS)[number];
          const agent = await enter({ agentUrl, tcpPort });
          agent.send('{"connect":{"character":"crowd"}}');
          const { session_id } = await agent.next();
          return { agent, session: session_id };
        }),
      ),
    async metrics() {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Object.fromEntries([...text.matchAll(/^(\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]));
    },
  };
}

test(
  'F3, F4: 64 agents that stop reading cost no more than their bounds and disturb nobody; what they missed they are told',
  async () => {
    const SLOW = 64;
    /** 100 kB each: more than a wire takes that nobody reads. */
    const BIG_EVENTS = 60;
    const CALLS = 200;
    const { relay, crowd, fast, enter, metrics } = await crowded();
    const slow = await enter(SLOW);
    let lost = 0;
    for (const { agent } of slow) agent.closed.then(() => lost++);
    let number = 0;
    const news = (filler = '') => crowd.emit('state_change', { kind: 'news', number: number++, filler });
    const before = await relay.measure();

    for (const [index, { agent, session }] of slow.entries()) {
      agent.stop();
      agent.send(message('tool_call', session, { call_id: 'early', tool: 'echo', input: { n: index } }));
    }
    // First so much that each wire is full, then more than a queue takes.
    for (let n = 0; n < BIG_EVENTS; n++) {
      news('x'.repeat(100_000));
      // The fast one's calls go through all the while.
      expect(await fast.call('echo', { n })).toEqual({ n });
    }
    await vi.waitUntil(async () => (await metrics()).aicc_agents_held === SLOW, PATIENT);
    for (let n = 0; n < LIMITS.queuedEvents; n++) news();
    // What was on its way when the game heard of the last one that is held has arrived.
    expect(await fast.call('echo', { n: 0 })).toEqual({ n: 0 });
    const full = await metrics();
    for (let n = 0; n < CALLS; n++) {
      news();
      expect(await fast.call('echo', { n })).toEqual({ n });
    }
    const stopped = await metrics();
    // The calls share their wires with nothing: news for those that stand still stays in the game.
    expect(stopped.aicc_agent_unread_bytes_max).toBe(full.aicc_agent_unread_bytes_max);
    expect(stopped).toMatchObject({ aicc_agents: SLOW + 1, aicc_agents_held: SLOW });
    expect(stopped.aicc_agent_unread_bytes_max).toBeLessThanOrEqual(MOST_BYTES);
    const during = await relay.measure();
    expect((during.bytes - before.bytes) / SLOW).toBeLessThanOrEqual(MOST_BYTES);
    expect(lost).toBe(0);

    /** How many events each was told that it missed, in the order of what it got. */
    const read = async ({ agent }: { agent: Reader }): Promise<{ got: number; dropped: number; inOrder: boolean; results: number }> => {
      agent.goOn();
      const seen = { got: 0, dropped: 0, inOrder: true, results: 0 };
      for (let newest = -1; newest < number - 1; ) {
        const { meta, payload, type } = (await agent.next()) as Message & { meta?: { dropped?: number }; payload?: { number: number } };
        if (type === 'tool_result') seen.results++;
        if (type !== 'event' || payload === undefined) continue;
        seen.got++;
        seen.dropped += meta?.dropped ?? 0;
        if (payload.number <= newest) seen.inOrder = false;
        newest = payload.number;
      }
      return seen;
    };
    const seen = await Promise.all(slow.map(read));
    for (const { got, dropped, inOrder, results } of seen) {
      expect(got + dropped).toBe(number);
      expect(inOrder).toBe(true);
      expect(results).toBe(1);
      expect(dropped).toBeGreaterThan(0);
      // What fits into the wire, and the bridge's queue.
      expect(got).toBeGreaterThanOrEqual(LIMITS.queuedEvents);
    }
    expect(lost).toBe(0);
    for (const { agent } of slow) agent.close();
    await vi.waitUntil(async () => (await metrics()).aicc_agents === 1, PATIENT);
    await vi.waitUntil(async () => (await relay.measure()).bytes - before.bytes < MARGIN, PATIENT);
  },
  TIMEOUT_MS,
);

test(
  'F4: one that stops reading while its results are on their way costs at most 4 MiB, then it is gone with all that it had unread',
  async () => {
    /** Together more than two wires' ends and the bound take. */
    const RESULTS = 40;
    const { relay, fast, enter, metrics } = await crowded();
    const before = await relay.measure();
    const greedy = await enter(2);
    for (const { agent, session } of greedy) {
      agent.stop();
      const ask = (n: number) => message('tool_call', session, { call_id: `c${n}`, tool: 'echo', input: { n, filler: 900_000 } });
      agent.sendTogether(Array.from({ length: RESULTS }, (_, n) => ask(n)));
    }
    let most = 0;
    await vi.waitUntil(async () => {
      const { aicc_agents, aicc_agent_unread_bytes_max = 0 } = await metrics();
      most = Math.max(most, aicc_agent_unread_bytes_max);
      return aicc_agents === 1;
    }, PATIENT);
    expect(most).toBeLessThanOrEqual(MOST_BYTES);
    expect(await fast.call('echo', { n: 1 })).toEqual({ n: 1 });
    await vi.waitUntil(async () => (await relay.measure()).bytes - before.bytes < MARGIN, PATIENT);
    for (const { agent } of greedy) {
      agent.goOn();
      await agent.closed;
    }
  },
  TIMEOUT_MS,
);
