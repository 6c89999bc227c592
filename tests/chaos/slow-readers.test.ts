import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { connect } from '../../src/agent/node.ts';
import { createBridge, defineTool } from '../../src/bridge/index.ts';
import { LIMITS } from '../../src/protocol/index.ts';
import { wallClock } from '../../src/transport/index.ts';
import { afterwards, start } from '../relay/harness.ts';
import { type Message, message } from '../relay/raw-agents.ts';
import { READERS, type Reader } from '../relay/readers.ts';

test('F3, F4: 64 agents that stop reading cost no more than their bounds and disturb nobody; what they missed they are told', async () => {
  const SLOW = 64;
  /** 100 kB each: more than a wire takes that nobody reads. */
  const BIG_EVENTS = 60;
  const relay = await start();
  vi.stubGlobal('WebSocket', WebSocket);
  afterwards(() => vi.unstubAllGlobals());
  const echo = defineTool({
    id: 'echo',
    class: 'sensor',
    description: 'Says it back',
    input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const,
    run: ({ n }) => ({ n }),
  });
  const bridge = createBridge({ world: { name: 'crowd' }, clock: wallClock, newId: randomUUID });
  const crowd = bridge.addCharacter('crowd', { description: 'Shared by many', tools: [echo], maxSessions: SLOW });
  bridge.addCharacter('fast', { description: 'Alone', tools: [echo] });
  afterwards(openGameLink({ url: relay.gameUrl, token: undefined, bridge }));
  afterwards(() => bridge.close());

  const fast = await connect({ url: relay.agentUrl, character: 'fast', waitMs: 20_000 });
  afterwards(() => fast.close());
  const slow = await Promise.all(
    Array.from({ length: SLOW }, async (_, index) => {
      const [, enter] = READERS[index % 2] as (typeof READERS)[number];
      const agent = await enter(relay);
      agent.send('{"connect":{"character":"crowd"}}');
      const { session_id } = await agent.next();
      agent.stop();
      agent.send(message('tool_call', session_id, { call_id: 'early', tool: 'echo', input: { n: index } }));
      return agent;
    }),
  );
  let lost = 0;
  for (const agent of slow) agent.closed.then(() => lost++);

  // First so much that each wire is full, then more than a queue takes.
  const events = [...Array(BIG_EVENTS).fill('x'.repeat(100_000)), ...Array(LIMITS.queuedEvents + 100).fill('')];
  for (const [number, filler] of events.entries()) {
    crowd.emit('state_change', { kind: 'news', number, filler });
    // The fast one's calls go through all the while.
    if (number < BIG_EVENTS || number % 50 === 0) expect(await fast.call('echo', { n: number })).toEqual({ n: number });
  }
  expect(lost).toBe(0);

  /** How many events each was told that it missed, in the order of what it got. */
  const read = async (agent: Reader): Promise<{ got: number; dropped: number; inOrder: boolean; results: number }> => {
    agent.goOn();
    const seen = { got: 0, dropped: 0, inOrder: true, results: 0 };
    for (let newest = -1; newest < events.length - 1; ) {
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
    expect(got + dropped).toBe(events.length);
    expect(inOrder).toBe(true);
    expect(results).toBe(1);
    expect(dropped).toBeGreaterThan(0);
    // What fits into the wire, and the bridge's queue.
    expect(got).toBeGreaterThanOrEqual(LIMITS.queuedEvents);
  }
  expect(lost).toBe(0);
  for (const agent of slow) agent.close();
});
