import type { WebSocket } from 'ws';
import type { Clock } from '../base/clock.ts';

/** C9: so many pings in a row without an answer drop a connection. */
const MISSES = 2;

/** Pings every WebSocket it watches and cuts those that no longer answer. */
export class Liveness {
  readonly #clock: Clock;
  readonly #pingMs: number;
  readonly #unanswered = new Map<WebSocket, number>();
  #stop: () => void;

  constructor(clock: Clock, pingMs: number) {
    this.#clock = clock;
    this.#pingMs = pingMs;
    this.#stop = clock.schedule(() => this.#round(), pingMs);
  }

  watch(ws: WebSocket): void {
    this.#unanswered.set(ws, 0);
    ws.on('pong', () => this.#unanswered.set(ws, 0));
    ws.on('close', () => this.#unanswered.delete(ws));
  }

  stop(): void {
    this.#stop();
  }

  #round(): void {
    for (const [ws, unanswered] of this.#unanswered) {
      if (ws.isPaused) {
        // One that is not read cannot be heard answering: whoever paused it looks after it, and then it has a fresh chance.
        this.#unanswered.set(ws, 0);
      } else if (unanswered >= MISSES) {
        ws.terminate();
      } else {
        this.#unanswered.set(ws, unanswered + 1);
        ws.ping();
      }
    }
    this.#stop = this.#clock.schedule(() => this.#round(), this.#pingMs);
  }
}
