import type { Clock } from '../base/clock.ts';
import { LIMITS } from '../protocol/index.ts';
import type { Channel } from './channel.ts';
import { type Silence, watchSilence } from './silence.ts';

export interface OutflowOptions {
  /** Bytes that may wait for the peer at most. */
  outboundBytes: number;
  /** More than that waits. */
  onOverflow(): void;
  /** The peer takes no more for now, or does again (F4). */
  onHold(held: boolean): void;
  clock: Clock;
  /** Milliseconds of wall time between two looks at a held peer. */
  lookMs: number;
  /** A held peer has taken nothing for `LIMITS.silentLooks` looks in a row. Nothing can be heard of one that is not read, neither words nor pongs. */
  onStalled(): void;
}

/** What leaves by one channel, as fast as its peer takes it: at `holdBytes` the peer is no longer read and is called held (F4). Calls back in turns of its own. */
export class Outflow {
  readonly #channel: Channel;
  readonly #options: OutflowOptions;
  #held = false;
  #stall: Silence | undefined;
  #overflowed = false;

  constructor(channel: Channel, options: OutflowOptions) {
    this.#channel = channel;
    this.#options = options;
    channel.onDrain(() => this.#drained());
  }

  get held(): boolean {
    return this.#held;
  }

  /** No more is sent: looks at the peer no longer. */
  close(): void {
    this.#stall?.stop();
  }

  send(text: string): void {
    if (this.#overflowed) return;
    this.#channel.send(text);
    const { bufferedBytes } = this.#channel;
    if (bufferedBytes > this.#options.outboundBytes) {
      this.#overflowed = true;
      // Here and below: the sender is in the middle of something.
      queueMicrotask(() => this.#options.onOverflow());
    } else if (bufferedBytes >= LIMITS.holdBytes && !this.#held) {
      this.#held = true;
      this.#channel.pause();
      const { clock, lookMs, onStalled } = this.#options;
      this.#stall = watchSilence({ clock, lookMs, onSilent: onStalled });
      queueMicrotask(() => this.#options.onHold(this.#held));
    }
  }

  #drained(): void {
    this.#stall?.heard();
    if (!this.#held || this.#channel.bufferedBytes > LIMITS.releaseBytes) return;
    this.#held = false;
    this.#stall?.stop();
    this.#options.onHold(false);
    this.#channel.resume();
  }
}
