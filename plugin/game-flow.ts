import type { Clock } from '../src/base/clock.ts';
import { LIMITS } from '../src/protocol/index.ts';
import type { Channel } from '../src/transport/index.ts';

/** A browser does not say when a socket has taken what was sent: milliseconds between two looks. */
const LOOK_MS = 50;
/** Characters that may wait for a relay that stands still before the link is given up. */
const MOST_BYTES = 33_554_432;

export interface FlowEvents {
  /** The relay takes no more for now, or does again. */
  onHold(held: boolean): void;
  /** Too much waits. */
  onOverflow(): void;
}

/** What leaves for the relay, as fast as the relay takes it: the sessions' events wait in the bridge meanwhile, where only the newest tick is kept (F3, F4). */
export class GameFlow {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #events: FlowEvents;
  #held = false;
  #ended = false;
  #stopLooking = () => {};

  constructor(channel: Channel, clock: Clock, events: FlowEvents) {
    this.#channel = channel;
    this.#clock = clock;
    this.#events = events;
  }

  get held(): boolean {
    return this.#held;
  }

  send(frame: string): void {
    this.#channel.send(frame);
    const { bufferedBytes } = this.#channel;
    if (bufferedBytes < LIMITS.holdBytes || this.#ended) return;
    // Here and below: the sender is in the middle of something.
    if (bufferedBytes > MOST_BYTES) queueMicrotask(() => !this.#ended && this.#events.onOverflow());
    if (this.#held) return;
    this.#held = true;
    this.#look();
    queueMicrotask(() => !this.#ended && this.#events.onHold(this.#held));
  }

  stop(): void {
    this.#ended = true;
    this.#stopLooking();
  }

  #look(): void {
    this.#stopLooking = this.#clock.schedule(() => {
      if (this.#channel.bufferedBytes > LIMITS.releaseBytes) return this.#look();
      this.#held = false;
      this.#events.onHold(false);
    }, LOOK_MS);
  }
}
