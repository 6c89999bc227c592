import '../../src/headless/install.ts';
import * as Phaser from 'phaser';
import { aicc, type CharacterOptions } from 'phaser-aicc';
import type { Session } from 'phaser-aicc/agent';
import { createHeadless, type Headless } from '../../src/headless/index.ts';
import { agentAt } from '../fixtures/event-game.ts';

export type Create = (scene: Phaser.Scene) => void;

/** A scene that does what it is told at each of its creations. */
export function sceneOf(create: Create, key = 'field'): Phaser.Scene {
  class TestScene extends Phaser.Scene {
    create() {
      create(this);
    }
  }
  return new TestScene(key);
}

let worlds = 0;

/** A headless game with Arcade physics and the plugin; its first frame has been made. */
export async function playScene(scenes: Phaser.Scene | Phaser.Scene[], world: Partial<Parameters<typeof aicc>[0]> = {}): Promise<Headless> {
  const headless = await createHeadless({
    scene: scenes,
    physics: { default: 'arcade' },
    plugins: { global: [aicc({ world: `test_${++worlds}`, ...world })] },
  });
  headless.step();
  return headless;
}

export const play = (create: Create, world?: Partial<Parameters<typeof aicc>[0]>): Promise<Headless> => playScene(sceneOf(create), world);

/** An outside agent at the game's bridge, without a socket between. */
export const agentOf = ({ game }: Headless, options?: Parameters<typeof agentAt>[1]): Promise<Session> => agentAt(game, options);

/** Lets promises that wait run on. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Plays on until the promise is settled, at most `ms` of game time; then it fails. */
export async function playUntil<T>(headless: Headless, promise: Promise<T>, ms = 60_000): Promise<T> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  promise.then(done, done);
  await headless.runAsync(ms, () => settled);
  if (!settled) throw new Error(`not settled after ${ms} ms of game time`);
  return promise;
}

export const someone: Pick<CharacterOptions, 'description' | 'default'> = { description: 'Somebody.', default: true };
