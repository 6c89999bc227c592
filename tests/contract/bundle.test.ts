import { expect, test } from 'vitest';
import { bundleForBrowser } from '../architecture/browser-bundle.ts';

test('T0: a game that takes no offers ships no byte of them', async () => {
  const { code } = await bundleForBrowser(`import { aicc } from 'phaser-aicc';\nglobalThis.plugin = aicc({ world: 'w' });`);
  expect(code).not.toMatch(/prohibitedActions|openclasp|Ed25519/);
});

test('T0: what a game takes to play under contracts is small, runs in a browser, and judges no offers', async () => {
  const { builtins, code } = await bundleForBrowser(`export { policyFor } from 'phaser-aicc/contract';`);
  expect(builtins).toEqual([]);
  expect(code).toContain('x-data-class');
  expect(code).not.toMatch(/Ed25519|openclasp\.session/);
  expect(code.length).toBeLessThan(8_000);
});
