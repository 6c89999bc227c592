import '../../src/headless/install.ts';
import { expect, test } from 'vitest';
import { isLong } from '../support/extent.ts';
import { playNight, playOut } from './demo-night.ts';

const SEEDS = isLong ? ['3', '4', '5', '6', '7', '8', '9', '10'] : ['1', '2'];

test.each(SEEDS)('beside an idle player the companion lights all five lanterns before dawn, but not fast (seed %s)', async (seed) => {
  const game = await playNight(seed);
  try {
    await playOut(game);
    expect(game.night.rules.ending).toBe('won');
    expect(game.night.rules.stars).toBe(1);
  } finally {
    game.headless.destroy();
  }
});
