import { headlessConfig } from '../../demo-game/config.ts';
import { nightMs } from '../../demo-game/rules/night-rules.ts';
import { sceneKey } from '../../demo-game/scenes/keys.ts';
import type { NightScene } from '../../demo-game/scenes/night.ts';
import { createHeadless, type Headless } from '../../src/headless/index.ts';

export interface Played {
  readonly headless: Headless;
  readonly night: NightScene;
}

/** The demo's night, without a screen; its first frame has been made. */
export async function playNight(seed: string, companion = true): Promise<Played> {
  const headless = await createHeadless(headlessConfig({ play: true, renderer: 'auto', seed, companion }));
  headless.step();
  return { headless, night: headless.game.scene.getScene(sceneKey.night) as NightScene };
}

/** Lets the player walk with the stick along a line of places, each reached as nearly as feet come. */
export async function walkPlayer({ headless, night }: Played, way: readonly (readonly [number, number])[], ms = 20_000): Promise<void> {
  const { player } = night.people;
  const { stick } = night.controls;
  const until = headless.time + ms;
  for (const [x, y] of way) {
    await headless.runAsync(until - headless.time, () => {
      const far = Math.hypot(x - player.x, y - player.y);
      stick.x = far < 2 ? 0 : (x - player.x) / far;
      stick.y = far < 2 ? 0 : (y - player.y) / far;
      return far < 2;
    });
  }
  if (headless.time >= until) throw new Error(`the player did not arrive: stands at ${player.x}, ${player.y}`);
}

/** Plays to the night's end and says how long it took. */
export async function playOut({ headless, night }: Played): Promise<number> {
  await headless.runAsync(nightMs + 5_000, () => night.rules.ending !== 'running');
  return nightMs - night.rules.left;
}
