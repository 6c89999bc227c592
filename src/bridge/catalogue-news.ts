import type { Clock } from '../base/clock.ts';
import { SlidingWindow } from '../base/sliding-window.ts';
import { LIMITS, type Manifest, type ModelDeclaration, type Topic } from '../protocol/index.ts';
import type { BridgeCore } from './bridge-core.ts';
import { capabilitiesOf } from './capabilities.ts';
import type { Rights } from './rights.ts';
import { Timer } from './timer.ts';

/** What one agent knows of the world and its tools, and when it must hear that this is not true any more (AICC B2, C3). */
export class CatalogueNews {
  readonly #clock: Clock;
  readonly #manifest: () => Manifest;
  readonly #send: (manifest: Manifest) => void;
  readonly #repeats = new SlidingWindow(1_000);
  #known = '';
  #toldAt = Number.NEGATIVE_INFINITY;
  readonly #next: Timer;

  /**
   * @param manifest as it is now
   * @param send tells the agent, where there is a connection
   */
  constructor(clock: Clock, manifest: () => Manifest, send: (manifest: Manifest) => void) {
    this.#clock = clock;
    this.#manifest = manifest;
    this.#send = send;
    this.#next = new Timer(clock);
  }

  /** The manifest, for an agent that is told now. */
  tell(): Manifest {
    const manifest = this.#manifest();
    this.#known = JSON.stringify(manifest);
    this.#toldAt = this.#clock.wallNow();
    return manifest;
  }

  /** Something has changed: sends it, at most once a second. */
  changed(): void {
    if (this.#next.running) return;
    const wait = this.#toldAt + LIMITS.manifestUpdateMs - this.#clock.wallNow();
    this.#next.start(() => this.sendNow(), Math.max(0, wait));
  }

  /** Sends it at once, if the agent knows another. */
  sendNow(): void {
    this.stop();
    if (JSON.stringify(this.#manifest()) !== this.#known) this.#send(this.tell());
  }

  /** Whether it is told all of it once more, since it asks (AICC C2). */
  mayRepeat(): boolean {
    return this.#repeats.take(LIMITS.manifestRequestsPerSecond, this.#clock.wallNow()) === 0;
  }

  stop(): void {
    this.#next.stop();
  }
}

/** What a session is told of the world and of the tools that it may see (AICC B2). */
export function manifestOf(bridge: BridgeCore, model: ModelDeclaration, rights: Rights, topics: readonly Topic[]): Manifest {
  const visible = rights.visibleTools();
  return {
    tick_rate_hz: bridge.tickRateHz,
    tick_mode: bridge.tickMode,
    world: bridge.world,
    agent_model: model,
    capabilities: capabilitiesOf(visible.map((tool) => tool.definition)),
    tools: visible.map((tool) => rights.listed(tool)),
    event_subscriptions: [...topics],
  };
}
