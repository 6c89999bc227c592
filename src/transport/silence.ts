import type { Clock } from '../base/clock.ts';
import { LIMITS } from '../protocol/index.ts';

export interface SilenceOptions {
  clock: Clock;
  /** Milliseconds of wall time between two looks: not less than the longest that a living peer is silent. */
  lookMs: number;
  /** The peer is taken for dead; told once. */
  onSilent(): void;
}

/** A watch over what a peer sends. */
export interface Silence {
  /** Something came. */
  heard(): void;
  stop(): void;
}

/**
 * Notices that nothing comes any more, for an end that cannot see pings or has a peer that must speak by itself (AICC C3, C9): looks every
 * `lookMs` whether anything came, and calls the peer dead after `LIMITS.silentLooks` looks in a row that found nothing. A page that was frozen or
 * a machine that slept wakes with one look overdue and what came meanwhile unread; the next look is a whole `lookMs` later, so nobody is judged
 * before there was time to read.
 */
export function watchSilence({ clock, lookMs, onSilent }: SilenceOptions): Silence {
  let heard = false;
  let missed = 0;
  const next = () => clock.schedule(look, lookMs);
  const look = () => {
    missed = heard ? 0 : missed + 1;
    heard = false;
    if (missed < LIMITS.silentLooks) stop = next();
    else onSilent();
  };
  let stop = next();
  return {
    heard() {
      heard = true;
    },
    stop: () => stop(),
  };
}
