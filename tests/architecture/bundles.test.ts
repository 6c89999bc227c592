import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BEHAVIOUR_TREES, bundleForBrowser, LOOPBACK, placesOf, REMOTE, SDK } from './browser-bundle.ts';

/** Bytes, gzipped, without Phaser. What they are made of and what is aimed at stands in docs/performance.md. */
const MOST = { core: 41_500, link: 9_000, kit: 16_000, agent: 12_000, ownBrain: 8_000 };

const exporting = (...entries: string[]) => bundleForBrowser(entries.map((entry) => `export * from '${entry}';`).join('\n'));
const weigh = (code: string): number => gzipSync(code).length;

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

  test('the core, the link that it loads on demand, what the kit adds, and the agent SDK stay within their weight', async () => {
    const [plugin, withKit, agent] = await Promise.all([
      exporting('phaser-aicc'),
      exporting('phaser-aicc', 'phaser-aicc/kit'),
      exporting('phaser-aicc/agent'),
    ]);
    expect(weigh(plugin.initial)).toBeLessThanOrEqual(MOST.core);
    expect(weigh(plugin.onDemand)).toBeLessThanOrEqual(MOST.link);
    expect(weigh(withKit.initial) - weigh(plugin.initial)).toBeLessThanOrEqual(MOST.kit);
    expect(weigh(agent.code)).toBeLessThanOrEqual(MOST.agent);
  });

  test('a game without brains ships no agent SDK, and one that makes its own with defineBrain no behaviour trees', async () => {
    const [plugin, own, trees] = await Promise.all([
      exporting('phaser-aicc', 'phaser-aicc/kit'),
      bundleForBrowser(`export { defineBrain } from 'phaser-aicc/brain';`),
      bundleForBrowser(`export { behaviourTree } from 'phaser-aicc/brain';`),
    ]);
    expect(placesOf(SDK, plugin.code)).toEqual([]);
    expect(placesOf(SDK, own.code)).not.toEqual([]);
    expect(placesOf(BEHAVIOUR_TREES, own.code)).toEqual([]);
    expect(placesOf(BEHAVIOUR_TREES, trees.code)).not.toEqual([]);
    expect(weigh(own.code)).toBeLessThanOrEqual(MOST.ownBrain);
  });

  test('a game that has no relay does not load the code that speaks to one', async () => {
    const { initial, onDemand } = await exporting('phaser-aicc');
    expect(placesOf(/new WebSocket\b/g, initial)).toEqual([]);
    expect(placesOf(/new WebSocket\b/g, onDemand)).not.toEqual([]);
  });
});
