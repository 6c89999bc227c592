import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startRelay } from '../../src/relay/index.ts';
import { GamePeer } from './game-peer.ts';
import { afterwards, game, http, start } from './harness.ts';
import { message, refusedUpgrade, tcpAgent, webSocketAgent } from './raw-agents.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
const TOKENS = { agentToken: 'agent-secret', gameToken: 'game-secret' };
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function tokensFile(content: string | object): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'aicc-tokens-'));
  afterwards(() => rm(directory, { recursive: true }));
  const path = join(directory, 'tokens.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const hash = (token: string) => createHash('sha256').update(token).digest('hex');

describe('B5: with tokens', () => {
  test('a right one opens by header, by subprotocol and by connect line', async () => {
    const relay = await start(TOKENS);
    const peer = await game(relay, { token: 'game-secret' });
    const agents = [
      await webSocketAgent(relay.agentUrl, [], bearer('agent-secret')),
      await webSocketAgent(relay.agentUrl, ['aicc.v0.1', 'aicc.bearer.agent-secret']),
      await tcpAgent(relay.tcpPort),
    ];
    agents[0]?.send('{"connect":{}}');
    agents[1]?.send(message('manifest_request', NIL));
    agents[2]?.send('{"connect":{"token":"agent-secret"}}');
    for (const agent of agents) expect((await agent.next()).type).toBe('session_init');
    expect(peer.controls.filter(({ type }) => type === 'open').map(({ request }) => request)).toEqual(
      Array(3).fill({ principal: 'agent' }),
    );
  });

  test.each(['/agent', '/game'])('%s answers 401 where no browser asks, and closes a browser’s socket with 4401', async (path) => {
    const relay = await start(TOKENS);
    const url = `ws://127.0.0.1:${relay.port}${path}`;
    const wrong = path === '/agent' ? 'game-secret' : 'agent-secret';
    expect(await refusedUpgrade(url, ['aicc-game.v1'])).toEqual({ status: 401, body: 'unauthorized\n' });
    expect((await refusedUpgrade(url, ['aicc-game.v1'], bearer(wrong))).status).toBe(401);
    const page = await webSocketAgent(url, ['aicc.v0.1', 'aicc-game.v1', `aicc.bearer.${wrong}`], {
      headers: { Origin: 'http://localhost' },
    });
    expect(await page.closed).toEqual({ code: 4401, reason: 'unauthorized' });
    expect(page.unread).toEqual([]);
  });

  test.each(['{"connect":{"token":"wrong"}}', '{"connect":{}}', message('manifest_request', NIL)])(
    'TCP gets an error and is closed: %s',
    async (line) => {
      const relay = await start(TOKENS);
      const agent = await tcpAgent(relay.tcpPort);
      agent.send(line);
      expect((await agent.next()).error).toEqual({ code: 'invalid_input', message: 'unauthorized', retryable: false });
      await agent.closed;
      expect(agent.unread).toEqual([]);
    },
  );

  test('a token named in the connect line must be right, whatever the header says', async () => {
    const relay = await start(TOKENS);
    const agent = await webSocketAgent(relay.agentUrl, [], bearer('agent-secret'));
    agent.send('{"connect":{"token":"wrong"}}');
    expect((await agent.closed).code).toBe(4401);
  });

  test('world lists need one, and health tells strangers only that it lives', async () => {
    const relay = await start(TOKENS);
    await game(relay, { token: 'game-secret' });
    expect(await http(relay.port, '/metrics')).toMatchObject({ status: 401, body: 'unauthorized\n' });
    for (const token of ['wrong', 'game-secret']) expect((await http(relay.port, '/metrics', bearer(token).headers)).status).toBe(401);
    expect((await http(relay.port, '/metrics', bearer('agent-secret').headers)).status).toBe(200);
    expect(await http(relay.port, '/worlds')).toMatchObject({
      status: 401,
      body: 'unauthorized\n',
      headers: { 'www-authenticate': 'Bearer' },
    });
    expect((await http(relay.port, '/worlds?token=agent-secret')).status).toBe(401);
    expect((await http(relay.port, '/worlds', bearer('agent-secret').headers)).status).toBe(200);
    expect((await http(relay.port, '/healthz')).body).toBe('{"ok":true}');
    expect((await http(relay.port, '/healthz', bearer('agent-secret').headers)).body).toBe('{"ok":true,"worlds":1,"agents":0}');
  });
});

describe('B5: a tokens file', () => {
  test('names who comes, which characters and capabilities are theirs, and which tokens are for games', async () => {
    const path = await tokensFile({
      [hash('one')]: { name: 'bot', characters: ['mira'], capabilities: ['vision'] },
      [hash('two')]: { name: 'page', role: 'game' },
    });
    const relay = await start({ tokensFile: path });
    const peer = await game(relay, { token: 'two', characters: ['mira', 'old_tam'] });
    const agent = await webSocketAgent(`${relay.agentUrl}?character=mira`, [], bearer('one'));
    expect((await agent.next()).type).toBe('session_init');
    expect((await peer.control('open')).request).toEqual({
      character: 'mira',
      principal: 'bot',
      characters: ['mira'],
      capabilities: ['vision'],
    });
    const [world] = JSON.parse((await http(relay.port, '/worlds', bearer('one').headers)).body);
    expect(world.characters.map(({ id }: { id: string }) => id)).toEqual(['mira']);
    expect((await refusedUpgrade(relay.agentUrl, [], bearer('two'))).status).toBe(401);
    await expect(GamePeer.connect(relay.gameUrl, { token: 'one' })).rejects.toThrow('401');
  });

  test.each([
    ['{', 'cannot be read'],
    ['[]', 'must be a JSON object'],
    [{ secret: { name: 'bot' } }, 'SHA-256 of a token, 64 hex digits'],
    [{ [hash('one')]: 'bot' }, 'its value must be an object'],
    [{ [hash('one')]: {} }, 'name must be a text'],
    [{ [hash('one')]: { name: 'bot', role: 'king' } }, 'role must be "agent", "spectator" or "game"'],
    [{ [hash('one')]: { name: 'bot', characters: 'mira' } }, 'characters must be a list of texts'],
    [{ [hash('one')]: { name: 'bot', capability: [] } }, '"capability" is not known'],
  ])('that is wrong stops the start and says where: %j', async (content, problem) => {
    const path = await tokensFile(content);
    await expect(startRelay({ port: 0, tcpPort: 0, tokensFile: path })).rejects.toMatchObject({
      code: 'bad_tokens_file',
      message: expect.stringContaining(problem),
    });
  });
});

describe('H6: off loopback', () => {
  test.each([
    [{}, 'a token for agents (AICC_AGENT_TOKEN) and one for games (AICC_GAME_TOKEN)'],
    [{ agentToken: 'a' }, 'a token for games (AICC_GAME_TOKEN)'],
    [{ gameToken: 'g' }, 'a token for agents (AICC_AGENT_TOKEN)'],
    [{ agentToken: '', gameToken: '' }, 'a token for agents (AICC_AGENT_TOKEN) and one for games (AICC_GAME_TOKEN)'],
  ])('it does not start without tokens for agents and games: %j', async (tokens, missing) => {
    await expect(startRelay({ host: '0.0.0.0', port: 0, tcpPort: 0, ...tokens })).rejects.toMatchObject({
      name: 'RelayError',
      code: 'tokens_needed',
      message: expect.stringContaining(`set ${missing}`),
    });
  });

  test('it starts with both, and is reached by the address it has', async () => {
    const relay = await start({ host: '0.0.0.0', ...TOKENS });
    expect(relay.url).toBe(`http://127.0.0.1:${relay.port}/`);
    expect((await http(relay.port, '/healthz')).status).toBe(200);
    expect((await http(relay.port, '/healthz', { Host: 'evil.example' })).status).toBe(403);
  });
});

test('B5: with two worlds no error names a character that the token may not see', async () => {
  const relay = await start({
    tokensFile: await tokensFile({ [hash('mine')]: { name: 'one', characters: ['mira'] }, [hash('g')]: { name: 'g', role: 'game' } }),
  });
  await game(relay, { world: 'night', characters: ['mira', 'secret'], token: 'g' });
  await game(relay, { world: 'day', characters: ['hidden', 'secret'], token: 'g' });
  const agent = await tcpAgent(relay.tcpPort);
  for (const character of ['nobody', 'secret', 'hidden']) {
    agent.send(JSON.stringify({ connect: { character, token: 'mine' } }));
    const { error } = await agent.next();
    expect(error?.message).toBe(`No world has a character "${character}": there is "night/mira".`);
  }
  agent.send(JSON.stringify({ connect: { token: 'mine' } }));
  expect(JSON.stringify(await agent.next())).not.toMatch(/secret|hidden/);
  const worlds = await http(relay.port, '/worlds', { Authorization: 'Bearer mine' });
  expect(worlds.body).not.toMatch(/secret|hidden/);
});
