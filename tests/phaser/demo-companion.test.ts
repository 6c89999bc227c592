import { createHeadless } from '../../src/headless/index.ts';
import { expect, test } from 'vitest';
import { headlessConfig } from '../../demo-game/config.ts';
import { sceneKey } from '../../demo-game/scenes/keys.ts';
import type { NightScene } from '../../demo-game/scenes/night.ts';

for (let seed = 1; seed <= 10; seed++) {
  test(`beside an idle player the companion lights all five lanterns before dawn (seed ${seed})`, async () => {
    const headless = await createHeadless(headlessConfig({ play: true, renderer: 'canvas', seed: String(seed), companion: true }));
    const night = headless.game.scene.getScene(sceneKey.night) as NightScene;
    let said = '';
    await headless.runAsync(250_000, () => {
      const w = night.bubbles.words('mira') ?? '';
      if (w !== said && process.env.TALK) console.log(Math.round(headless.time / 1000), Math.round(night.people.mira.x), Math.round(night.people.mira.y), w);
      said = w;
      return night.rules.ending !== 'running';
    });
    console.log(seed, night.rules.ending, Math.round(night.rules.left / 1000), night.rules.lit);
    expect(night.rules.ending).toBe('won');
    headless.destroy();
  });
}
