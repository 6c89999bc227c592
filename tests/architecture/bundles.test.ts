import { describe, expect, test } from 'vitest';
import { bundleForBrowser } from './browser-bundle.ts';

/** What a remote path cannot do without: a socket, or the address of the relay. */
const REMOTE = /\bWebSocket\b|\/game\b|aicc-relay/;

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
    expect(code).not.toContain('__vite-browser-external');
    expect(code.length).toBeGreaterThan(500);
  });

  test('a Node built-in is found where there is one', async () => {
    const { builtins } = await bundleForBrowser(`export { connect } from 'node:net';`);
    expect(builtins).toEqual([expect.stringContaining('node:net from')]);
  });

  test('a game that imports aicc from phaser-aicc/local has no remote path in its bundle', async () => {
    const { code } = await bundleForBrowser(`import { aicc } from 'phaser-aicc/local';\nglobalThis.plugin = aicc({ world: 'w' });`);
    expect(code).not.toMatch(REMOTE);
    const remote = await bundleForBrowser(`import { aicc } from 'phaser-aicc';\nglobalThis.plugin = aicc({ world: 'w' });`);
    expect(remote.code).toMatch(REMOTE);
  });

  test('nothing that a game ships names a loopback address', async () => {
    const { code } = await bundleForBrowser(`export * from 'phaser-aicc';\nexport * from 'phaser-aicc/kit';`);
    expect(code).not.toMatch(/127\.0\.0\.1|localhost|\[::1\]/);
  });
});
