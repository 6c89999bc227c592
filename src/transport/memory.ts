import { CLOSE_CODES, fitsMessage, LIMITS } from '../protocol/index.ts';
import type { Channel, ChannelEnd } from './channel.ts';
import { Inbox } from './inbox.ts';

class MemoryChannel implements Channel {
  readonly kind = 'memory';
  readonly bufferedBytes = 0;
  readonly #inbox = new Inbox();
  readonly onMessage = this.#inbox.listening.onMessage;
  readonly onClose = this.#inbox.listening.onClose;
  readonly onFault = this.#inbox.listening.onFault;
  /** Set by `pair` before anyone sees this end. */
  #peer!: MemoryChannel;
  #closed = false;

  static pair(): [MemoryChannel, MemoryChannel] {
    const ends: [MemoryChannel, MemoryChannel] = [new MemoryChannel(), new MemoryChannel()];
    [ends[0].#peer, ends[1].#peer] = [ends[1], ends[0]];
    return ends;
  }

  send(text: string): void {
    if (!this.#closed) queueMicrotask(() => this.#peer.#arrive(text));
  }

  close(code: number = CLOSE_CODES.normal, reason = ''): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#inbox.deafen();
    queueMicrotask(() => {
      this.#peer.#end({ code, reason });
      this.#inbox.end({ code, reason });
    });
  }

  pause(): void {
    this.#inbox.pause();
  }

  resume(): void {
    this.#inbox.resume();
  }

  /** Nothing is ever buffered. */
  onDrain(): void {}

  #arrive(text: string): void {
    if (fitsMessage(text)) {
      this.#inbox.message(text);
    } else {
      const message = `A message is at most ${LIMITS.messageBytes} bytes.`;
      this.#inbox.fault({ code: CLOSE_CODES.tooLarge, message, fatal: true });
      this.close(CLOSE_CODES.tooLarge, message);
    }
  }

  #end(end: ChannelEnd): void {
    this.#closed = true;
    this.#inbox.end(end);
  }
}

/** Two ends of one channel inside a page or process. Messages and the end arrive in order, in a microtask of their own. */
export function memoryPair(): [Channel, Channel] {
  return MemoryChannel.pair();
}
