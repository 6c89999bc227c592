import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connect as connectInPage } from '../../src/agent/index.ts';
import { type ConnectError, connect, type OpeningOptions, type Session } from '../../src/agent/node.ts';
import { serve } from './small-server.ts';
import { smallWorld } from './small-world.ts';

const refusal = (opening: Promise<unknown>): Promise<ConnectError> =>
  opening.then(
    () => expect.unreachable(),
    (error) => error,
  );

/** Node 20 has no WebSocket of its own; the one of `ws` has the browser's interface. */
function pageLike() {
  vi.stubGlobal('WebSocket', WebSocket);
}
afterEach(() => {
  vi.unstubAllGlobals();
});

type Server = Awaited<ReturnType<typeof serve>>;
const WAYS: [string, (server: Server, options?: OpeningOptions) => Promise<Session>][] = [
  ['WebSocket in Node', ({ url }, options) => connect({ url, ...options })],
  [
    'WebSocket in a page',
    ({ url }, options) => {
      pageLike();
      return connectInPage({ url, ...options });
    },
  ],
  ['TCP', ({ tcp }, options) => connect({ port: tcp, ...options })],
];

describe.each(WAYS)('over %s', (_way, reach) => {
  test('B1: a session opens, calls, and closes in good order', async () => {
    const world = smallWorld();
    const server = await serve(world);
    const session = await reach(server, { character: 'ann', model: 'edge_small' });
    expect(session.model).toEqual({ class: 'edge_small' });
    expect(await session.call('body')).toEqual({ at: 0 });
    await session.close();
    expect((await session.closed).code).toBe(1000);
    expect(world.bridge.sessions()).toEqual([]);
  });

  test('B5: the right token opens, another or none is unauthorized', async () => {
    const server = await serve(smallWorld(), 's3cret');
    const session = await reach(server, { token: 's3cret' });
    await session.close();
    const wrong = await refusal(reach(server, { token: 'guess' }));
    expect(wrong).toMatchObject({ name: 'ConnectError', retryable: expect.any(Boolean) });
    // A page is not told why a WebSocket did not come about, unless the server closes it with 4401.
    if (_way !== 'WebSocket in a page') expect(wrong.message).toContain('unauthorized');
    await refusal(reach(server, {}));
  });

  test('B3: aborting while nobody answers gives up with the signal’s reason', async () => {
    const silent = createServer((socket: Socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    const sockets: Socket[] = [];
    await once(silent, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const abort = new AbortController();
    const opening = refusal(reach({ url: `ws://127.0.0.1:${port}/agent`, tcp: port, sockets: new Set() }, { signal: abort.signal }));
    await once(silent, 'connection');
    const why = new Error('enough');
    abort.abort(why);
    expect(await opening).toBe(why);
  });

  test('a port where nobody listens is unreachable, in one sentence that names it', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const error = await refusal(reach({ url: `ws://127.0.0.1:${port}/agent`, tcp: port, sockets: new Set() }));
    expect(error).toMatchObject({ code: 'unreachable', retryable: true, message: expect.stringContaining(String(port)) });
  });
});

test('B1: with a query in the URL no connect line is sent, and the query is what opens', async () => {
  const server = await serve(smallWorld());
  for (const each of [connect, connectInPage]) {
    pageLike();
    const session = await each({ url: `${server.url}?character=ann&model=edge_medium` });
    expect(session.model).toEqual({ class: 'edge_medium' });
    const problems: Error[] = [];
    session.on('error', (error) => problems.push(error));
    await session.call('body');
    expect(problems).toEqual([]);
    await session.close();
  }
});

test('B5: a token that cannot travel in a subprotocol is a TypeError in a page', async () => {
  pageLike();
  const error = await refusal(connectInPage({ url: 'ws://127.0.0.1:1/agent', token: 'two words' }));
  expect(error).toBeInstanceOf(TypeError);
});

test('a server that speaks HTTP and no WebSocket there is unreachable', async () => {
  const web = createServer((socket) => void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')).listen(0, '127.0.0.1');
  await once(web, 'listening');
  onTestFinished(() => void web.close());
  const error = await refusal(connect({ url: `ws://127.0.0.1:${(web.address() as AddressInfo).port}/agent` }));
  expect(error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('HTTP 404') });
});
