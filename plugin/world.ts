import type * as Phaser from 'phaser';
import { type Approve, type Bridge, createBridge } from '../src/bridge/index.ts';
import { uuid } from '../src/protocol/index.ts';
import { wallClock } from '../src/transport/index.ts';
import type { SceneRun } from './scene-run.ts';

/** What a world is called and how its time runs. */
export interface WorldOptions {
  /** Agents find the game by it: `lantern_night`. */
  world: string;
  /** `hybrid` (default): a call starts when it comes. `fixed`: calls start at the next tick (AICC E). */
  tickMode?: 'hybrid' | 'fixed';
  /** Ticks in a second of world time. Default 10. */
  tickRateHz?: number;
  /** Seeds the tools' `context.random()`. Default: the world's name. */
  seed?: string;
  /** What agents without a token may do. Default: everything. */
  defaultCapabilities?: readonly string[];
  /** Asks the person at the game before a tool that needs it. Default: such calls are refused. */
  approve?: Approve;
}

/** Opens the world to the outside; returns the way to close it again. */
export type OpenWorld = (bridge: Bridge) => () => void;

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
export class World {
  readonly runs = new Set<SceneRun>();
  gamePaused = false;
  private readonly whole: Bridge;
  private readonly closeOutside: () => void;
  private closed = false;

  /** @throws TypeError for options that cannot work */
  constructor(
    private readonly game: Phaser.Game,
    readonly options: WorldOptions,
    openWorld: OpenWorld,
  ) {
    const { world, ...rest } = options;
    this.whole = createBridge({ world: { name: world }, ...rest, clock: wallClock, newId: uuid });
    living.get(world)?.close('a newer game of the same world has started');
    living.set(world, this);
    worldOf.set(game, this);
    game.events.on('prestep', this.beforeStep, this);
    game.events.on('poststep', this.afterStep, this);
    game.events.on('pause', this.pause, this);
    game.events.on('resume', this.resume, this);
    game.events.once('destroy', this.destroyed, this);
    this.closeOutside = openWorld(this.whole);
  }

  /** Absent once the world is closed. */
  get bridge(): Bridge | undefined {
    return this.closed ? undefined : this.whole;
  }

  /** Ends every session and connection. The game goes on without AI. Idempotent. */
  close(reason = 'the game has ended'): void {
    if (this.closed) return;
    const { events } = this.game;
    events.off('prestep', this.beforeStep, this);
    events.off('poststep', this.afterStep, this);
    events.off('pause', this.pause, this);
    events.off('resume', this.resume, this);
    events.off('destroy', this.destroyed, this);
    for (const run of [...this.runs]) run.end();
    this.whole.close(reason);
    this.closed = true;
    if (living.get(this.options.world) === this) living.delete(this.options.world);
    this.closeOutside();
  }

  private destroyed(): void {
    this.close();
  }

  /** What is thrown while a frame is made would end the game's loop for good. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch {
      // Nothing of ours throws here but a game's own id() or the like; its call or its thing suffers, not the game.
    }
  }

  private beforeStep(): void {
    this.guarded(() => this.whole.startDue());
  }

  private afterStep(_time: number, ms: number): void {
    for (const run of [...this.runs]) this.guarded(() => run.watch());
    this.guarded(() => this.whole.advance(ms));
  }

  private pause(): void {
    this.setPaused(true);
  }

  private resume(): void {
    this.setPaused(false);
  }

  private setPaused(paused: boolean): void {
    this.gamePaused = paused;
    for (const run of this.runs) this.guarded(() => run.pauseChanged());
  }
}
