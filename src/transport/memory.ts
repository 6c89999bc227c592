import { CLOSE_CODES, fitsMessage, LIMITS } from '../protocol/index.ts';
import type { Channel, ChannelEnd } from './channel.ts';
import { Inbox } from './inbox.ts';

/**
 * Messages that two ends may exchange before the event loop turns: each arrives in a microtask, so ends that answer one another at once, such as a
 * brain that repeats a refused call, would else keep a page from ever painting again.
 */
const TURN_MESSAGES = 1_000;

/** What is on its way between two ends, in order. */
class Passage {
  readonly #waiting: (() => void)[] = [];
  /** Room for messages in this turn of the event loop. */
  #room = TURN_MESSAGES;

  pass(arrive: () => void): void {
    if (this.#room === TURN_MESSAGES) setTimeout(() => this.#turn());
    if (this.#room > 0) {
      this.#room--;
      queueMicrotask(arrive);
    } else {
      this.#waiting.push(arrive);
    }
  }

  #turn(): void {
    this.#room = TURN_MESSAGES;
    for (const arrive of this.#waiting.splice(0, TURN_MESSAGES)) this.pass(arrive);
  }
}

class MemoryChannel implements Channel {
  readonly kind = 'memory';
  readonly tellsCloseCode = true;
  readonly noticesLoss = true;
  readonly bufferedBytes = 0;
  readonly #inbox = new Inbox();
  readonly onMessage = this.#inbox.listening.onMessage;
  readonly onClose = this.#inbox.listening.onClose;
  readonly onFault = this.#inbox.listening.onFault;
  /** Set by `pair` before anyone sees this end. */
  #peer!: MemoryChannel;
  #passage!: Passage;
  #closed = false;

  static pair(): [MemoryChannel, MemoryChannel] {
    const ends: [MemoryChannel, MemoryChannel] = [new MemoryChannel(), new MemoryChannel()];
    [ends[0].#peer, ends[1].#peer] = [ends[1], ends[0]];
    ends[0].#passage = ends[1].#passage = new Passage();
    return ends;
  }

  send(text: string): void {
    if (!this.#closed) this.#passage.pass(() => this.#peer.#arrive(text));
  }

  close(code: number = CLOSE_CODES.normal, reason = ''): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#inbox.deafen();
    this.#passage.pass(() => {
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

/** Two ends of one channel inside a page or process. Messages and the end arrive in order, each in a microtask of its own, and no more than `TURN_MESSAGES` in one turn of the event loop. */
export function memoryPair(): [Channel, Channel] {
  return MemoryChannel.pair();
}
