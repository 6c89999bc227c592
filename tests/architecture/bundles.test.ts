import { describe, expect, test } from 'vitest';
import { bundleForBrowser, LOOPBACK, placesOf, REMOTE } from './browser-bundle.ts';

describe('what a game ships', () => {
  test.each([
    'phaser-aicc',
    'phaser-aicc/local',
    'phaser-aicc/kit',
    'phaser-aicc/agent',
    'phaser-aicc/brain',
    'phaser-aicc/bridge',
    'phaser-aicc/protocol',
  ])('the browser bundle of %s holds no Node built-in', async (entry) => {
    const { code, builtins } = await bundleForBrowser(`export * from '${entry}';`);
    expect(builtins).toEqual([]);
    expect(placesOf(/__vite-browser-external/g, code)).toEqual([]);
    expect(code.length).toBeGreaterThan(500);
  });

  test('a Node built-in is found where there is one', async () => {
    const { builtins } = await bundleForBrowser(`export { connect } from 'node:net';`);
    expect(builtins).toEqual([expect.stringContaining('node:net from')]);
  });

  test('a game that imports aicc from phaser-aicc/local has no remote path in its bundle', async () => {
    const { code } = await bundleForBrowser(`import { aicc } from 'phaser-aicc/local';\nglobalThis.plugin = aicc({ world: 'w' });`);
    expect(placesOf(REMOTE, code)).toEqual([]);
    const remote = await bundleForBrowser(`import { aicc } from 'phaser-aicc';\nglobalThis.plugin = aicc({ world: 'w' });`);
    expect(placesOf(REMOTE, remote.code)).not.toEqual([]);
  });

  test('nothing that a game ships names a loopback address', async () => {
    const { code } = await bundleForBrowser(
      `export * from 'phaser-aicc';\nexport * from 'phaser-aicc/kit';\nexport * from 'phaser-aicc/brain';`,
    );
    expect(placesOf(LOOPBACK, code)).toEqual([]);
  });
});
