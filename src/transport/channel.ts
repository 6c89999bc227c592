import type { ChannelFault } from '../protocol/index.ts';

/** Why and how a channel ended. `code` is a WebSocket close code; TCP and memory use the same numbers. */
export interface ChannelEnd {
  /** A WebSocket close code: see `CLOSE_CODES` of `phaser-aicc/protocol`. */
  code: number;
  /** Why, in words; empty where nobody said. */
  reason: string;
}

/**
 * One bidirectional stream of text messages. `send` and `close` never throw; after the end `send` does nothing.
 * Messages that arrive before a listener is set are kept and handed over when it is. There is one listener of a kind; a later one replaces it.
 */
export interface Channel {
  /** What carries the messages, for a log and for a peer that needs no heartbeats in one process. */
  readonly kind: 'memory' | 'websocket' | 'tcp';
  /** Whether the peer learns the code and the reason of `close`. Where it does not, an error message tells it before the end (C5). */
  readonly tellsCloseCode: boolean;
  /** Whether something below the messages, such as pings, notices a peer that is gone without a word (C9). Where nothing does, heartbeats are watched. */
  readonly noticesLoss: boolean;
  /** Bytes sent that the peer has not taken yet; 0 where nobody can know. */
  readonly bufferedBytes: number;
  /** Sends one message. Never throws; after the end it does nothing. */
  send(text: string): void;
  /** Idempotent. Default code 1000. What was sent before is still delivered; what still arrives is dropped. */
  close(code?: number, reason?: string): void;
  /**
   * Hands over no more messages until `resume`, and stops reading from the peer where that is possible (then its end is noticed late).
   * Who pauses resumes: paused by two it goes on when both have resumed.
   */
  pause(): void;
  /** Hands over messages again, those kept first. */
  resume(): void;
  /** Told of every message, in order. */
  onMessage(listener: (text: string) => void): void;
  /** Told once, whichever end closed. */
  onClose(listener: (end: ChannelEnd) => void): void;
  /** Told of what came and is no message: too large, binary, not UTF-8. */
  onFault(listener: (fault: ChannelFault) => void): void;
  /** Told whenever `bufferedBytes` has become less; never in a browser, which does not say. Not called from within `send`. */
  onDrain(listener: () => void): void;
}
