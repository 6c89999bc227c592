import { expect, test } from 'vitest';
import { readOptions } from '../../demo-game/start/options.mjs';

const offers = (...argv: string[]) => (readOptions(argv) as { offers?: object }).offers;

test('npm start takes offers when it is told whose keys count, and for which characters one is needed', () => {
  expect(offers()).toBeUndefined();
  expect(offers('--trust', 'keys.json')).toEqual({ trust: 'keys.json', requireOffer: [], state: undefined });
  expect(offers('--trust', 'keys.json', '--require-offer', 'mira', '--require-offer', 'old_tam', '--state', 'here')).toEqual({
    trust: 'keys.json',
    requireOffer: ['mira', 'old_tam'],
    state: 'here',
  });
  for (const alone of [
    ['--require-offer', 'mira'],
    ['--state', 'here'],
  ])
    expect(readOptions(alone)).toEqual({ problem: expect.stringContaining('--trust') });
});
