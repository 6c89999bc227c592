import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { entries } from './vite.config.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const alias = { ...entries, 'phaser-aicc/agent': here('./src/agent/node.ts') };
const phaser4 = here('./node_modules/phaser/dist/phaser.esm.js');
const phaser3 = here('./node_modules/phaser3/dist/phaser.esm.js');

/** Starts processes, bundles, or takes its time in another way: kept out of the quick part. */
const SLOW = [
  'tests/conformance/**/*.test.ts',
  'tests/cli/process.test.ts',
  'tests/protocol/build-validators.test.ts',
  'tests/architecture/bundles.test.ts',
  'tests/tooling/exclusively.test.ts',
  'tests/contract/local.test.ts',
  'tests/aicontrol/commands.test.ts',
];
/** Runs alone, one file after the other. */
const LAST = ['tests/chaos/**/*.test.ts', 'tests/browser/**/*.test.ts', 'tests/fuzz/**/*.test.ts', 'tests/package/**/*.test.ts'];
/** Which projects run first when several are asked for: those that want the whole machine, each in its own way, do not share it. */
const ORDER = { unit: 0, others: 1, browser: 2 };
/** Generous, for a machine that runs everything four times over. */
const PATIENT = { testTimeout: 60_000, hookTimeout: 60_000 };

/** `unit` is the quick part and `slow` the rest of its kind; `phaser3` and `phaser4` run the same files on both engines in Node; `browser` drives a real Chromium. */
export default defineConfig({
  test: {
    // Runs side by side would write over one another's.
    cache: false,
    projects: [
      {
        resolve: { alias: { ...alias, phaser: phaser4 } },
        // Nothing here changes what another file sees, and loading every module once takes a third of the time.
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/phaser/**', ...SLOW, ...LAST],
          ...PATIENT,
          pool: 'threads',
          isolate: false,
          maxWorkers: '100%',
          sequence: { groupOrder: ORDER.unit },
        },
      },
      {
        resolve: { alias: { ...alias, phaser: phaser4 } },
        test: { name: 'slow', include: SLOW, ...PATIENT, sequence: { groupOrder: ORDER.others } },
      },
      ...[
        ['phaser4', phaser4],
        ['phaser3', phaser3],
      ].map(([name, phaser]) => ({
        resolve: { alias: { ...alias, phaser: phaser as string } },
        test: {
          name: name as string,
          include: ['tests/phaser/**/*.test.ts'],
          ...PATIENT,
          sequence: { groupOrder: ORDER.others },
          // Node reads the engine as it is, in a tenth of the time that transforming it takes.
          server: { deps: { external: [/phaser\.esm\.js/] } },
        },
      })),
      {
        resolve: { alias: { ...alias, phaser: phaser4 } },
        test: {
          name: 'browser',
          include: LAST,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: ORDER.browser },
        },
      },
    ],
  },
});
