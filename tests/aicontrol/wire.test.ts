import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Endpoint, endpoint } from './harness.ts';
import type { RawClient } from './raw-client.ts';

const CODES = [-32700, -32600, -32601, -32602, -32001, -32002];
const MiB = 1_048_576;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
const PONG = '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}';
const notJson = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not JSON"}}';
const notUtf8 = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not UTF-8"}}';
const tooLong = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a line\'s JSON must be at most 1048576 bytes"}}';
const refused = (id: string, message: string) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"${message}"}}`;

/** A ping of exactly so many bytes, without its LF. */
function pingOf(bytes: number): string {
  const frame = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"pad":""}}';
  return frame.replace('""}}', `"${'p'.repeat(bytes - frame.length)}"}}`);
}

let at: Endpoint;
let client: RawClient;
beforeEach(async () => {
  at = await endpoint();
  client = await at.client();
});

describe('lines', () => {
  test('W2: a request that comes byte by byte is answered once', async () => {
    for (const byte of Buffer.from('{"jsonrpc":"2.0","id":"é","method":"ping"}\n')) {
      client.socket.write(Uint8Array.of(byte));
      await new Promise(setImmediate);
    }
    expect(await client.line()).toBe('{"jsonrpc":"2.0","id":"é","result":{"ok":true}}');
    expect(await client.ask('ping')).toMatchObject({ result: { ok: true } });
  });

  test('W2: two requests in one packet get two answers, in order', async () => {
    client.send('{"jsonrpc":"2.0","id":"a","method":"status"}\n{"jsonrpc":"2.0","id":"b","method":"ping"}\n');
    expect([(await client.answer()).id, (await client.answer()).id]).toEqual(['a', 'b']);
  });

  test('W2: CR before LF is accepted, and an unfinished line waits', async () => {
    client.send(PING.replace('\n', '\r\n'), '{"jsonrpc":"2.0",');
    expect(await client.line()).toBe(PONG);
    client.send('"id":1,"method":"ping"}\r', '\n');
    expect(await client.line()).toBe(PONG);
  });

  test('W3: malformed UTF-8 is -32700 with id null, and the connection goes on', async () => {
    client.send('{"jsonrpc":"2.0","id":1,"method":"p', Uint8Array.of(0xff), 'ing"}\n', Uint8Array.of(0xc0, 0xaf, 10), PING);
    expect([await client.line(), await client.line(), await client.line()]).toEqual([notUtf8, notUtf8, PONG]);
  });

  test.each(['nonsense', '', ' ', '{"jsonrpc":"2.0","id":1,"method":"ping"', "{'a':1}", '\uFEFF{}', '{"a":1}{"b":2}', 'NaN'])(
    'W3: malformed JSON is -32700 with id null, and the connection goes on: %j',
    async (line) => {
      client.send(`${line}\n`, PING);
      expect([await client.line(), await client.line()]).toEqual([notJson, PONG]);
    },
  );

  test('W4: a line of 1,048,576 bytes is answered', async () => {
    const line = pingOf(MiB);
    expect(Buffer.byteLength(line)).toBe(1_048_576);
    client.send(`${line}\n`);
    expect(await client.line()).toBe(PONG);
  });

  test('W4: one byte more is -32600 with id null, then the connection closes', async () => {
    client.send(`${pingOf(MiB + 1)}\n`, PING);
    expect(await client.line()).toBe(tooLong);
    await client.ended;
    expect(client.unfinished).toBe('');
    expect((await (await at.client()).result('status')).lastError).toBe("a line's JSON must be at most 1048576 bytes");
  });

  test('W4: a line without end is refused as soon as it is too long', async () => {
    client.send('x'.repeat(MiB + 2));
    expect(await client.line()).toBe(tooLong);
    await client.ended;
  });

  test('W4: a response that would be too large becomes an error of its request, never a broken line', async () => {
    // Its JSON grows: 1e15 becomes sixteen digits.
    const id = `[${new Array(100_000).fill('1e15').join(',')}]`;
    client.send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`, PING);
    expect(await client.line()).toBe(refused('null', 'the response would be larger than 1048576 bytes'));
    expect(await client.line()).toBe(PONG);
    // The largest id whose error still fits comes back with it.
    const fitting = `"${'i'.repeat(MiB - 120)}"`;
    client.send(`{"jsonrpc":"2.0","id":${fitting},"method":"status"}\n`);
    expect(await client.line()).toBe(refused(fitting, 'the response would be larger than 1048576 bytes'));
  });

  test.each(['GET / HTTP/1.1', 'POST /game HTTP/1.1', 'OPTIONS * HTTP/1.0'])('W4: %s as a first line closes silently', async (line) => {
    client.send(`${line}\r\nHost: 127.0.0.1\r\nContent-Length: 41\r\n\r\n${PING}`);
    await client.ended;
    await expect(client.line()).rejects.toThrow('ended');
    expect(client.unfinished).toBe('');
  });

  test('W4: a first line shaped like a TLS ClientHello closes silently', async () => {
    client.send(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x0a, 0x7b, 0x7d, 0x0a]));
    await client.ended;
    await expect(client.line()).rejects.toThrow('ended');
    expect(client.unfinished).toBe('');
  });

  test('W4: what looks like HTTP later on is malformed JSON', async () => {
    client.send(PING, 'GET / HTTP/1.1\r\n');
    expect([await client.line(), await client.line()]).toEqual([PONG, notJson]);
  });
});

describe('requests', () => {
  test.each(['0', '""', 'null', '{"a":[1]}', '[]', 'false', '1.5', '"x\\u0000y"', '-1', '{"__proto__":1}'])(
    'W5: the id %s comes back',
    async (id) => {
      client.send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
      expect(await client.line()).toBe(`{"jsonrpc":"2.0","id":${id},"result":{"ok":true}}`);
      client.send(`{"jsonrpc":"2.0","id":${id},"method":"gallop"}\n`);
      expect((await client.line()).startsWith(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":`)).toBe(true);
    },
  );

  test.each([
    '9007199254740993',
    '-9223372036854775808',
    '1e400',
    '0.10000000000000000001',
    '[1, 638685216000000001 ]',
    '{"a:}": 12345678901234567890}',
  ])('W5: the id %s comes back digit by digit', async (id) => {
    const decoy = '{"id":1,"x":[{"id":2}],"s":"\\"id\\":3,"}';
    client.send(`{"id":5, "params" : ${decoy} ,"i\\u0064" : ${id} ,"jsonrpc":"2.0","method":"ping"}\r\n`);
    expect(await client.line()).toBe(`{"jsonrpc":"2.0","id":${id},"result":{"ok":true}}`);
    client.send(`{"method":7,"jsonrpc":"2.0","id":${id}}\n`);
    expect((await client.line()).startsWith(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,`)).toBe(true);
  });

  test.each([
    ['[]', 'null', 'a request must be a JSON object'],
    ['"ping"', 'null', 'a request must be a JSON object'],
    ['null', 'null', 'a request must be a JSON object'],
    ['7', 'null', 'a request must be a JSON object'],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 'null', 'a request must be a JSON object'],
    ['{"jsonrpc":"2.0","method":"ping"}', 'null', 'id is missing: it may be any JSON value'],
    ['{"id":3,"method":"ping"}', '3', 'jsonrpc must be \\"2.0\\"'],
    ['{"jsonrpc":2.0,"id":3,"method":"ping"}', '3', 'jsonrpc must be \\"2.0\\"'],
    ['{"jsonrpc":"1.0","id":"q","method":"ping"}', '"q"', 'jsonrpc must be \\"2.0\\"'],
    ['{"jsonrpc":"2.0","id":3}', '3', 'method must be a string that is not empty'],
    ['{"jsonrpc":"2.0","id":3,"method":""}', '3', 'method must be a string that is not empty'],
    ['{"jsonrpc":"2.0","id":3,"method":["ping"]}', '3', 'method must be a string that is not empty'],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}', '3', 'params must be an object'],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":"x"}', '3', 'params must be an object'],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":null}', '3', 'params must be an object'],
    ['{"jsonrpc":"2.0","id":{"k":0},"method":"ping","params":1}', '{"k":0}', 'params must be an object'],
  ])('W5: %s is -32600 with the id if it can be read', async (line, id, message) => {
    client.send(`${line}\n`, PING);
    expect([await client.line(), await client.line()]).toEqual([refused(id, message), PONG]);
  });

  test('W5: nesting of 64 is taken, 65 is -32600 with id null', async () => {
    const nested = (depth: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}\n`;
    client.send(nested(64), nested(65));
    expect(await client.line()).toBe(PONG);
    expect(await client.line()).toBe(refused('null', 'a request must nest at most 64 objects and arrays deep'));
  });

  test.each([
    ['params', (deep: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`],
    ['id', (deep: string) => `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`],
    ['line', (deep: string) => deep],
  ])('W5: a %s that nests 10,000 deep is -32600 with id null, and the connection goes on', async (_where, line) => {
    client.send(
      `${line(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)}\n`,
      `${line(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)}\n`,
      PING,
    );
    expect(await client.answer()).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await client.answer()).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await client.line()).toBe(PONG);
  });

  test('W6: an answer has exactly one of result and error', async () => {
    for (const method of ['ping', 'status', 'observe', 'events', 'auth', 'act', 'gallop', 'constructor', '__proto__']) {
      const answer = await client.ask(method);
      expect([method, ['result', 'error'].filter((member) => member in answer).length]).toEqual([method, 1]);
    }
    expect(await client.ask('__proto__')).toMatchObject({ error: { code: -32601 } });
  });

  test('W6: whatever the line, one answer comes, which is a response', async () => {
    const request = fc.record(
      {
        jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2),
        id: fc.jsonValue(),
        method: fc.oneof(fc.constantFrom('auth', 'ping', 'status', 'observe', 'events', 'act'), fc.string()),
        params: fc.oneof(
          fc.record({ type: fc.jsonValue(), x: fc.jsonValue(), append: fc.boolean() }, { requiredKeys: [] }),
          fc.record({ afterSeq: fc.jsonValue(), limit: fc.jsonValue(), token: fc.jsonValue() }, { requiredKeys: [] }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    const line = fc.oneof(
      { weight: 4, arbitrary: request.map((value) => JSON.stringify(value)) },
      fc.tuple(request, fc.nat()).map(([value, at]) => JSON.stringify(value).slice(0, at % 60)),
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' ')),
    );
    await client.ask('ping');
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), async (lines) => {
        client.send(lines.map((each) => `${each}\n`).join(''), '{"jsonrpc":"2.0","id":"end","method":"ping"}\n');
        for (const _each of lines) {
          const { jsonrpc, id, error, result } = JSON.parse(await client.line());
          expect([jsonrpc, id !== undefined, (error === undefined) !== (result === undefined)]).toEqual(['2.0', true, true]);
          expect(error === undefined || CODES.includes(error.code)).toBe(true);
        }
        expect(await client.line()).toBe('{"jsonrpc":"2.0","id":"end","result":{"ok":true}}');
      }),
      { numRuns: 60 },
    );
  });

  test('W7: pipelined requests are answered in order, quick ones behind a slow one too, and nothing comes unasked', async () => {
    const methods = ['ping', 'observe', 'status', 'events', 'ping'];
    const ids = Array.from({ length: 1_000 }, (_, index) => index);
    client.send(ids.map((id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: methods[id % methods.length] })}\n`).join(''));
    for (const id of ids) expect((await client.answer()).id).toBe(id);
    client.send('{"jsonrpc":"2.0","id":"last","method":"ping"}\n');
    expect((await client.answer()).id).toBe('last');
  });
});

describe('connections', () => {
  test('W1: many connections at once are served side by side', async () => {
    const clients = await Promise.all(Array.from({ length: 60 }, () => at.client()));
    await Promise.all(clients.map(async (each) => expect(await each.ask('ping')).toMatchObject({ result: { ok: true } })));
  });

  test('connections over the bound are hung up on, and the others go on', async () => {
    const clients = await Promise.all(Array.from({ length: 255 }, () => at.client()));
    await Promise.all(clients.map((each) => each.ask('ping')));
    const over = await at.client();
    await over.ended;
    expect(await client.ask('ping')).toMatchObject({ result: { ok: true } });
    clients[0]?.socket.destroy();
    const next = async (): Promise<boolean> => {
      const again = await at.client();
      again.send(PING);
      return again.line().then(
        () => true,
        () => next(),
      );
    };
    expect(await next()).toBe(true);
  });

  test('a client that never reads is not read either, and the others do not notice', async () => {
    const deaf = connect(at.port, '127.0.0.1');
    await once(deaf, 'connect');
    deaf.pause();
    deaf.on('error', () => {});
    const flood = Buffer.from('{"jsonrpc":"2.0","id":"'.concat('d'.repeat(10_000), '","method":"status"}\n').repeat(100));
    // What the kernel takes is bounded: when nothing moves any more, the relay has stopped reading.
    for (let before = -1, taken = 0; deaf.writableLength === 0 || taken !== before; ) {
      if (deaf.writableLength === 0) deaf.write(flood);
      before = taken;
      for (let turn = 0; turn < 50; turn++) expect(await client.ask('ping')).toMatchObject({ result: { ok: true } });
      taken = deaf.bytesWritten - deaf.writableLength;
    }
    deaf.destroy();
    expect(await client.ask('ping')).toMatchObject({ result: { ok: true } });
  });

  test('a half-closed socket still gets its answers, then is closed', async () => {
    const half = await at.client({ allowHalfOpen: true });
    half.socket.end('{"jsonrpc":"2.0","id":1,"method":"observe"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n{"jsonrpc"');
    expect([(await half.answer()).id, (await half.answer()).id]).toEqual([1, 2]);
    await half.ended;
    await expect(half.line()).rejects.toThrow('ended');
  });

  test('a connection cut in the middle of a line or of an answer disturbs nobody', async () => {
    for (let round = 0; round < 20; round++) {
      const other = await at.client();
      other.send('{"jsonrpc":"2.0","id":1,"method":"observe"}\n'.repeat(50), '{"jsonrpc"');
      if (round % 2) await other.line();
      other.socket.resetAndDestroy();
    }
    expect(await client.ask('ping')).toMatchObject({ result: { ok: true } });
  });
});
