import type * as Phaser from 'phaser';
import type { Clock } from '../src/base/clock.ts';
import type { JsonObject } from '../src/base/json.ts';
import { uuid } from '../src/base/uuid.ts';
import { type Approve, type Bridge, createBridge, type OpenRequest, type Policy } from '../src/bridge/index.ts';
import type { TickMode, ToolClass } from '../src/protocol/index.ts';
import { STEP_MS, type SteppedTime } from './frozen-scene.ts';
import { HiddenPage } from './hidden-page.ts';
import { Ids } from './ids.ts';
import { pageClock } from './page-clock.ts';
import type { SceneRun } from './scene-run.ts';
import { SearchBudget } from './search-budget.ts';

/** What a world is called and how its time runs. */
export interface WorldOptions {
  /** Agents find the game by it: `lantern_night`. */
  world: string;
  /**
   * `hybrid` (default): a call starts when it comes. `fixed`: calls start at the next tick. `event`: the world stands still until an acting call or a
   * trigger moves it, for as long as the call runs and at least one tick (AICC E).
   */
  tickMode?: TickMode;
  /**
   * Event mode: whether the scenes that declared something stand still with the world, and move in steps of a 60th of a second (default true). false,
   * for turn games with a living table: they run on, and only ticks and calls keep to the rule.
   */
  freeze?: boolean;
  /** Event mode: whether the first acting call moves the world (`any`, default), or it waits for one of every agent, 10 s at most (`all`). */
  barrier?: 'any' | 'all';
  /** Event mode: the classes of tools that act. Default actuators and generators. */
  advanceOn?: readonly ToolClass[];
  /**
   * While the page is hidden: `run` (default) lets the game go on, from a worker's timer and without pictures, as long as an agent from outside has a
   * session, and stand still else, also for drivers in the page; `pause` lets it stand still, tells the agents and answers their calls at once (AICC E6).
   */
  background?: 'run' | 'pause';
  /** Where the worker for that is: a copy of the package's `dist/beat-worker.js`. Needed only where bundler and content security policy leave no other way. */
  workerUrl?: string;
  /**
   * Told, once for each reason, what the game's developer should know: a tool that threw (with its stack) or returned a wrong output, a mistake in a
   * brain's code, that no relay can be reached, or that no worker can be had and a hidden page's world will be slow. Default `console.warn`. Told once
   * too that agents can reach the game, and by which name; default for that: `console.info`.
   */
  log?(message: string): void;
  /** Ticks in a second of world time. Default 10. */
  tickRateHz?: number;
  /** Seeds the tools' `context.random()`. Default: the world's name. */
  seed?: string;
  /** What agents without a token may do. Default: everything. */
  defaultCapabilities?: readonly string[];
  /** Asks the person at the game before a tool that needs it. Default: such calls are refused. */
  approve?: Approve;
  /**
   * Takes session offers: makes of a contract's terms what the session may do. Give `policyFor` of `phaser-aicc/contract`. Default: offers are refused,
   * and no code for them is in the bundle. What it throws refuses the opening. `nowMs`: milliseconds since 1970.
   */
  contracts?(terms: JsonObject, nowMs: number): Policy;
}

/** What the way to the outside tells. */
interface OutsideNews {
  /** What keeps the world from being reached. */
  log(message: string): void;
  /** That it is reached, and how. */
  info(message: string): void;
  /** By which name agents find it. */
  named(name: string): void;
}

/** Opens the world to the outside, by the page's wall time; returns the way to close it again. */
export type OpenWorld = (bridge: Bridge, clock: Clock, news: OutsideNews) => () => void;

/** A frame of a hidden page, in milliseconds, and how many are made up for at most when a beat comes late. */
const HIDDEN = { frameMs: 50, framesPerBeat: 40 } as const;

const worldOf = new WeakMap<Phaser.Game, World>();
/** The living world of each name in this page. */
const living = new Map<string, World>();

/** The game's world, if the plugin is installed. It may be closed. */
export function findWorld(game: Phaser.Game): World | undefined {
  return worldOf.get(game);
}

/**
 * One game's world: the bridge, stepped by the game's frames. In one page the newest world of a name wins, since a destroyed game lives until its
 * next frame and React's StrictMode mounts twice.
 */
export class World implements SteppedTime {
  readonly options: WorldOptions;
  readonly runs = new Set<SceneRun>();
  gamePaused = false;
  /** By which name agents find it: the game's own, or what the relay has made of it. */
  name: string;
  /** Event mode: whether the world moves in this frame, decided before it. */
  stepping = false;
  /** Tells the game's log. Never throws. */
  readonly log: (message: string) => void;
  /** The characters of which it was told that they were declared twice. */
  readonly declaredTwice = new Set<string>();
  readonly ids = new Ids();
  /** Shared by all its characters' searches for ways. */
  readonly searches = new SearchBudget();
  readonly #game: Phaser.Game;
  #owedMs = 0;
  #steps = 0;
  readonly #whole: Bridge;
  readonly #hiddenPage: HiddenPage;
  readonly #closeOutside: () => void;
  #closed = false;

  /** @throws TypeError for options that cannot work */
  constructor(game: Phaser.Game, options: WorldOptions, openWorld: OpenWorld) {
    this.#game = game;
    this.options = options;
    this.name = options.world;
    const { world, freeze: _scenes, background = 'run', workerUrl, log = (message) => console.warn(message), contracts, ...rest } = options;
    this.log = (message) => this.#guarded(() => log(message));
    const clock = pageClock();
    this.#whole = createBridge({
      world: { name: world },
      ...rest,
      ...(contracts && { policyFor: (request: OpenRequest) => request.contract && contracts(request.contract, Date.now()) }),
      clock,
      newId: uuid,
      log: this.log,
      attended: (attended) => this.#hiddenPage.attend(attended),
    });
    living.get(world)?.close('a newer game of the same world has started');
    living.set(world, this);
    worldOf.set(game, this);
    game.events.on('prestep', this.#beforeStep, this);
    game.events.on('poststep', this.#afterStep, this);
    game.events.once('destroy', this.#destroyed, this);
    this.#hiddenPage = new HiddenPage(game, {
      background,
      workerUrl,
      ...(this.#inEventMode ? { frameMs: STEP_MS, framesPerBeat: 1 } : HIDDEN),
      beat: () => clock.catchUp(),
      log: this.log,
      paused: (paused) => this.#setPaused(paused),
    });
    const info = options.log ?? ((message: string) => console.info(message));
    this.#closeOutside = openWorld(this.#whole, clock, {
      log: this.log,
      info: (message) => this.#guarded(() => info(message)),
      named: (name) => {
        this.name = name;
      },
    });
  }

  /** Event mode: how far it has moved, in milliseconds. */
  get now(): number {
    return this.#steps * STEP_MS;
  }

  /** Absent once the world is closed. */
  get bridge(): Bridge | undefined {
    return this.#closed ? undefined : this.#whole;
  }

  get #inEventMode(): boolean {
    return this.options.tickMode === 'event';
  }

  /** Whether its scenes stand still with it. */
  get freezes(): boolean {
    return this.#inEventMode && this.options.freeze !== false;
  }

  /** The game moves the world: by a tick in event mode. Its agents are told. */
  trigger(kind: string): void {
    for (const run of [...this.runs]) run.tellTrigger(kind);
    this.bridge?.trigger();
  }

  newUnitId(characterId: string, object: unknown): string {
    return this.ids.newUnit(characterId, (id) =>
      [...this.runs].some((run) => run.hasCharacter(id) || run.surroundings.entities.hadOther(id, object)),
    );
  }

  /** Ends every session and connection. The game goes on without AI. Idempotent. */
  close(reason = 'the game has ended'): void {
    if (this.#closed) return;
    const { events } = this.#game;
    events.off('prestep', this.#beforeStep, this);
    events.off('poststep', this.#afterStep, this);
    events.off('destroy', this.#destroyed, this);
    this.#hiddenPage.close();
    for (const run of [...this.runs]) run.end();
    this.#whole.close(reason);
    this.#closed = true;
    if (living.get(this.options.world) === this) living.delete(this.options.world);
    this.#closeOutside();
  }

  #destroyed(): void {
    this.close();
  }

  /** What is thrown while a frame is made would end the game's loop for good. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch {
      // Nothing of ours throws here but a game's own id() or the like; its call or its thing suffers, not the game.
    }
  }

  #beforeStep(_time: number, ms: number): void {
    this.#guarded(() => this.#whole.startDue());
    if (!this.#inEventMode) return;
    // At most one step a frame, so that promises get their turn in between, and no faster than frames come.
    this.#owedMs = Math.min(this.#owedMs + ms, 2 * STEP_MS);
    this.stepping = this.#whole.moving && (!this.freezes || this.#owedMs >= STEP_MS);
    if (!this.stepping) return;
    this.#owedMs -= STEP_MS;
    this.#steps++;
  }

  #afterStep(_time: number, ms: number): void {
    const runs = [...this.runs];
    for (const run of runs) this.#guarded(() => run.watch());
    const steps = !this.#inEventMode || this.stepping;
    // Asked afterwards, for a scene is paused in the middle of a frame: no time passes in which no scene can move (AICC E6).
    if (steps && runs.length > 0 && runs.every(({ paused }) => paused)) this.#steps--;
    else if (steps) {
      // Not in a frame in which the world stands still: what a call may look at must not depend on how long it does.
      this.searches.refill();
      this.#guarded(() => this.#whole.advance(this.freezes ? STEP_MS : ms));
    }
    this.stepping = false;
  }

  #setPaused(paused: boolean): void {
    if (this.gamePaused === paused) return;
    this.gamePaused = paused;
    for (const run of this.runs) this.#guarded(() => run.pauseChanged());
  }
}
