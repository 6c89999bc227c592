/** Builds the demo (`npm run build:demo`) and serves it while you work on it (`npx vite`). The tests use its aliases too. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The package's public entries, read from source: the demo and the tests import what a user would. */
export const entries = {
  'phaser-aicc/local': here('./plugin/local.ts'),
  'phaser-aicc/scene': here('./plugin/scene.ts'),
  'phaser-aicc/kit': here('./plugin/kit/index.ts'),
  'phaser-aicc/agent': here('./src/agent/index.ts'),
  'phaser-aicc/aicontrol': here('./src/agent/aicontrol/index.ts'),
  'phaser-aicc/brain': here('./src/brain/index.ts'),
  'phaser-aicc/bridge': here('./src/bridge/index.ts'),
  'phaser-aicc/contract': here('./src/contract/index.ts'),
  'phaser-aicc/relay': here('./src/relay/index.ts'),
  'phaser-aicc/protocol': here('./src/protocol/public.ts'),
  'phaser-aicc': here('./plugin/index.ts'),
};

export default defineConfig({
  base: './',
  publicDir: 'assets/public',
  resolve: { alias: entries },
  build: { outDir: 'dist-demo', emptyOutDir: true, chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 },
});
