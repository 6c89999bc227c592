import { connect, type Session } from 'phaser-aicc/agent';
import { type Bridge, createBridge, defineTool } from 'phaser-aicc/bridge';
import { type Relay, startRelay } from 'phaser-aicc/relay';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { wallClock } from '../../src/base/clock.ts';
import { uuid } from '../../src/base/uuid.ts';

beforeAll(() => {
  // Node 20 has none of its own.
  globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket;
});

const AGENTS = 1_000;

const echo = defineTool({
  id: 'echo',
  class: 'sensor',
  description: 'Say it back.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => ({ text }),
});

let bridge: Bridge;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  bridge = createBridge({ world: { name: 'crowd' }, clock: wallClock, newId: uuid });
  closing.push(() => bridge.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function relayAt(port = 0, tcpPort = 0, limits = {}): Promise<Relay> {
  const relay = await startRelay({ port, tcpPort, limits });
  closing.push(() => relay.close());
  return relay;
}

test('C6: a thousand agents, by WebSocket and TCP, all come back to their sessions after a restart of the relay', async () => {
  bridge.addCharacter('crowd', { description: 'Everybody.', tools: [echo], default: true, maxSessions: AGENTS });
  const first = await relayAt();
  closing.push(openGameLink({ url: first.gameUrl, token: undefined, bridge }));
  const sessions: Session[] = [];
  while (sessions.length < AGENTS) {
    const few = Array.from({ length: 50 }, (_, index) =>
      connect({ ...(index % 2 ? { url: first.agentUrl } : { port: first.tcpPort }), waitMs: 30_000 }),
    );
    sessions.push(...(await Promise.all(few)));
  }
  // The bridge keeps only sessions of which it has heard.
  await Promise.all(sessions.map((session) => session.call('echo', { text: session.id })));
  const resumed = sessions.map((session) => new Promise<void>((resolve) => session.on('resumed', resolve)));
  await first.close();
  await relayAt(first.port, first.tcpPort);
  await Promise.all(resumed);
  const answers = await Promise.all(sessions.map((session) => session.call('echo', { text: session.id })));
  expect(answers).toEqual(sessions.map(({ id }) => ({ text: id })));
  expect(bridge.sessions()).toHaveLength(AGENTS);
}, 120_000);

test('a world of 50,000 characters connects, and what changes of one is told alone', async () => {
  const description = 'One of very many, of whom all there is to say is said here, at some length, so that the list of them is long.';
  for (let index = 0; index < 50_000; index++) bridge.addCharacter(`c${index}`, { description, tools: [] });
  const relay = await relayAt();
  closing.push(openGameLink({ url: relay.gameUrl, token: undefined, bridge }));
  const agent = await connect({ url: relay.agentUrl, character: 'c49999', waitMs: 30_000 });
  const worlds = async () => (await (await fetch(`${relay.url}worlds`)).json()) as { characters: { id: string; sessions: number }[] }[];
  await vi.waitUntil(async () => (await worlds())[0]?.characters.find(({ id }) => id === 'c49999')?.sessions === 1, { timeout: 30_000 });
  expect((await worlds())[0]?.characters).toHaveLength(50_000);
  await agent.close();
}, 60_000);

test('a world with more characters than the relay takes is told so', async () => {
  for (let index = 0; index < 6; index++) bridge.addCharacter(`c${index}`, { description: 'One.', tools: [] });
  const relay = await relayAt(0, 0, { gameEntries: 5 });
  const told = await new Promise<string>((resolve) => {
    closing.push(openGameLink({ url: relay.gameUrl, token: undefined, bridge, log: resolve }));
  });
  expect(told).toContain('This relay takes at most 5 characters and sessions of one game.');
});
