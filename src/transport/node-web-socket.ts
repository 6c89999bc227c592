import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { CLOSE_CODES } from '../protocol/index.ts';
import type { Channel } from './channel.ts';
import { closeReason, sendableCode } from './close-frame.ts';
import { corkThisTurn } from './cork.ts';
import { Inbox } from './inbox.ts';

/**
 * A channel over a WebSocket of the `ws` library, of a server or a client; one that still connects keeps what is sent.
 * A binary frame closes it with 1003, a frame over the socket's `maxPayload` with 1009 (A1, A2). With the `socket` under it, the messages
 * of one turn of the event loop leave in one write.
 */
export function nodeWebSocketChannel(ws: WebSocket, socket?: Duplex): Channel {
  const inbox = new Inbox();
  const unsent: string[] = [];
  let closed = false;
  let onDrain = (): void => {};
  const written = (): void => onDrain();

  const close = (code: number = CLOSE_CODES.normal, reason = ''): void => {
    if (closed) return;
    closed = true;
    inbox.deafen();
    ws.resume();
    ws.close(sendableCode(code), closeReason(reason));
  };

  ws.on('open', () => {
    for (const text of unsent.splice(0)) if (!closed) ws.send(text);
  });
  ws.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) {
      inbox.fault({ code: CLOSE_CODES.unsupportedData, message: 'A frame must be text, not binary.', fatal: true });
      close(CLOSE_CODES.unsupportedData, 'A frame must be text, not binary.');
    } else {
      inbox.message(data.toString());
    }
  });
  // The library closes the socket by itself after an error, with the right code.
  ws.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
      inbox.fault({ code: CLOSE_CODES.tooLarge, message: 'The message is too large.', fatal: true });
  });
  ws.on('close', (code: number, reason: Buffer) => {
    closed = true;
    inbox.end({ code, reason: reason.toString() });
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
      if (ws.readyState === ws.CONNECTING) {
        unsent.push(text);
      } else {
        if (socket !== undefined) corkThisTurn(socket);
        ws.send(text, written);
      }
    },
    close,
    pause() {
      inbox.pause();
      ws.pause();
    },
    resume() {
      inbox.resume();
      if (!inbox.paused) ws.resume();
    },
    ...inbox.listening,
    onDrain(listener) {
      onDrain = listener;
    },
  };
}
