import { expect, test } from 'vitest';
import { game, start } from './harness.ts';
import { tcpAgent } from './raw-agents.ts';

test('a newer game may say more than the relay knows: it is passed over and told once', async () => {
  const lines: string[] = [];
  const relay = await start({ log: (line) => lines.push(line) });
  const peer = await game(relay);
  for (let times = 0; times < 3; times++) {
    peer.send({ type: 'weather', sky: 'clear' });
    peer.send({ type: 'changed', characters: [], gone: [], mood: 'calm' });
    peer.send({ type: 'toString' });
  }
  const agent = await tcpAgent(relay.tcpPort, '{"connect":{}}');
  expect((await agent.next()).type).toBe('session_init');
  const told = lines.filter((line) => line.includes('does not know'));
  expect(told).toEqual([
    expect.stringContaining('the message "weather"'),
    expect.stringContaining('the member "mood" of changed'),
    expect.stringContaining('the message "toString"'),
  ]);
});

test('the relay logs games and agents that come and go, without what a terminal would obey', async () => {
  const lines: string[] = [];
  const relay = await start({ log: (line) => lines.push(line) });
  const peer = await game(relay, { world: 'night\u001b[2J\nfall' });
  const agent = await tcpAgent(relay.tcpPort, '{"connect":{}}');
  await agent.next();
  agent.close();
  await peer.control('close');
  await peer.close();
  await relay.close();
  const world = 'night\ufffd[2J\ufffdfall';
  expect(lines).toEqual([
    `game ${world} connected, with 1 character`,
    `agent anonymous drives ${world}/mira (tcp)`,
    `agent of ${world}/mira left: the connection was lost`,
    `game ${world} left: it ended, or its page was closed`,
  ]);
});

test('characters that come, change and go are told one by one', async () => {
  const relay = await start();
  const peer = await game(relay, { characters: ['mira', 'tam'] });
  const info = (id: string, sessions: number) => ({ id, description: id, default: false, sessions, max_sessions: 9, driver: 'swarm' });
  peer.send({ type: 'changed', characters: [info('tam', 3), info('ada', 0)], gone: ['mira', 'never'] });
  await (await tcpAgent(relay.tcpPort, '{"connect":{}}')).next();
  const [world] = (await (await fetch(`${relay.url}worlds`)).json()) as [{ characters: unknown[] }];
  expect(world.characters).toEqual([info('tam', 3), info('ada', 0)]);
});
