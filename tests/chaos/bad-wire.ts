import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** One connection through a wire: what the guest has, and what the relay has of it. */
interface Strand {
  guest: Socket;
  host: Socket;
  /** Bytes that still pass in the direction that is to break; undefined: it is whole. */
  left: { toGuest: number; toHost: number } | undefined;
}

/** How long a cut that waits for data to be cut in waits. */
const PATIENCE_MS = 100;
/** The longest that the relay goes on believing in a guest that is gone. */
const HALF_OPEN_MS = 300;

/** Passes connections on to wherever its target is at the time, and cuts them: at once, in the middle of a message, or at one end first. */
export class BadWire {
  cuts = 0;
  readonly #server: Server;
  readonly #strands = new Set<Strand>();
  readonly #target: () => number | undefined;
  readonly #random: () => number;
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(target: () => number | undefined, random: () => number) {
    this.#target = target;
    this.#random = random;
    this.#server = createServer((guest) => this.#accept(guest)).listen(0, '127.0.0.1');
  }

  /** @param target the port to pass on to; undefined while nobody is there */
  static async lay(target: () => number | undefined, random: () => number): Promise<BadWire> {
    const wire = new BadWire(target, random);
    await once(wire.#server, 'listening');
    return wire;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#strands.size;
  }

  /** Cuts one connection, if there is a whole one. @returns whether there was */
  cutOne(): boolean {
    const whole = [...this.#strands].filter(({ left }) => left === undefined);
    const strand = whole[Math.floor(this.#random() * whole.length)];
    if (strand === undefined) return false;
    this.cuts++;
    const way = this.#random();
    const bytes = Math.floor(this.#random() * 200);
    strand.left = { toGuest: 0, toHost: 0 };
    if (way < 0.3) this.#break(strand);
    else if (way < 0.5) this.#breakHalf(strand);
    else {
      strand.left =
        way < 0.75 ? { toGuest: bytes, toHost: Number.POSITIVE_INFINITY } : { toGuest: Number.POSITIVE_INFINITY, toHost: bytes };
      this.#later(PATIENCE_MS, () => this.#break(strand));
    }
    return true;
  }

  /** The target is dead, and so are all connections to it. */
  cutAll(): void {
    for (const strand of [...this.#strands]) this.#break(strand);
  }

  async remove(): Promise<void> {
    this.cutAll();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(guest: Socket): void {
    const port = this.#target();
    guest.on('error', () => {});
    if (port === undefined) {
      guest.destroy();
      return;
    }
    const host = connect(port, '127.0.0.1');
    const strand: Strand = { guest, host, left: undefined };
    this.#strands.add(strand);
    for (const socket of [guest, host]) socket.setNoDelay(true);
    guest.on('data', (chunk) => this.#pass(strand, chunk, 'toHost'));
    host.on('data', (chunk) => this.#pass(strand, chunk, 'toGuest'));
    guest.on('end', () => host.end());
    host.on('end', () => guest.end());
    host.on('error', () => this.#break(strand));
    host.on('close', () => this.#break(strand));
    guest.on('close', () => {
      if (strand.left === undefined) this.#break(strand);
    });
  }

  #pass(strand: Strand, chunk: Buffer, way: 'toGuest' | 'toHost'): void {
    const { guest, host, left } = strand;
    const to = way === 'toGuest' ? guest : host;
    if (left === undefined || left[way] > chunk.length) {
      if (!to.destroyed) to.write(chunk);
      if (left !== undefined) left[way] -= chunk.length;
      return;
    }
    to.write(chunk.subarray(0, left[way]), () => this.#break(strand));
    left[way] = 0;
  }

  #break(strand: Strand): void {
    this.#strands.delete(strand);
    strand.left ??= { toGuest: 0, toHost: 0 };
    strand.guest.destroy();
    strand.host.destroy();
  }

  /** The guest notices at once, the relay later: meanwhile it has two connections of one guest. */
  #breakHalf(strand: Strand): void {
    strand.guest.destroy();
    this.#later(this.#random() * HALF_OPEN_MS, () => this.#break(strand));
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }
}
