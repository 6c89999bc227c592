import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { connect, type Session } from '../../src/agent/node.ts';
import { wallClock } from '../../src/base/clock.ts';
import { createBridge, defineTool } from '../../src/bridge/index.ts';
import { message, type RawAgent, tcpAgent } from '../relay/raw-agents.ts';
import { BadWire } from './bad-wire.ts';
import { MortalRelay } from './mortal-relay.ts';

let relay: MortalRelay;
const wires: { [name in 'game' | 'web' | 'tcp']?: BadWire } = {};
beforeAll(async () => {
  vi.stubGlobal('WebSocket', WebSocket);
  relay = await MortalRelay.prepare();
  const lay = (port: 'port' | 'tcpPort') => BadWire.lay(() => relay.ports?.[port], Math.random);
  Object.assign(wires, { game: await lay('port'), web: await lay('port'), tcp: await lay('tcpPort') });
  await relay.start([]);
});
afterAll(async () => {
  vi.unstubAllGlobals();
  for (const wire of Object.values(wires)) await wire.remove();
  await relay.dispose();
});

let games = 0;

/** A game whose world time stands still, so that its `walk` runs for as long as a test wants. The relay may still have the one of the test before. */
function game() {
  const world = `calm_${++games}`;
  const walks: number[] = [];
  const walk = defineTool({
    id: 'walk',
    class: 'actuator',
    description: 'Walks for a second',
    input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const,
    run: async ({ n }, context) => {
      walks.push(n);
      await context.sleep(1_000);
      return { n };
    },
  });
  const bridge = createBridge({ world: { name: world }, clock: wallClock, newId: randomUUID });
  const mira = bridge.addCharacter('mira', { description: 'Walks', tools: [walk], default: true });
  const closeLink = openGameLink({ url: `ws://127.0.0.1:${wires.game?.port}/game`, token: undefined, bridge });
  onTestFinished(() => {
    closeLink();
    bridge.close();
  });
  return { bridge, mira, walks, world };
}

const told = (session: Session, what: 'lost' | 'resumed') => new Promise<void>((resolve) => session.on(what, () => resolve()));

test.each([
  ['WebSocket', () => ({ url: `ws://127.0.0.1:${wires.web?.port}/agent` })],
  ['TCP', () => ({ port: wires.tcp?.port as number })],
])('C6: a relay that is killed in the middle of calls loses nothing of an agent over %s', async (_kind, where) => {
  const { bridge, mira, walks, world } = game();
  const session = await connect({ ...where(), world, waitMs: 20_000 });
  const numbers: unknown[] = [];
  session.on('state_change', ({ number }) => numbers.push(number));
  const lost = told(session, 'lost');
  const resumed = told(session, 'resumed');
  const running = session.call('walk', { n: 1 });
  await vi.waitUntil(() => walks.length === 1, { timeout: 30_000 });
  mira.emit('state_change', { kind: 'news', number: 1 });

  const killed = relay.kill(0);
  await lost;
  mira.emit('state_change', { kind: 'news', number: 2 });
  // It ends while nobody can hear of it.
  bridge.advance(1_000);
  const later = session.call('walk', { n: 2 });
  await killed;
  await resumed;
  expect(await running).toEqual({ n: 1 });
  await vi.waitUntil(() => walks.length === 2, { timeout: 30_000 });
  bridge.advance(1_000);
  expect(await later).toEqual({ n: 2 });
  expect(walks).toEqual([1, 2]);
  expect(numbers).toEqual([1, 2]);
  await session.close();
});

test('C5, C6: without last_seq the next relay brings every result again, with the same seq, and the events since the loss', async () => {
  const { bridge, mira, walks, world } = game();
  const take = async (agent: RawAgent, type: string) => {
    for (;;) {
      const next = await agent.next();
      if (next.type === type) return next;
    }
  };
  const agent = await tcpAgent(wires.tcp?.port as number, JSON.stringify({ connect: { world, wait_ms: 20_000 } }));
  const { session_id } = await take(agent, 'session_init');
  agent.send(message('tool_call', session_id, { call_id: 'a', tool: 'cancel_call', input: { call_id: 'none' } }));
  const first = await take(agent, 'tool_result');
  agent.send(message('tool_call', session_id, { call_id: 'b', tool: 'walk', input: { n: 1 } }));
  mira.emit('state_change', { kind: 'news', number: 1 });
  await take(agent, 'event');
  await vi.waitUntil(() => walks.length === 1, { timeout: 30_000 });

  const killed = relay.kill(0);
  await agent.closed;
  await killed;
  const opened = JSON.stringify({ connect: { resume: session_id, wait_ms: 20_000 } });
  const again = await tcpAgent(wires.tcp?.port as number, opened);
  expect(await again.next()).toMatchObject({ type: 'session_init', session_id });
  expect(await again.next()).toEqual(first);
  mira.emit('state_change', { kind: 'news', number: 2 });
  expect(await take(again, 'event')).toMatchObject({ payload: { number: 2 } });
  bridge.advance(1_000);
  expect(await take(again, 'tool_result')).toMatchObject({ call_id: 'b', ok: true, output: { n: 1 } });
  again.send(message('session_close', session_id));
  await again.closed;
  expect(bridge.sessions()).toEqual([]);
});
