import { CLOSE_CODES } from '../protocol/index.ts';
import type { Channel } from './channel.ts';
import { closeReason, pageCode } from './close-frame.ts';
import { Inbox } from './inbox.ts';

/** A channel over the browser's (or Node's global) WebSocket, open or still connecting: what is sent before it opens waits. */
export function webSocketChannel(ws: WebSocket): Channel {
  const inbox = new Inbox();
  const unsent: string[] = [];
  let closed = false;

  const close = (code: number = CLOSE_CODES.normal, reason = ''): void => {
    if (closed) return;
    closed = true;
    inbox.deafen();
    ws.close(pageCode(code), closeReason(reason));
  };

  ws.addEventListener('open', () => {
    for (const text of unsent.splice(0)) if (!closed) ws.send(text);
  });
  ws.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') {
      inbox.message(data);
    } else {
      inbox.fault({ code: CLOSE_CODES.unsupportedData, message: 'A frame must be text, not binary.', fatal: true });
      close(CLOSE_CODES.unsupportedData, 'A frame must be text, not binary.');
    }
  });
  // Every error is followed by `close`; outside browsers one that nobody listens to would be thrown.
  ws.addEventListener('error', () => {});
  ws.addEventListener('close', ({ code, reason }) => {
    closed = true;
    inbox.end({ code, reason });
  });

  return {
    kind: 'websocket',
    tellsCloseCode: true,
    noticesLoss: true,
    get bufferedBytes() {
      return ws.bufferedAmount;
    },
    send(text) {
      if (closed) return;
      if (ws.readyState === ws.CONNECTING) unsent.push(text);
      else ws.send(text);
    },
    close,
    pause() {
      inbox.pause();
    },
    resume() {
      inbox.resume();
    },
    ...inbox.listening,
    onDrain() {},
  };
}
