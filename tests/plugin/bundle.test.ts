import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { expect, test } from 'vitest';

/** The code that a game gets that imports `aicc` and `aiccOf` from an entry of the plugin. */
async function bundled(entry: 'index' | 'local'): Promise<string> {
  const file = fileURLToPath(new URL(`../../plugin/${entry}.ts`, import.meta.url));
  const id = '\0game';
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'game',
        resolveId: (source) => (source === 'game' ? id : undefined),
        load: (source) =>
          source === id ? `import { aicc, aiccOf } from ${JSON.stringify(file)}; globalThis.game = [aicc, aiccOf];` : undefined,
      },
    ],
    build: { write: false, minify: true, rollupOptions: { input: 'game', external: ['phaser'] } },
  })) as Rollup.RollupOutput;
  return output.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
}

const REMOTE = ['WebSocket', 'aicc-relay', 'aicc-game', 'bearer'];

test('phaser-aicc/local has no remote path in its bundle, phaser-aicc has', async () => {
  const [local, remote] = await Promise.all([bundled('local'), bundled('index')]);
  expect(local).toContain('aicc({ world })');
  expect(REMOTE.filter((word) => local.includes(word))).toEqual([]);
  expect(REMOTE.filter((word) => remote.includes(word))).toEqual(REMOTE);
  for (const code of [local, remote]) {
    expect(code).not.toMatch(/["'`]node:|\beval\(|new Function|127\.0\.0\.1|localhost/);
  }
});
