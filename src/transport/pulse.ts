import type { Clock } from '../base/clock.ts';
import { type Silence, watchSilence } from './silence.ts';

export interface PulseOptions {
  clock: Clock;
  /** Milliseconds of wall time between two looks: longer than a bridge waits between two heartbeats (AICC C3). */
  lookMs: number;
  /** The peer is not read now, so nothing can be heard of it. */
  isDeaf(): boolean;
  /** The peer is taken for dead; told once. */
  onSilent(): void;
}

/** Heartbeats in different looks that show that the peer answers the bridge's regularly. */
const REGULAR = 2;

/**
 * Notices that a TCP peer is gone without a word (C9). TCP itself tells late, some 15 minutes after something was sent that nobody takes. An agent may
 * be quiet for as long as it likes, so the only ones judged are those that answer heartbeats: when nothing comes from such a one for
 * `LIMITS.silentLooks` looks in a row, it is dead.
 */
export class Pulse {
  readonly #options: PulseOptions;
  #silence: Silence | undefined;
  #beats = 0;
  #lastBeatAt = Number.NEGATIVE_INFINITY;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  heard(isHeartbeat: boolean): void {
    this.#silence?.heard();
    if (this.#silence !== undefined || !isHeartbeat) return;
    const now = this.#options.clock.wallNow();
    if (now - this.#lastBeatAt < this.#options.lookMs / 2) return;
    this.#lastBeatAt = now;
    if (++this.#beats >= REGULAR) this.#watch();
  }

  stop(): void {
    this.#silence?.stop();
  }

  #watch(): void {
    const { clock, isDeaf, lookMs, onSilent } = this.#options;
    // Whoever is not read is looked after by who holds it, and has a fresh chance then.
    this.#silence = watchSilence({ clock, lookMs, onSilent: () => (isDeaf() ? this.#watch() : onSilent()) });
  }
}
