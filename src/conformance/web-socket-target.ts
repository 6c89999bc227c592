import { WebSocket } from 'ws';
import { CONNECT_MS, RefusedHandshake, type Target } from './wire.ts';

export interface TargetOptions {
  world?: string | undefined;
  character?: string | undefined;
  token?: string | undefined;
}

/** A bridge behind a WebSocket address without a query, like `ws://127.0.0.1:4750/agent`. */
export function webSocketTarget(url: string, options: TargetOptions = {}): Target {
  return {
    transport: 'websocket',
    ...options,
    connect(events, { query = {}, protocols = [], token = options.token, selected, timeoutMs = CONNECT_MS } = {}) {
      const address = new URL(url);
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
      const headers = token ? { authorization: `Bearer ${token}` } : {};
      const ws = new WebSocket(address, protocols, { headers, perMessageDeflate: false, handshakeTimeout: timeoutMs });
      ws.on('message', (data, isBinary) => {
        if (isBinary) events.other('a binary frame');
        else events.text(data.toString());
      });
      ws.on('close', (code, reason) => events.ended({ code, reason: reason.toString() }));
      return new Promise((resolve, reject) => {
        ws.on('error', reject);
        ws.on('unexpected-response', (request, response) => {
          response.resume();
          request.destroy();
          reject(new RefusedHandshake(response.statusCode ?? 0));
        });
        ws.on('open', () => {
          selected?.(ws.protocol);
          const isOpen = () => ws.readyState === WebSocket.OPEN;
          resolve({
            send: (text) => isOpen() && ws.send(text),
            sendBytes: (bytes) => isOpen() && ws.send(bytes),
            pause: () => ws.pause(),
            resume: () => ws.resume(),
            close: () => ws.close(1000),
            cut: () => ws.terminate(),
          });
        });
      });
    },
  };
}
