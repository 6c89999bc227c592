import { connect } from 'node:net';
import type { TargetOptions } from './web-socket-target.ts';
import { CONNECT_MS, type Target } from './wire.ts';

/** A bridge behind a TCP port: one JSON object a line. */
export function tcpTarget(host: string, port: number, options: TargetOptions = {}): Target {
  return {
    transport: 'tcp',
    ...options,
    connect(events, { timeoutMs = CONNECT_MS } = {}) {
      const socket = connect({ host, port, noDelay: true });
      let rest = '';
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() as string;
        for (const line of lines) events.text(line);
      });
      socket.on('close', () => {
        if (rest !== '') events.other(`a line without its end, ${JSON.stringify(rest.slice(0, 80))}`);
        events.ended({ code: 0, reason: '' });
      });
      return new Promise((resolve, reject) => {
        const late = () => socket.destroy(new Error(`no connection within ${timeoutMs} ms`));
        const timer = setTimeout(late, timeoutMs);
        socket.on('close', () => clearTimeout(timer));
        socket.on('error', reject);
        socket.on('connect', () => {
          clearTimeout(timer);
          const write = (data: string | Uint8Array) => void (socket.writable && socket.write(data));
          resolve({
            send: (text) => write(`${text}\n`),
            sendBytes: write,
            pause: () => socket.pause(),
            resume: () => socket.resume(),
            close: () => socket.end(),
            cut: () => socket.resetAndDestroy(),
          });
        });
      });
    },
  };
}
