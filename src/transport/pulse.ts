import type { Clock } from '../base/clock.ts';
import { type Silence, watchSilence } from './silence.ts';

export interface PulseOptions {
  clock: Clock;
  /** Milliseconds of wall time between two looks: longer than a bridge waits between two heartbeats (AICC C3). */
  lookMs: number;
  /** The peer is not read now, so nothing can be heard of it. */
  isDeaf(): boolean;
  /** Nothing is heard of a peer that need not speak: it may be gone. Or it speaks again. */
  onQuiet(quiet: boolean): void;
  /** The peer is taken for dead; told once. */
  onDead(): void;
}

/** Heartbeats in different looks that show that the peer answers the bridge's regularly. */
const REGULAR = 2;

/**
 * Notices that a TCP peer may be gone without a word (C9). TCP itself tells late, some 15 minutes after something was sent that nobody takes. When
 * nothing comes for `LIMITS.silentLooks` looks in a row, a peer that answers heartbeats is dead. Any other may be quiet for as long as it likes, so
 * it is only said to be quiet.
 */
export class Pulse {
  readonly #options: PulseOptions;
  #silence: Silence;
  #isQuiet = false;
  #beats = 0;
  #lastBeatAt = Number.NEGATIVE_INFINITY;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#silence = this.#watch();
  }

  heard(isHeartbeat: boolean): void {
    if (this.#isQuiet) {
      this.#isQuiet = false;
      this.#silence = this.#watch();
      this.#options.onQuiet(false);
    }
    this.#silence.heard();
    const now = this.#options.clock.wallNow();
    if (!isHeartbeat || now - this.#lastBeatAt < this.#options.lookMs / 2) return;
    this.#lastBeatAt = now;
    this.#beats++;
  }

  stop(): void {
    this.#silence.stop();
  }

  #watch(): Silence {
    const { clock, lookMs } = this.#options;
    return watchSilence({ clock, lookMs, onSilent: () => this.#silent() });
  }

  #silent(): void {
    const { isDeaf, onDead, onQuiet } = this.#options;
    // Whoever is not read is looked after by who holds it, and has a fresh chance then.
    if (isDeaf()) {
      this.#silence = this.#watch();
    } else if (this.#beats >= REGULAR) {
      onDead();
    } else {
      this.#isQuiet = true;
      onQuiet(true);
    }
  }
}
