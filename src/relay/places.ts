import type { Clock } from '../base/clock.ts';
import type { DoorPlace } from '../transport/index.ts';
import type { RelayLimits } from './relay-limits.ts';

/** `extra`: there was no seat; it has a moment to show that it needs none. */
type State = 'extra' | 'seated' | 'opening' | 'resuming' | 'open' | 'gone';

export interface PlacesOptions {
  limits: Pick<RelayLimits, 'extraMs' | 'unopened' | 'waiting'>;
  clock: Clock;
}

/**
 * H3: how many agents may be here without a session. Those that have not asked for one yet sit on a few seats, those that wait for a character have
 * places of their own, and whoever takes up a session needs none: its character is held for it, and after a restart of the relay all come at once.
 */
export class Places {
  readonly #options: PlacesOptions;
  readonly #counts: Record<State, number> = { extra: 0, seated: 0, opening: 0, resuming: 0, open: 0, gone: 0 };

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  get hasSeat(): boolean {
    return this.#counts.seated < this.#options.limits.unopened;
  }

  /** @param onCrowded there is no seat for it, and it did not say in time that it needs none */
  take(onCrowded: () => void): Place {
    const { clock, limits } = this.#options;
    return new Place({
      hasSeat: () => this.hasSeat,
      mayWait: () => this.#counts.opening < limits.waiting,
      moved: (from, to) => {
        if (from !== undefined) this.#counts[from]--;
        this.#counts[to]++;
      },
      later: (look) => clock.schedule(look, limits.extraMs),
      onCrowded,
    });
  }
}

interface PlaceOptions {
  hasSeat(): boolean;
  mayWait(): boolean;
  moved(from: State | undefined, to: State): void;
  later(look: () => void): () => void;
  onCrowded(): void;
}

/** Where one agent is on its way to a session. */
export class Place implements DoorPlace {
  readonly #options: PlaceOptions;
  #state: State | undefined;
  #stopLooking = () => {};

  constructor(options: PlaceOptions) {
    this.#options = options;
    this.failed();
  }

  mayOpen(isResume: boolean): boolean {
    if (!isResume) {
      if (this.#state === 'extra' && !this.#options.hasSeat()) return false;
      if (!this.#options.mayWait()) return false;
    }
    this.#move(isResume ? 'resuming' : 'opening');
    return true;
  }

  failed(): void {
    if (this.#state === 'seated' || this.#state === 'gone') return;
    this.#move(this.#options.hasSeat() ? 'seated' : 'extra');
    if (this.#state === 'extra') this.#stopLooking = this.#options.later(() => this.#look());
  }

  opened(): void {
    this.#move('open');
  }

  leave(): void {
    if (this.#state !== 'gone') this.#move('gone');
  }

  #look(): void {
    if (this.#options.hasSeat()) this.#move('seated');
    else this.#options.onCrowded();
  }

  #move(to: State): void {
    this.#stopLooking();
    this.#options.moved(this.#state, to);
    this.#state = to;
  }
}
