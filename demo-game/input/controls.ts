import * as Phaser from 'phaser';
import type { Point } from '../rules/point.ts';

type Keys = Record<'up' | 'down' | 'left' | 'right' | 'w' | 'a' | 's' | 'd', Phaser.Input.Keyboard.Key>;

export interface Commands {
  act(): void;
  chat(): void;
  pause(): void;
  mute(): void;
}

/** The keyboard and the touch stick as one wish: where to go. Nothing is pressed on a machine without a keyboard. */
export class Controls {
  /** Set by the touch stick, each part -1 to 1. */
  readonly stick: Point = { x: 0, y: 0 };
  readonly #keys: Keys | undefined;
  readonly #keyboard: Phaser.Input.Keyboard.KeyboardPlugin | null;

  constructor(scene: Phaser.Scene, commands: Commands) {
    this.#keyboard = scene.input?.keyboard ?? null;
    const codes = Phaser.Input.Keyboard.KeyCodes;
    const { UP, DOWN, LEFT, RIGHT, W, A, S, D } = codes;
    this.#keys = this.#keyboard?.addKeys({ up: UP, down: DOWN, left: LEFT, right: RIGHT, w: W, a: A, s: S, d: D }, false) as
      | Keys
      | undefined;
    const on = (names: string[], run: () => void) => {
      for (const name of names) {
        this.#keyboard?.on(`keydown-${name}`, (event: KeyboardEvent) => {
          if (event.repeat) return;
          event.preventDefault();
          run();
        });
      }
    };
    on(['SPACE', 'E'], commands.act);
    on(['ENTER', 'T'], commands.chat);
    on(['P', 'ESC'], commands.pause);
    on(['M'], commands.mute);
  }

  /** Where to go: a direction no longer than 1. */
  wish(): Point {
    const keys = this.#keys;
    const down = (...names: (keyof Keys)[]) => (names.some((name) => keys?.[name].isDown) ? 1 : 0);
    const x = down('right', 'd') - down('left', 'a') + this.stick.x;
    const y = down('down', 's') - down('up', 'w') + this.stick.y;
    const length = Math.hypot(x, y);
    return length > 1 ? { x: x / length, y: y / length } : { x, y };
  }

  /** Lets every key go: somebody begins to type. */
  release(): void {
    this.#keyboard?.resetKeys();
    this.stick.x = 0;
    this.stick.y = 0;
  }
}
