import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bundleForBrowser, LOOPBACK, placesOf, REMOTE } from './browser-bundle.ts';

/** Bytes, gzipped, without Phaser. What they are made of and what is aimed at stands in docs/performance.md. */
const MOST = { core: 43_000, kit: 15_000, agent: 10_000 };

const weigh = async (source: string): Promise<number> => gzipSync((await bundleForBrowser(source)).code).length;

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

  test('issue 3, 13: the plugin, what the kit adds to it, and the agent SDK stay within their weight', async () => {
    const [core, both, agent] = await Promise.all(
      [['phaser-aicc'], ['phaser-aicc', 'phaser-aicc/kit'], ['phaser-aicc/agent']].map((entries) =>
        weigh(entries.map((entry) => `export * from '${entry}';`).join('\n')),
      ),
    );
    expect(core).toBeLessThanOrEqual(MOST.core);
    expect((both as number) - (core as number)).toBeLessThanOrEqual(MOST.kit);
    expect(agent).toBeLessThanOrEqual(MOST.agent);
  });
});
