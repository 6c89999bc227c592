import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundleForBrowser } from '../architecture/browser-bundle.ts';

test('the whole agent SDK costs a page at most 10 kB, gzipped', async () => {
  const { code } = await bundleForBrowser(`export * from 'phaser-aicc/agent';`);
  expect(code).toContain('cancel_call');
  expect(gzipSync(code).length).toBeLessThanOrEqual(10_000);
});
