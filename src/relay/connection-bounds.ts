import { isLoopback } from './addresses.ts';
import type { RelayLimits } from './relay-limits.ts';

/** H1, H2: how many connections there may be, and how fast one address may make them. */
export class ConnectionBounds {
  readonly #limits: Pick<RelayLimits, 'connections' | 'connectsPerSecond'>;
  readonly #now: () => number;
  #connects = new Map<string, number>();
  #second = 0;
  #count = 0;
  #admitted = 0;
  #refused = 0;

  constructor(limits: Pick<RelayLimits, 'connections' | 'connectsPerSecond'>, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts a new connection, whatever becomes of it; call `leave` at its end. Returns why it must not stay, if so. */
  enter(address: string): 'full' | 'too_fast' | undefined {
    this.#count++;
    const refusal = this.#refusal(address);
    if (refusal === undefined) this.#admitted++;
    else this.#refused++;
    return refusal;
  }

  /** Connections there are, and how many were let in and refused since the start. */
  get counts(): { open: number; admitted: number; refused: number } {
    return { open: this.#count, admitted: this.#admitted, refused: this.#refused };
  }

  leave(): void {
    this.#count--;
  }

  #refusal(address: string): 'full' | 'too_fast' | undefined {
    if (this.#count > this.#limits.connections) return 'full';
    return isLoopback(address) || this.#mayConnect(address) ? undefined : 'too_fast';
  }

  #mayConnect(address: string): boolean {
    const second = Math.floor(this.#now() / 1_000);
    // Begun anew each second, so it never holds more than a second's worth of addresses.
    if (second !== this.#second) this.#connects.clear();
    this.#second = second;
    const connects = (this.#connects.get(address) ?? 0) + 1;
    this.#connects.set(address, connects);
    return connects <= this.#limits.connectsPerSecond;
  }
}
