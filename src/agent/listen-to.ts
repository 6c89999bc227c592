import type { Clock } from '../base/clock.ts';
import { type ChannelFault, CLOSE_CODES, LIMITS } from '../protocol/index.ts';
import { type Channel, type ChannelEnd, watchSilence } from '../transport/index.ts';

export interface ChannelListeners {
  message(text: string): void;
  fault(fault: ChannelFault): void;
  /** Told once. */
  end(end: ChannelEnd): void;
}

const SILENT = `nothing came for ${(LIMITS.silentLooks * LIMITS.heartbeatMs) / 1_000} s`;

/**
 * Listens to a bridge until the channel ends or is dead: a bridge that lives says something at least every 10 s and answers the heartbeats that it
 * gets (AICC C3). Between two ends in one page nothing can die without a word.
 * @returns the way to stop watching for silence
 */
export function listenTo(channel: Channel, clock: Clock, on: ChannelListeners): () => void {
  const died = () => {
    channel.onMessage(() => {});
    // Nobody may ever answer the closing, so that is not waited for.
    channel.onClose(() => {});
    channel.close(CLOSE_CODES.unclean, SILENT);
    on.end({ code: CLOSE_CODES.abnormal, reason: SILENT });
  };
  const silence = channel.kind === 'memory' ? undefined : watchSilence({ clock, lookMs: LIMITS.heartbeatMs, onSilent: died });
  const stop = () => silence?.stop();
  channel.onClose((end) => {
    stop();
    on.end(end);
  });
  channel.onFault(on.fault);
  // Last, because what has come already is handed over at once.
  channel.onMessage((text) => {
    silence?.heard();
    on.message(text);
  });
  return stop;
}
