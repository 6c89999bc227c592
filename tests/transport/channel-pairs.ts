import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { type Channel, memoryPair, webSocketChannel } from '../../src/transport/index.ts';
import { nodeWebSocketChannel, tcpChannel } from '../../src/transport/node.ts';

/** Two ends of one real connection, and the way to be rid of it and its server. */
export interface Pair {
  /** The end that an agent would hold. */
  near: Channel;
  far: Channel;
  dispose(): Promise<void>;
}

async function tcpPair(): Promise<Pair> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
  return {
    near: tcpChannel(client),
    far: tcpChannel(socket),
    async dispose() {
      client.destroy();
      socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function webSocketPair(wrap: (ws: WebSocket) => Channel): Promise<Pair> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: 1_048_576, perMessageDeflate: false });
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const near = wrap(client);
  const [[ws, request]] = await Promise.all([once(server, 'connection'), once(client, 'open')]);
  return {
    near,
    far: nodeWebSocketChannel(ws, request.socket),
    async dispose() {
      near.close();
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const PAIRS: [kind: string, make: () => Promise<Pair>][] = [
  [
    'memory',
    async () => {
      const [near, far] = memoryPair();
      return { near, far, dispose: async () => near.close() };
    },
  ],
  ['node websocket', () => webSocketPair((ws) => nodeWebSocketChannel(ws))],
  // The class of `ws` speaks the browser's interface too.
  ['browser websocket', () => webSocketPair((ws) => webSocketChannel(ws as unknown as globalThis.WebSocket))],
  ['tcp', tcpPair],
];

/** The next `count` messages of a channel. */
export function messages(channel: Channel, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    const texts: string[] = [];
    channel.onMessage((text) => {
      texts.push(text);
      if (texts.length === count) resolve(texts);
    });
  });
}
