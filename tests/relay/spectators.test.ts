import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connect as connectInPage } from '../../src/agent/index.ts';
import { connect, type Session } from '../../src/agent/node.ts';
import type { Relay } from '../../src/relay/index.ts';
import { smallWorld } from '../agent/small-world.ts';
import { hill, until } from '../aicontrol/hill.ts';
import { start } from './harness.ts';
import { message, type RawAgent, tcpAgent, webSocketAgent } from './raw-agents.ts';

/** A relay with a game whose Ann an agent drives already, and all there is room for. */
async function driven() {
  const relay = await start();
  const game = hill(relay.gameUrl);
  const driver = await connect({ url: relay.agentUrl, character: 'ann', waitMs: 5_000 });
  onTestFinished(() => driver.close());
  return { relay, game, driver };
}

const DOORS: [string, (relay: Relay) => Promise<RawAgent>][] = [
  ['the query of a WebSocket', ({ agentUrl }) => webSocketAgent(`${agentUrl}?character=ann&spectate=true`)],
  [
    'the connect line of a WebSocket',
    async ({ agentUrl }) => {
      const agent = await webSocketAgent(agentUrl);
      agent.send('{"connect":{"character":"ann","spectate":true}}');
      return agent;
    },
  ],
  ['the connect line over TCP', ({ tcpPort }) => tcpAgent(tcpPort, '{"connect":{"character":"ann","spectate":true}}')],
];

describe('B8: a spectator comes in', () => {
  test.each(DOORS)('by %s, and calls nothing', async (_door, enter) => {
    const { game, relay } = await driven();
    const agent = await enter(relay);
    const init = await agent.next();
    expect(init).toMatchObject({ type: 'session_init' });
    game.ann.emit('agent_message', { from: 'player', text: 'hello' });
    expect(await agent.next()).toMatchObject({ type: 'event', payload: { text: 'hello' } });
    agent.send(message('tool_call', String(init.session_id), { call_id: '1', tool: 'step', input: {} }));
    expect(await agent.next()).toMatchObject({
      type: 'tool_result',
      error: { code: 'tool_unavailable', retryable: false },
      meta: { reason: 'spectator' },
    });
    expect(game.bridge.characters()[0]).toMatchObject({ sessions: 1, max_sessions: 1, driver: 'agent' });
  });

  test.each([
    ['the SDK in Node', ({ agentUrl }: Relay) => connect({ url: agentUrl, character: 'ann', spectate: true })],
    ['the SDK over TCP', ({ tcpPort }: Relay) => connect({ port: tcpPort, character: 'ann', spectate: true })],
    ['the SDK in a page', ({ agentUrl }: Relay) => connectInPage({ url: agentUrl, character: 'ann', spectate: true })],
  ])('by %s, and leaves the driver in peace', async (_door, enter) => {
    const { driver, game, relay } = await driven();
    vi.stubGlobal('WebSocket', WebSocket);
    onTestFinished(() => void vi.unstubAllGlobals());
    const spectator: Session = await enter(relay);
    const heard = new Promise((resolve) => spectator.on('agent_message', resolve));
    game.ann.emit('agent_message', { from: 'player', text: 'hello' });
    expect(await heard).toEqual({ from: 'player', text: 'hello' });
    await expect(spectator.call('step')).rejects.toMatchObject({ code: 'tool_unavailable', retryable: false });
    expect(await driver.call('step')).toEqual({ steps: 1 });
    await spectator.close();
  });

  test('by a memory channel', async () => {
    const { bridge, enter } = smallWorld();
    const spectator = await connect({ channel: enter().channel, character: 'ann', spectate: true });
    expect(bridge.characters().find(({ id }) => id === 'ann')).toMatchObject({ sessions: 0, driver: 'none' });
    await expect(spectator.call('body')).rejects.toMatchObject({ retryable: false });
    await spectator.close();
  });

  test('C5: and takes its session up again after a loss', async () => {
    const { game, relay } = await driven();
    const first = await webSocketAgent(`${relay.agentUrl}?character=ann&spectate=true`);
    const { session_id } = await first.next();
    first.send(message('heartbeat', String(session_id)));
    await first.next();
    first.ws.terminate();
    await until(() => game.bridge.sessions().length === 2);
    const second = await tcpAgent(relay.tcpPort, JSON.stringify({ connect: { resume: session_id, wait_ms: 1_000 } }));
    expect(await second.next()).toMatchObject({ type: 'session_init', session_id });
  });
});

describe('B5: a token for spectators', () => {
  async function guarded() {
    const directory = await mkdtemp(join(tmpdir(), 'aicc-spectators-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const hash = (token: string) => createHash('sha256').update(token).digest('hex');
    const tokensFile = join(directory, 'tokens.json');
    const entries = {
      [hash('drives')]: { name: 'crew' },
      [hash('watches')]: { name: 'crew', role: 'spectator', characters: ['ann'] },
    };
    await writeFile(tokensFile, JSON.stringify(entries));
    const relay = await start({ tokensFile });
    hill(relay.gameUrl);
    const driver = await connect({ url: relay.agentUrl, token: 'drives', character: 'ann', waitMs: 5_000 });
    onTestFinished(() => driver.close());
    return { relay, driver };
  }

  test('lets one watch its characters and drive nobody', async () => {
    const { relay } = await guarded();
    const spectator = await connect({ url: relay.agentUrl, token: 'watches', character: 'ann', spectate: true });
    expect(spectator.tools.length).toBeGreaterThan(1);
    await spectator.close();
    await expect(connect({ url: relay.agentUrl, token: 'watches', character: 'ann' })).rejects.toMatchObject({
      code: 'tool_unavailable',
      retryable: false,
      message: 'This token may only watch: connect with "spectate": true.',
    });
  });

  test('C5: takes up no session that drives, though its name is the same', async () => {
    const { driver, relay } = await guarded();
    for (const spectate of [true, undefined]) {
      const agent = await tcpAgent(relay.tcpPort, JSON.stringify({ connect: { token: 'watches', resume: driver.id, spectate } }));
      expect(await agent.next()).toMatchObject({ type: 'error', error: { code: 'session_expired' } });
    }
    expect(await driver.call('step')).toEqual({ steps: 1 });
  });
});

test('B8: an offer is for driving: it is not taken from a spectator', async () => {
  const { relay } = await driven();
  const agent = await tcpAgent(relay.tcpPort, '{"connect":{"spectate":true,"session_offer":{}}}');
  expect(await agent.next()).toMatchObject({ type: 'error', error: { code: 'invalid_input', retryable: false } });
});
