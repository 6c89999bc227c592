import type { Clock } from '../base/clock.ts';
import { SlidingWindow } from '../base/sliding-window.ts';
import { LIMITS } from '../protocol/index.ts';
import { Timer } from './timer.ts';

/** More than a slow agent leaves unanswered. */
const REMEMBERED = 16;

/** One session's heartbeats: its own, every 10 s of wall time while there is a connection, and its answers to the agent's (AICC C3). */
export class Heartbeats {
  readonly #clock: Clock;
  readonly #send: (members: object) => string;
  readonly #rate = new SlidingWindow(LIMITS.heartbeatAnswerMs);
  /** The ids of the newest ones sent: what comes back with one of them is an answer. */
  #sent: string[] = [];
  readonly #next: Timer;

  /** @param send sends one with these members, which may name the message id, and returns that */
  constructor(clock: Clock, send: (members: object) => string) {
    this.#clock = clock;
    this.#send = send;
    this.#next = new Timer(clock);
  }

  /** Begins to beat, or begins anew. */
  start(): void {
    this.#next.start(() => {
      this.send({});
      this.start();
    }, LIMITS.heartbeatMs);
  }

  stop(): void {
    this.#next.stop();
  }

  /** One more, with something to tell. */
  send(members: object): void {
    this.#sent = [...this.#sent.slice(1 - REMEMBERED), this.#send(members)];
  }

  /** The agent's has come: answers it, unless it is an answer itself. */
  answer(messageId: string): void {
    if (!this.#sent.includes(messageId) && this.#rate.take(1, this.#clock.wallNow()) === 0) this.#send({ message_id: messageId });
  }
}
