import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { drive as driveInPage } from '../../src/agent/index.ts';
import { CallError, type ConnectError, drive, type Session } from '../../src/agent/node.ts';
import { hill, until } from '../aicontrol/hill.ts';
import { start } from '../relay/harness.ts';

interface Way {
  where(relay: { agentUrl: string; tcpPort: number }): object;
  by: typeof drive;
}

const IN_NODE: Way = { where: ({ agentUrl }) => ({ url: agentUrl }), by: drive };
const WAYS: [string, Way][] = [
  ['over WebSocket in Node', IN_NODE],
  ['over TCP', { where: ({ tcpPort }) => ({ port: tcpPort }), by: drive }],
  ['in a page', { ...IN_NODE, by: driveInPage as unknown as typeof drive }],
];

/** A relay with a game, and an agent that is to drive Ann on and on. */
async function driven(options: object = {}, play: (session: Session) => unknown = () => {}, way = IN_NODE) {
  // Node 20 has no WebSocket of its own; the one of `ws` has the browser's interface.
  vi.stubGlobal('WebSocket', WebSocket);
  onTestFinished(() => void vi.unstubAllGlobals());
  const relay = await start();
  const game = hill(relay.gameUrl);
  const sessions: Session[] = [];
  const said: string[] = [];
  const stopping = new AbortController();
  const driving = way.by(
    { ...way.where(relay), character: 'ann', signal: stopping.signal, log: (message: string) => said.push(message), ...options },
    (session) => {
      sessions.push(session);
      return play(session);
    },
  );
  driving.catch(() => {});
  onTestFinished(async () => {
    stopping.abort();
    await driving.catch(() => {});
  });
  const another = (count: number) => until(() => sessions.length === count);
  await another(1);
  return { relay, game, sessions, said, driving, another, stop: () => stopping.abort() };
}

describe.each(WAYS)('drive %s', (_name, way) => {
  test('C6, C7: goes on when the game was made anew in the page, and ends when its character is removed for good', async () => {
    const { another, driving, game, relay, said, sessions } = await driven({}, undefined, way);
    game.bridge.close('a newer game of the same world has started');
    expect(await sessions[0]?.closed).toEqual({ code: 4002, reason: 'a newer game of the same world has started' });
    game.leave();
    const { ann } = hill(relay.gameUrl);
    await another(2);
    expect(await sessions[1]?.call('step')).toEqual({ steps: 1 });
    expect(said[0]).toBe('the session is over (4002, a newer game of the same world has started)');
    ann.remove('home');
    expect(await driving).toEqual({ code: 1000, reason: 'home' });
    expect(sessions).toHaveLength(2);
  });
});

describe('drive', () => {
  test('C8: goes on when its character was away for longer than its session lives', async () => {
    const { another, game, sessions } = await driven();
    game.ann.unbind();
    game.ann.remove("'ann' did not come back", 4002);
    expect((await sessions[0]?.closed)?.code).toBe(4002);
    game.bridge.addCharacter('ann', { description: 'Back', tools: [] });
    await another(2);
    expect(sessions[1]?.tools.map(({ id }) => id)).toEqual(['cancel_call']);
  });

  test('C7: ends when the agent says goodbye, and C5 when another has taken the session', async () => {
    const first = await driven();
    await first.sessions[0]?.close('enough');
    expect(await first.driving).toMatchObject({ code: 1000 });
    const second = await driven();
    const taking = new WebSocket(second.relay.agentUrl);
    taking.on('open', () => taking.send(JSON.stringify({ connect: { resume: second.sessions[0]?.id } })));
    expect(await second.driving).toMatchObject({ code: 4001 });
    taking.terminate();
  });

  test('C5: ends over TCP too, where an error says that another has taken the session', async () => {
    const { driving, relay, sessions } = await driven({}, undefined, { where: ({ tcpPort }) => ({ port: tcpPort }), by: drive });
    const taking = new WebSocket(relay.agentUrl);
    taking.on('open', () => taking.send(JSON.stringify({ connect: { resume: sessions[0]?.id } })));
    expect(await driving).toMatchObject({ code: 4001 });
    taking.terminate();
  });

  test('C4: ends in good order at once when it is stopped, also while there is no session', async () => {
    const playing = await driven();
    playing.stop();
    expect(await playing.driving).toEqual({ code: 1000, reason: 'the agent was stopped' });
    expect(playing.game.bridge.sessions()).toEqual([]);

    const waiting = await driven();
    waiting.game.bridge.close();
    await waiting.sessions[0]?.closed;
    waiting.stop();
    expect(await waiting.driving).toMatchObject({ code: 1000 });

    const stopped = { url: 'ws://127.0.0.1:1/agent', signal: AbortSignal.abort() };
    expect(await drive(stopped, () => {})).toMatchObject({ code: 1000 });
  });

  test('B5: gives up what cannot be mended: a wrong token, an unknown option, a channel', async () => {
    const relay = await start({ agentToken: 's3cret' });
    const wrong = drive({ url: relay.agentUrl, token: 'guess' }, () => {});
    await expect(wrong).rejects.toMatchObject({ name: 'ConnectError', retryable: false } satisfies Partial<ConnectError>);
    const mistyped = { url: relay.agentUrl, charcter: 'ann' };
    await expect(drive(mistyped, () => {})).rejects.toThrow("there is no option 'charcter'");
    await expect(drive({ channel: {} } as never, () => {})).rejects.toThrow('cannot be made anew');
    await expect(drive({ url: relay.agentUrl }, undefined as never)).rejects.toThrow('play must be a function');
  });

  test('hands on what play throws, and gives the character back', async () => {
    const { driving, game } = await driven({}, async (session) => {
      await session.call('step');
      throw new RangeError('of my own');
    });
    await expect(driving).rejects.toThrow('of my own');
    expect(game.bridge.sessions()).toEqual([]);
  });

  test('what play throws last, after it has said goodbye, is handed on too', async () => {
    const { driving } = await driven({}, async (session) => {
      await session.close();
      throw new RangeError('at last');
    });
    await expect(driving).rejects.toThrow('at last');
  });

  test('a call that the end of the session cuts short does not end the driving, however it is wrapped', async () => {
    const { another, game, relay } = await driven({}, async (session) => {
      try {
        await session.call('walk', { ms: 1e6 });
      } catch (error) {
        throw new Error('could not walk', { cause: error });
      }
    });
    await until(() => game.deeds.length === 1);
    game.bridge.close();
    game.leave();
    hill(relay.gameUrl);
    await another(2);
  });

  test('a refusal that may pass, which play does not handle, is tried again with a new session', async () => {
    let refusals = 0;
    const { another, said } = await driven({}, () => {
      if (++refusals === 1)
        throw new CallError({ code: 'tool_unavailable', message: 'not yet', retryable: true }, { tool: 'dig', callId: '' });
    });
    await another(2);
    expect(said).toEqual(['dig: not yet']);
  });
});
