import type { ChannelFault } from '../protocol/index.ts';
import type { Channel, ChannelEnd } from './channel.ts';

/** What every kind of channel shares: its three listeners, and what came before they were there or while it was paused. */
export class Inbox {
  readonly #kept: (string | ChannelFault)[] = [];
  #pauses = 0;
  #deaf = false;
  #end: ChannelEnd | undefined;
  #endTold = false;
  #onMessage: ((text: string) => void) | undefined;
  #onFault: ((fault: ChannelFault) => void) | undefined;
  #onClose: ((end: ChannelEnd) => void) | undefined;

  /** The listeners' half of a channel, to be spread into it. */
  readonly listening: Pick<Channel, 'onMessage' | 'onClose' | 'onFault'> = {
    onMessage: (listener) => {
      this.#onMessage = listener;
      this.#drain();
    },
    onClose: (listener) => {
      this.#onClose = listener;
      this.#tellEnd();
    },
    onFault: (listener) => {
      this.#onFault = listener;
    },
  };

  message(text: string): void {
    this.#take(text);
  }

  fault(fault: ChannelFault): void {
    this.#take(fault);
  }

  /** The connection is over: hands over what is kept, paused or not, then tells the end. Only the first one counts. */
  end(end: ChannelEnd): void {
    if (this.#end !== undefined) return;
    this.#pauses = 0;
    this.#drain();
    this.#end = end;
    this.#tellEnd();
  }

  /** This end closed: what still arrives is dropped. */
  deafen(): void {
    this.#deaf = true;
    this.#kept.length = 0;
  }

  get paused(): boolean {
    return this.#pauses > 0;
  }

  pause(): void {
    if (this.#end === undefined) this.#pauses++;
  }

  /** Ends one `pause`. */
  resume(): void {
    if (this.#pauses > 0) this.#pauses--;
    this.#drain();
  }

  #take(item: string | ChannelFault): void {
    if (this.#deaf || this.#end !== undefined) return;
    this.#kept.push(item);
    this.#drain();
  }

  #drain(): void {
    while (this.#kept.length > 0 && !this.paused && this.#onMessage !== undefined) {
      const item = this.#kept.shift() as string | ChannelFault;
      if (typeof item === 'string') this.#onMessage(item);
      else this.#onFault?.(item);
    }
  }

  #tellEnd(): void {
    if (this.#end === undefined || this.#endTold || this.#onClose === undefined) return;
    this.#endTold = true;
    this.#onClose(this.#end);
  }
}
