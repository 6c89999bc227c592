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

test('W15: npm start takes the token for AiControl from an environment variable, and from nowhere else', () => {
  const token = (...argv: string[]) => readOptions(argv, { MY_TOKEN: 's3cret', EMPTY: '' });
  expect(token('--aicontrol', '--aicontrol-token-env', 'MY_TOKEN')).toMatchObject({ aicontrolPort: 43_011, aicontrolToken: 's3cret' });
  expect(token('--aicontrol-port', '0', '--aicontrol-token-env', 'MY_TOKEN')).toMatchObject({ aicontrolPort: 0, aicontrolToken: 's3cret' });
  expect(token('--aicontrol')).toMatchObject({ aicontrolToken: undefined });
  for (const [name, problem] of Object.entries({ NO_SUCH: 'not set', EMPTY: 'empty' }))
    expect(token('--aicontrol', '--aicontrol-token-env', name)).toEqual({ problem: expect.stringContaining(problem) });
  expect(token('--aicontrol-token-env', 'MY_TOKEN')).toEqual({ problem: expect.stringContaining('--aicontrol') });
  const given = token('--aicontrol', '--aicontrol-token', 's3cret');
  expect(given).toEqual({ problem: expect.stringContaining('--aicontrol-token') });
  expect(JSON.stringify(given)).not.toContain('s3cret');
});
