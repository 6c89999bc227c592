import './install.ts';
import * as Phaser from 'phaser';

/** One 60th of a second, in milliseconds. */
const FRAME_MS = 1000 / 60;

/** A game that moves only when it is told to. */
export interface Headless {
  readonly game: Phaser.Game;
  /** Milliseconds of game time since the start. */
  readonly time: number;
  /** One frame of `ms` (default a 60th of a second). */
  step(ms?: number): void;
  /** Frames of a 60th of a second until `ms` have passed. */
  run(ms: number): void;
  /** The same, but gives way after each frame to promises that wait, so that tools and agents in the same process get their turn. */
  runAsync(ms: number, until?: () => boolean): Promise<void>;
  /** Destroys the game and its scenes at once (Phaser alone would wait for the next frame). */
  destroy(): void;
}

/**
 * Phaser in plain Node: HEADLESS, silent, no input, and every clock of it (tweens too) stands still between steps.
 * Fulfilled when the game is running and its first scenes have been started; a step has yet to be made.
 * @param config as for `new Phaser.Game`; what a machine without a screen cannot have is set for you. `callbacks` are kept.
 */
export async function createHeadless(config: Phaser.Types.Core.GameConfig): Promise<Headless> {
  const game = await new Promise<Phaser.Game>((resolve) => {
    const made = new Phaser.Game({
      width: 800,
      height: 600,
      seed: ['headless'],
      ...config,
      type: Phaser.HEADLESS,
      customEnvironment: true,
      banner: false,
      audio: { noAudio: true },
      autoFocus: false,
      input: { keyboard: false, mouse: false, touch: false, gamepad: false, ...(typeof config.input === 'object' && config.input) },
      fps: { ...config.fps, smoothStep: false },
      callbacks: {
        ...config.callbacks,
        preBoot: (booting) => {
          installPlugins(booting, config.plugins);
          config.callbacks?.preBoot?.(booting);
        },
      },
    });
    // `ready` comes just before the scenes start; one turn later they have
    made.events.once(Phaser.Core.Events.READY, () => queueMicrotask(() => resolve(made)));
  });
  game.loop.sleep();

  let time = 0;
  let destroyed = false;
  game.events.once(Phaser.Core.Events.DESTROY, () => {
    destroyed = true;
  });
  const step = (ms: number = FRAME_MS) => {
    if (destroyed) return;
    time += ms;
    // A sleeping loop does not move its clock, by which keys tell how long they are held.
    game.loop.time = time;
    game.loop.now = time;
    for (const scene of game.scene.scenes) tameTweens(scene.tweens, ms);
    game.headlessStep(time, ms);
  };
  const frames = (ms: number) => Math.round(ms / FRAME_MS);

  return {
    game,
    get time() {
      return time;
    },
    step,
    run(ms) {
      for (let left = frames(ms); left > 0; left--) step();
    },
    async runAsync(ms, until) {
      for (let left = frames(ms); left > 0 && !destroyed && !until?.(); left--) {
        step();
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    },
    destroy() {
      if (destroyed) return;
      game.destroy(true);
      game.headlessStep(time, 0);
    },
  };
}

/** A HEADLESS game forgets the global plugins of its config. */
function installPlugins(game: Phaser.Game, plugins: Phaser.Types.Core.GameConfig['plugins']): void {
  const global = plugins && 'global' in plugins ? plugins.global : undefined;
  for (const { key, plugin, start, mapping, data } of global ?? []) {
    if (key !== undefined && typeof plugin === 'function') game.plugins.install(key, plugin, start, mapping, data);
  }
}

/** Tweens read `Date.now()`: give them the step's length instead, as everything else gets it. */
function tameTweens(tweens: Phaser.Tweens.TweenManager | undefined, ms: number): void {
  if (tweens) tweens.getDelta = () => ms;
}
