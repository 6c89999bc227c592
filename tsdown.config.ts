import { defineConfig } from 'tsdown';

/** The npm package: one file for each entry of package.json's `exports`, shared chunks between them. */
export default defineConfig({
  entry: {
    index: 'plugin/index.ts',
    local: 'plugin/local.ts',
    scene: 'plugin/scene.ts',
    kit: 'plugin/kit/index.ts',
    agent: 'src/agent/index.ts',
    'agent-node': 'src/agent/node.ts',
    aicontrol: 'src/agent/aicontrol/index.ts',
    brain: 'src/brain/index.ts',
    // Files of their own, so that a bundler can leave the tree out, and its library with it, where only defineBrain is used.
    'behaviour-tree': 'src/brain/behaviour-tree.ts',
    'define-brain': 'src/brain/define-brain.ts',
    bridge: 'src/bridge/index.ts',
    contract: 'src/contract/index.ts',
    relay: 'src/relay/index.ts',
    protocol: 'src/protocol/public.ts',
    cli: 'src/relay/cli.ts',
  },
  // Named by a URL beside the bundle, not imported.
  copy: ['plugin/beat-worker.js'],
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  sourcemap: true,
  fixedExtension: false,
  logLevel: 'warn',
  // A package that is not in `dependencies` must not slip into the build.
  deps: { onlyBundle: [], neverBundle: [/^node:/] },
});
