import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { connectAiControl } from '../../src/agent/aicontrol/index.ts';
import { connect as connectInPage } from '../../src/agent/index.ts';
import { type ConnectError, connect, type OpeningOptions } from '../../src/agent/node.ts';
import { muteWebSocket, silentPort } from './silent-ports.ts';

const refusal = (opening: Promise<unknown>): Promise<ConnectError> =>
  opening.then(
    () => expect.unreachable(),
    (error) => error,
  );

afterEach(() => {
  vi.unstubAllGlobals();
});

const inPage = (options: OpeningOptions & { url: string }) => {
  vi.stubGlobal('WebSocket', WebSocket);
  return connectInPage(options);
};

/** The deadlines that stand when nothing is said, without waiting for them: every timer is due at once. */
function hurry() {
  const asked: number[] = [];
  const real = setTimeout;
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0, ...rest: []) => {
    asked.push(ms);
    return real(run, ms >= 1_000 ? 50 : ms, ...rest);
  });
  return asked;
}

describe('H10: nothing waits without an end', () => {
  test('B3: a port that takes a connection and answers no WebSocket handshake is given up after 10 s, and said so', async () => {
    const url = `ws://127.0.0.1:${await silentPort()}/agent`;
    const asked = hurry();
    expect(await refusal(connect({ url, waitMs: 60_000 }))).toMatchObject({
      code: 'unreachable',
      retryable: true,
      message: `${url} accepts the connection, but answers no WebSocket handshake: nothing came within 10000 ms`,
    });
    expect(await refusal(inPage({ url }))).toMatchObject({
      code: 'unreachable',
      message: `${url} answers no WebSocket handshake: nothing came within 10000 ms`,
    });
    expect(asked).toContain(10_000);
  });

  test('B3: a WebSocket or a TCP port that opens no session is given up when waiting and opening must be over', async () => {
    const [web, tcp] = [await muteWebSocket(), await silentPort()];
    hurry();
    expect(await refusal(connect({ url: `ws://127.0.0.1:${web}/agent`, waitMs: 5_000 }))).toMatchObject({
      code: 'unreachable',
      message: `ws://127.0.0.1:${web}/agent takes the connection but opens no session: none came within 16000 ms`,
    });
    expect(await refusal(connect({ port: tcp }))).toMatchObject({
      message: `127.0.0.1:${tcp} takes the connection but opens no session: none came within 11000 ms`,
    });
  });

  test('timeoutMs is for all of the opening, at every door', async () => {
    const [web, tcp] = [await muteWebSocket(), await silentPort()];
    const timeoutMs = 60;
    const openings = [
      connect({ url: `ws://127.0.0.1:${tcp}/agent`, timeoutMs, waitMs: 60_000 }),
      connect({ url: `ws://127.0.0.1:${web}/agent`, timeoutMs, waitMs: 60_000 }),
      connect({ port: tcp, timeoutMs, waitMs: 60_000 }),
      inPage({ url: `ws://127.0.0.1:${web}/agent`, timeoutMs }),
    ].map(refusal);
    for (const error of await Promise.all(openings))
      expect(error).toMatchObject({ code: 'unreachable', message: expect.stringMatching(/came within \d+ ms$/) });
  });

  test('AiControl: a command of an endpoint that falls silent is over when its own time is', async () => {
    const port = await silentPort();
    const client = await connectAiControl({ port, timeoutMs: 60_000 });
    onTestFinished(() => client.close());
    await expect(client.perform({ type: 'say' }, { timeoutMs: 50 })).rejects.toThrow('the command "say" was not over within 50 ms');
    const impatient = await connectAiControl({ port, timeoutMs: 50 });
    await expect(impatient.ping()).rejects.toThrow('takes the connection but does not answer: nothing came within 50 ms');
  });
});

describe('why there is no session, and what helps', () => {
  async function nobodyThere(): Promise<number> {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    return port;
  }

  test('where nobody listens, it says how to start a relay: over WebSocket, over TCP, in a page, by a name with two addresses', async () => {
    const port = await nobodyThere();
    const helps = { code: 'unreachable', retryable: true, message: expect.stringContaining('start a relay with `npx phaser-aicc relay`') };
    expect(await refusal(connect({ url: `ws://127.0.0.1:${port}/agent` }))).toMatchObject(helps);
    expect(await refusal(connect({ url: `ws://localhost:${port}/agent` }))).toMatchObject(helps);
    expect(await refusal(connect({ port }))).toMatchObject(helps);
    expect(await refusal(connect({ host: 'localhost', port }))).toMatchObject(helps);
    expect(await refusal(inPage({ url: `ws://127.0.0.1:${port}/agent` }))).toMatchObject(helps);
    await expect(connectAiControl({ port, timeoutMs: 5_000 })).rejects.toThrow('npx phaser-aicc relay --aicontrol');
  });

  test('what another try cannot mend is not retryable: an address that is refused, and a server that speaks something else', async () => {
    const forbidden = await silentPort((socket) => void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'));
    expect(await refusal(connect({ url: `ws://127.0.0.1:${forbidden}/agent` }))).toMatchObject({ code: 'unreachable', retryable: false });
    const busy = await silentPort((socket) => void socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n'));
    expect(await refusal(connect({ url: `ws://127.0.0.1:${busy}/agent` }))).toMatchObject({ code: 'unreachable', retryable: true });
    const other = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    other.on('connection', (socket) => socket.send('{"type":"connected"}'));
    onTestFinished(() => {
      for (const socket of other.clients) socket.terminate();
      other.close();
    });
    await once(other, 'listening');
    expect(await refusal(connect({ url: `ws://127.0.0.1:${(other.address() as AddressInfo).port}/` }))).toMatchObject({
      retryable: false,
      message: expect.stringContaining('does not speak AICC'),
    });
  });

  test.each([
    [{ charcter: 'mira' }, "connect(options): there is no option 'charcter': did you mean 'character'?"],
    [{ waitMs: 60_001 }, 'waitMs must be at most 60000 milliseconds, not 60001'],
    [{ timeoutMs: 0 }, 'timeoutMs must be a number above 0, not 0'],
    [{ spectate: true, offer: {} }, 'an offer is for driving'],
    [{ subscribe: ['tick', 'ticks'] }, "subscribe: there is no 'ticks': did you mean 'tick'?"],
    [{ subscribe: [5] }, 'subscribe: there is no 5; it may be tick, collision'],
    [{ model: 'huge' }, "model: there is no 'huge'; it may be edge_small"],
    [{ model: {} }, 'model: there is no undefined; it may be edge_small'],
    [{ signal: new AbortController() }, 'signal must be an AbortSignal, not an object'],
  ])('options that cannot mean anything are told before anything is dialled: %j', async (options, problem) => {
    const error = await refusal(connect(options as object));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(problem);
  });

  test('a page that says no address is told what is missing', async () => {
    const error = await refusal(connectInPage(undefined as never));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain("like { url: 'wss://relay.example/agent' }");
  });
});
