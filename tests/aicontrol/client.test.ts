import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type AiControlClient, AiControlConnectionError, AiControlError, connectAiControl } from 'phaser-aicc/aicontrol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cli } from '../cli/run-cli.ts';
import { endpoint } from './harness.ts';
import { hill, until } from './hill.ts';

async function client(port: number, options: { token?: string; timeoutMs?: number } = {}): Promise<AiControlClient> {
  const opened = await connectAiControl({ port, timeoutMs: 5_000, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

/** An endpoint off the protocol: answers every line as told, with `ID` put in. */
async function scripted(answer: (line: string, socket: Socket) => string | Uint8Array | undefined): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const text = answer(String(chunk), socket);
      if (text !== undefined) socket.write(typeof text === 'string' ? text.replaceAll('ID', String(JSON.parse(String(chunk)).id)) : text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

describe('the client', () => {
  test('reaches all six methods, typed', async () => {
    const { port, relay } = await endpoint({ token: 's3cret' });
    const { ann } = hill(relay.gameUrl);
    const mira = await client(port, { token: 's3cret' });
    await mira.ping();
    expect(await mira.status()).toMatchObject({ running: true, port, queuedCommands: 0 });
    const { observation } = await until(async () => {
      const seen = await mira.observe();
      return seen.observation.ready && seen;
    });
    expect(observation.sensors).toEqual({ body: { steps: 0 } });
    expect(await mira.act({ type: 'step' })).toBe(1);
    expect(await mira.perform({ type: 'say', stringArg: 'Hi', append: true })).toMatchObject({
      commandSeq: 2,
      success: true,
      output: { said: 'Hi' },
    });
    ann.emit('state_change', { kind: 'bell' });
    const { events } = await until(async () => {
      const page = await mira.events({ afterSeq: 2 });
      return page.events.length > 0 && page;
    });
    expect(events).toEqual([{ seq: 3, event: { type: 'state_change', kind: 'bell' } }]);
    expect(await mira.auth('guess')).toBe(false);
    await expect(mira.ping()).rejects.toMatchObject({ name: 'AiControlError', code: -32001 });
  });

  test('requests made at once go out one after the other', async () => {
    const mira = await client((await endpoint()).port);
    const refused = mira.act({ type: '' }).catch((error: AiControlError) => error.code);
    expect(await Promise.all([mira.ping(), refused, mira.events({ limit: 1 }), mira.ping()])).toMatchObject([
      undefined,
      -32602,
      { latestSeq: 0 },
      undefined,
    ]);
  });

  test('W8: a wrong token is no connection', async () => {
    const { port } = await endpoint({ token: 's3cret' });
    await expect(client(port, { token: 'guess' })).rejects.toMatchObject({ reason: 'unauthorized' });
  });

  test.each([undefined, 0, -1, 1.5, Number.POSITIVE_INFINITY, Number.NaN, 2 ** 31])(
    'a finite timeout is required: not %s',
    async (timeoutMs) => {
      await expect(connectAiControl({ port: 1, timeoutMs: timeoutMs as number })).rejects.toThrow(TypeError);
    },
  );

  test('W14: a host beyond this machine must be allowed', async () => {
    await expect(connectAiControl({ host: '192.0.2.1', timeoutMs: 100 })).rejects.toThrow('allowRemote');
    await expect(connectAiControl({ host: '192.0.2.1', timeoutMs: 50, allowRemote: true })).rejects.toThrow(AiControlConnectionError);
  });

  test('nobody there is unreachable; no answer in time is a timeout; both end the connection', async () => {
    const { port, relay } = await endpoint();
    await relay.close();
    await expect(client(port)).rejects.toMatchObject({ reason: 'unreachable' });
    const silent = await client(await scripted(() => undefined), { timeoutMs: 50 });
    await expect(silent.ping()).rejects.toMatchObject({ reason: 'timeout' });
    await expect(silent.ping()).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('a connection that ends, by either side, rejects what waits', async () => {
    const dropped = await client(await scripted((_line, socket) => void socket.destroy()));
    await expect(dropped.ping()).rejects.toMatchObject({ reason: 'closed' });
    const silent = await client(await scripted(() => undefined));
    const waiting = silent.ping();
    const checked = expect(waiting).rejects.toMatchObject({ reason: 'closed' });
    await new Promise(setImmediate);
    silent.close();
    silent.close();
    await checked;
  });

  test.each<[string, string | Uint8Array, string]>([
    ['another id', '{"jsonrpc":"2.0","id":99,"result":{"ok":true}}\n', 'the id 99'],
    ['the id as text', '{"jsonrpc":"2.0","id":"ID","result":{"ok":true}}\n', 'the id "1"'],
    ['no id', '{"jsonrpc":"2.0","result":{"ok":true}}\n', 'the id'],
    ['result and error', '{"jsonrpc":"2.0","id":ID,"result":{"ok":true},"error":{"code":1,"message":"x"}}\n', 'exactly one'],
    ['neither', '{"jsonrpc":"2.0","id":ID}\n', 'exactly one'],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":ID,"result":{"ok":true}}\n', 'jsonrpc'],
    ['a result that is no object', '{"jsonrpc":"2.0","id":ID,"result":true}\n', 'no object'],
    ['a result of another shape', '{"jsonrpc":"2.0","id":ID,"result":{"ok":false}}\n', 'wrong ok'],
    ['an error without code', '{"jsonrpc":"2.0","id":ID,"error":{"message":"x"}}\n', 'without code'],
    ['an array', '[]\n', 'no JSON object'],
    ['what is not JSON', '{"jsonrpc"\n', 'no JSON object'],
    ['an empty line', '\n', 'no JSON object'],
    ['what is not UTF-8', Uint8Array.of(0xff, 10), 'UTF-8'],
    ['two lines for one request', '{"jsonrpc":"2.0","id":ID,"result":{"ok":true}}\n{}\n', ''],
    ['a line without end', 'x'.repeat(1_048_578), '1048576 bytes'],
  ])('W3–W6: %s is a bad response, after which the connection is closed', async (_what, answer, says) => {
    const mira = await client(await scripted(() => answer));
    const error = await mira
      .ping()
      .then(
        () => mira.ping(),
        (thrown) => thrown,
      )
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ reason: 'bad_response', message: expect.stringContaining(says) });
    await expect(mira.ping()).rejects.toBe(error);
  });

  test('W4: a response of 1,048,576 bytes is taken', async () => {
    const frame = '{"jsonrpc":"2.0","id":1,"result":{"ok":true,"pad":""}}';
    await (await client(await scripted(() => `${frame.replace('""', `"${'p'.repeat(1_048_576 - frame.length)}"`)}\n`))).ping();
  });

  test('W3: an error with id null answers a request that could not be read', async () => {
    const mira = await client(
      await scripted(() => '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error","data":{"at":3}}}\n'),
    );
    const error = await mira.ping().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AiControlError);
    expect(error).toMatchObject({ code: -32700, data: { at: 3 } });
    await expect(mira.ping()).rejects.toBeInstanceOf(AiControlError);
  });

  test('W4: a request over the limit is not sent', async () => {
    const mira = await client((await endpoint()).port);
    await expect(mira.act({ type: 'say', text: 'x'.repeat(1_048_576) })).rejects.toThrow(TypeError);
    await mira.ping();
  });
});

describe('aicc aicontrol', () => {
  test('asks one thing and prints the result', async () => {
    const { port, relay } = await endpoint();
    hill(relay.gameUrl);
    const ask = async (...words: string[]) => {
      const { code, err, out } = await cli(['aicontrol', ...words, '--port', String(port), '--json']);
      expect([code, err]).toEqual([0, '']);
      return JSON.parse(out);
    };
    expect(await ask('ping')).toEqual({ ok: true });
    expect(await ask('status')).toMatchObject({ running: true, port });
    await until(async () => (await ask('observe')).observation.ready);
    expect(await ask('act', 'step')).toEqual({ accepted: true, commandSeq: 1 });
    expect(await ask('act', 'say', '{"stringArg":"Hi"}', '--append', '--wait')).toMatchObject({
      commandSeq: 2,
      success: true,
      output: { said: 'Hi' },
    });
    expect(await ask('events', '--after', '1', '--limit', '1')).toMatchObject({ latestSeq: 2, events: [{ seq: 2 }] });
    const failed = await cli(['aicontrol', 'act', 'fail', '--wait', '--port', String(port)]);
    expect([failed.code, JSON.parse(failed.out)]).toMatchObject([1, { success: false, message: 'no legs today' }]);
  });

  test('W15: the token comes from the environment alone', async () => {
    const { port } = await endpoint({ token: 's3cret' });
    const ping = (argv: string[], env: Record<string, string>) => cli(['aicontrol', 'ping', '--port', String(port), ...argv], env);
    expect(await ping([], { AICC_AICONTROL_TOKEN: 's3cret' })).toMatchObject({ code: 0, err: '' });
    expect(await ping(['--token-env', 'MINE'], { MINE: 's3cret' })).toMatchObject({ code: 0, err: '' });
    const wrong = await ping([], { AICC_AICONTROL_TOKEN: 'guess' });
    expect([wrong.code, wrong.err]).toEqual([1, 'aicc aicontrol: unauthorized: the token from the environment is not valid there\n']);
    expect(await ping([], {})).toMatchObject({ code: 1, err: expect.stringContaining('-32001') });
    expect(await ping(['--token', 's3cret'], {})).toMatchObject({ code: 2 });
  });

  test.each<[string[], string]>([
    [[], 'ping, status, observe, events, act'],
    [['gallop'], 'not "gallop"'],
    [['ping', 'twice'], '"twice"'],
    [['act'], 'TYPE is missing'],
    [['act', 'say', 'hello'], 'not JSON'],
    [['act', 'say', '[]'], 'JSON object'],
    [['events', '--limit', '501'], '--limit'],
    [['ping', '--host', '192.0.2.1'], '--allow-remote'],
    [['ping', '--token-env', 'NO_SUCH'], 'not set'],
  ])('wrong use, %j, is one line on stderr and exit code 2', async (words, says) => {
    const { port } = await endpoint();
    const { code, err, out } = await cli(['aicontrol', ...words, '--port', String(port)]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toContain(says);
  });

  test('nobody there is one line and exit code 1', async () => {
    const { port, relay } = await endpoint();
    await relay.close();
    expect(await cli(['aicontrol', 'ping', '--port', String(port)])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^[^\n]+ECONNREFUSED[^\n]*\n$/),
    });
  });
});
