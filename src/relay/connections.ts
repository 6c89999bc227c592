import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { allClosed } from './closing.ts';
import { ConnectionBounds } from './connection-bounds.ts';
import type { RelayLimits } from './relay-limits.ts';

/** Why a connection must not stay: an HTTP status, and one sentence for the other end. */
export interface ConnectionRefusal {
  status: number;
  reason: string;
}

const REFUSALS: Record<'full' | 'too_fast', ConnectionRefusal> = {
  full: { status: 503, reason: 'Too many connections: try again.' },
  too_fast: { status: 429, reason: 'Too many connections from one address: wait a second.' },
};

/** Every socket that the relay has accepted, on whichever port (H1, H2). */
export class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #bounds: ConnectionBounds;
  readonly #clock: Clock;

  constructor(limits: Pick<RelayLimits, 'connections' | 'connectsPerSecond'>, clock: Clock) {
    this.#clock = clock;
    this.#bounds = new ConnectionBounds(limits, () => clock.wallNow());
  }

  /** Connections that are open, and how many were let in and refused since the start. */
  get counts(): ConnectionBounds['counts'] {
    return this.#bounds.counts;
  }

  has(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }

  /** Counts a new connection until it closes. Returns why it must not stay, if so: then the caller ends it. */
  enter(socket: Socket): ConnectionRefusal | undefined {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#bounds.leave();
    });
    const refusal = this.#bounds.enter(socket.remoteAddress ?? '');
    return refusal && REFUSALS[refusal];
  }

  /** Resolves when all have closed. Cuts those that take longer than `ms`. */
  closed(ms: number): Promise<void> {
    return allClosed(this.#sockets, this.#clock, ms);
  }
}
