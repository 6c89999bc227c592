import type * as Phaser from 'phaser';
import { startBeat } from './beat.ts';
import { isBeingDestroyed } from './compat.ts';

export interface HiddenPageOptions {
  /** What the world does while the page is hidden: `run` goes on as long as an agent from outside is there, `pause` stands still and says so. */
  background: 'run' | 'pause';
  /** A game's own copy of the worker that beats while the page is hidden. */
  workerUrl: string | undefined;
  /** One frame while the page is hidden, in milliseconds. */
  frameMs: number;
  /** At most so many frames are made at one beat. */
  framesPerBeat: number;
  /** While the page is hidden: a moment has passed that none of its own timers need have seen. */
  beat(): void;
  /** Where a warning goes. */
  log(message: string): void;
  /** The world stands still now, or no longer. */
  paused(paused: boolean): void;
}

/** Milliseconds between two beats of a world that stands still: nothing that an agent waits for comes later than that. */
const IDLE_MS = 200;

/** Whoever must be told of it hears it once in a page. */
let warned = false;

/** Keeps a game going while nobody sees its page, or pauses its world (AICC E6). Phaser itself does nothing then, for no frames are painted. */
export class HiddenPage {
  readonly #game: Phaser.Game;
  readonly #options: HiddenPageOptions;
  #hidden = typeof document !== 'undefined' && document.hidden === true;
  /** Whether an agent from outside has a session. */
  #attended = false;
  #stopBeat: (() => void) | undefined;
  /** Whether the world goes on at that beat. */
  #goesOn = false;
  /** Whether the game's own loop was put to sleep here. */
  #sleeps = false;

  constructor(game: Phaser.Game, options: HiddenPageOptions) {
    this.#game = game;
    this.#options = options;
    const { events } = game;
    events.on('hidden', this.#hide, this);
    events.on('visible', this.#show, this);
    // Phaser's own answer to both: its loop knows of it then.
    events.on('pause', this.#update, this);
    events.on('resume', this.#update, this);
    // A page may be opened behind another: its loop starts when this turn is over.
    if (game.isRunning) this.#update();
    else events.once('ready', () => queueMicrotask(() => this.#update()), this);
  }

  /** An agent from outside is there, or the last one has gone: nobody else sees the hidden world, so it need not go on (AICC E6). */
  attend(attended: boolean): void {
    this.#attended = attended;
    if (this.#hidden && this.#game.isRunning) this.#update();
  }

  close(): void {
    const { events } = this.#game;
    events.off('hidden', this.#hide, this);
    events.off('visible', this.#show, this);
    events.off('pause', this.#update, this);
    events.off('resume', this.#update, this);
    this.#hidden = false;
    this.#wake();
  }

  #hide(): void {
    this.#hidden = true;
    this.#update();
  }

  #show(): void {
    this.#hidden = false;
  }

  #update(): void {
    const game = this.#game;
    const options = this.#options;
    const goesOn = options.background === 'run' && this.#attended;
    options.paused(game.isPaused || (this.#hidden && !goesOn));
    if (!this.#hidden) return this.#wake();
    if (this.#stopBeat && this.#goesOn === goesOn) return;
    this.#stopBeat?.();
    this.#goesOn = goesOn;
    this.#beginBeat();
  }

  #beginBeat(): void {
    const game = this.#game;
    const options = this.#options;
    const { frameMs, framesPerBeat, workerUrl } = options;
    if (this.#goesOn && game.loop.running) {
      game.loop.sleep();
      this.#sleeps = true;
    }
    // A loop that somebody else put to sleep is stepped by them.
    const steps = this.#goesOn && this.#sleeps;
    let last = performance.now();
    let owed = 0;
    this.#stopBeat = startBeat({
      everyMs: steps ? frameMs : IDLE_MS,
      workerUrl,
      onlyTimer: () => {
        if (!warned) options.log('aicc: no worker can be had here, so the world is slow or stops while its page is hidden; see workerUrl');
        warned = true;
      },
      beat: () => {
        options.beat();
        if (!steps) return;
        const now = performance.now();
        // Beats come a little early or late: what is short of a frame is kept for the next.
        owed = Math.min(owed + now - last, frameMs * (framesPerBeat + 1));
        last = now;
        for (let left = framesPerBeat; left > 0 && owed >= frameMs && this.#stopBeat; left--) {
          game.headlessStep(now - owed + frameMs, frameMs);
          owed -= frameMs;
        }
      },
    });
  }

  #wake(): void {
    this.#stopBeat?.();
    this.#stopBeat = undefined;
    if (this.#sleeps && !isBeingDestroyed(this.#game)) this.#game.loop.wake();
    this.#sleeps = false;
  }
}
