import type { Duplex } from 'node:stream';
import { CLOSE_CODES, type RelayToGame } from '../protocol/index.ts';
import { type Channel, FrameBatcher } from '../transport/index.ts';
import type { RelayLimits } from './relay-limits.ts';

export interface GameOutflowOptions {
  channel: Channel;
  /** The socket under the channel: tells when the game has taken everything. */
  socket: Duplex;
  limits: Pick<RelayLimits, 'gameHoldBytes' | 'gameOutboundBytes'>;
  /** The game leaves too much unread: its connection must be closed. */
  onOverflow(code: number, reason: string): void;
}

/** Everything that the relay sends to one game. Agents of a game that does not keep up are not read until it has caught up (AICC F4). */
export class GameOutflow {
  readonly #options: GameOutflowOptions;
  readonly #batcher: FrameBatcher;
  /** The agents' channels that are not read. */
  readonly #held = new Set<Channel>();

  constructor(options: GameOutflowOptions) {
    this.#options = options;
    this.#batcher = new FrameBatcher({ send: (frame) => this.#sendFrame(frame), defer: (run) => setImmediate(run) });
    options.socket.on('drain', () => this.readAgain());
  }

  /** Bytes that the game has not taken yet. */
  get unreadBytes(): number {
    return this.#options.channel.bufferedBytes + this.#batcher.pending;
  }

  control(message: RelayToGame): void {
    this.#batcher.control(message);
  }

  /** Sends an agent's message. @param agent the channel that it came by, which is paused while the game does not keep up */
  line(conn: number, text: string, agent: Channel): void {
    this.#batcher.line(conn, text);
    if (this.#held.has(agent)) return;
    if (this.unreadBytes <= this.#options.limits.gameHoldBytes) return;
    this.#batcher.flush();
    this.#held.add(agent);
    agent.pause();
  }

  /** The agent is gone: its channel need not be resumed. */
  forget(agent: Channel): void {
    this.#held.delete(agent);
  }

  /** Resumes every agent that is held: the game has caught up, or is gone. */
  readAgain(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const channel of held) channel.resume();
  }

  #sendFrame(frame: string): void {
    const { channel, limits, onOverflow } = this.#options;
    channel.send(frame);
    if (channel.bufferedBytes > limits.gameOutboundBytes)
      onOverflow(CLOSE_CODES.tryAgainLater, 'The game does not read what its agents send.');
  }
}
