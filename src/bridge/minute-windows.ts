import { SlidingWindow } from '../base/sliding-window.ts';

/** Windows below which nobody looks for idle ones. */
const FEW = 64;

/** The calls of one character within a minute, by tool and principal (AICC D7). */
export class MinuteWindows {
  readonly #windows = new Map<string, SlidingWindow>();
  #pruneAt = FEW;

  of(principal: string, toolId: string, now: number): SlidingWindow {
    const key = `${toolId} ${principal}`;
    const known = this.#windows.get(key);
    if (known) return known;
    this.#prune(now);
    const made = new SlidingWindow(60_000);
    this.#windows.set(key, made);
    return made;
  }

  /** Principals come and go for as long as the character lives. Looked for when there are twice as many, so that a call costs no look at them all. */
  #prune(now: number): void {
    if (this.#windows.size < this.#pruneAt) return;
    for (const [key, window] of this.#windows) if (window.isIdle(now)) this.#windows.delete(key);
    this.#pruneAt = Math.max(FEW, 2 * this.#windows.size);
  }
}
