import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { wallClock } from '../../src/base/clock.ts';
import { connectFromQuery } from '../../src/protocol/index.ts';
import { type Channel, openDoor } from '../../src/transport/index.ts';
import { nodeWebSocketChannel, tcpChannel } from '../../src/transport/node.ts';
import type { SmallWorld } from './small-world.ts';

/** A world on two real ports of this machine, behind the door that the relay uses too. `token`: what agents must know. */
export async function serve(
  { bridge }: SmallWorld,
  token?: string,
): Promise<{ url: string; tcp: number; sockets: Set<WebSocket | Socket> }> {
  const sockets = new Set<WebSocket | Socket>();
  const admit = (channel: Channel, given: string | undefined, query?: URLSearchParams) => {
    openDoor(channel, {
      opener: { open: (request, port) => bridge.open(port, request), onChange: (listener) => bridge.onChange(listener) },
      authenticate: (said) => (token === undefined || (said ?? given) === token ? { name: 'anonymous' } : undefined),
      tokenRequired: token !== undefined && given === undefined,
      ...(query === undefined ? {} : { query: connectFromQuery(query) }),
      clock: wallClock,
      newId: randomUUID,
    });
  };
  const tcp = createTcpServer((socket) => {
    sockets.add(socket);
    admit(tcpChannel(socket), undefined);
  }).listen(0, '127.0.0.1');
  const http = createHttpServer().listen(0, '127.0.0.1');
  const webSockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'aicc.v0.1' });
  http.on('upgrade', (request, socket, head) => {
    const given = tokenOf(request);
    if (token !== undefined && given !== token) return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
    webSockets.handleUpgrade(request, socket, head, (ws) => {
      sockets.add(ws);
      const { searchParams, search } = new URL(request.url ?? '', 'ws://x');
      admit(nodeWebSocketChannel(ws), given, search === '' ? undefined : searchParams);
    });
  });
  await Promise.all([once(tcp, 'listening'), once(http, 'listening')]);
  onTestFinished(() => {
    for (const socket of sockets)
      if ('terminate' in socket) socket.terminate();
      else socket.destroy();
    tcp.close();
    http.close();
  });
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/agent`, tcp: (tcp.address() as AddressInfo).port, sockets };
}

function tokenOf({ headers }: IncomingMessage): string | undefined {
  const offered = headers['sec-websocket-protocol']?.split(/\s*,\s*/).find((each) => each.startsWith('aicc.bearer.'));
  return offered?.slice('aicc.bearer.'.length) ?? headers.authorization?.replace(/^Bearer /, '');
}
