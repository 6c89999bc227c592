import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isLong } from './tests/support/extent.ts';
import { entries } from './vite.config.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const alias = { ...entries, 'phaser-aicc/agent': here('./src/agent/node.ts') };
const phaser4 = here('./node_modules/phaser/dist/phaser.esm.js');
const phaser3 = here('./node_modules/phaser3/dist/phaser.esm.js');

/** Starts processes, bundles, or takes its time in another way: kept out of the quick part. */
const SLOW = [
  'tests/chaos/**/*.test.ts',
  'tests/conformance/**/*.test.ts',
  'tests/fuzz/**/*.test.ts',
  'tests/package/**/*.test.ts',
  'tests/cli/process.test.ts',
  'tests/protocol/build-validators.test.ts',
  'tests/architecture/bundles.test.ts',
  'tests/tooling/exclusively.test.ts',
  'tests/contract/local.test.ts',
  'tests/aicontrol/commands.test.ts',
];
const PHASER = ['tests/phaser/**/*.test.ts'];
/** One file after the other: a browser wants the whole machine. */
const BROWSER = ['tests/browser/**/*.test.ts'];
/** What goes on for longer under `npm run test:long` (`isLong`), which runs nothing else. */
const LONGER = {
  slow: ['tests/chaos/chaos.test.ts', 'tests/fuzz/relay.test.ts'],
  phaser: ['tests/phaser/demo-seeds.test.ts'],
  browser: ['tests/browser/hidden-tab.test.ts'],
};
/** Which projects run first when several are asked for: those of one number share the machine. */
const ORDER = { unit: 0, others: 1, browser: 2 };
/** Generous, for a machine that runs everything four times over. */
const PATIENT = { testTimeout: 120_000, hookTimeout: 120_000 };
/** Vitest would leave one core to itself, which on two is half of the machine. */
const ALL_CORES = { maxWorkers: '100%' };

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
          exclude: [...PHASER, ...SLOW, ...BROWSER],
          ...PATIENT,
          pool: 'threads',
          isolate: false,
          ...ALL_CORES,
          sequence: { groupOrder: ORDER.unit },
        },
      },
      {
        resolve: { alias: { ...alias, phaser: phaser4 } },
        test: { name: 'slow', include: isLong ? LONGER.slow : SLOW, ...PATIENT, ...ALL_CORES, sequence: { groupOrder: ORDER.others } },
      },
      ...[
        ['phaser4', phaser4],
        ['phaser3', phaser3],
      ].map(([name, phaser]) => ({
        resolve: { alias: { ...alias, phaser: phaser as string } },
        test: {
          name: name as string,
          include: isLong ? LONGER.phaser : PHASER,
          ...PATIENT,
          ...ALL_CORES,
          isolate: false,
          sequence: { groupOrder: ORDER.others },
          // Node reads the engine as it is, in a tenth of the time that transforming it takes.
          server: { deps: { external: [/phaser\.esm\.js/] } },
        },
      })),
      {
        resolve: { alias: { ...alias, phaser: phaser4 } },
        test: {
          name: 'browser',
          include: isLong ? LONGER.browser : BROWSER,
          ...PATIENT,
          fileParallelism: false,
          sequence: { groupOrder: ORDER.browser },
        },
      },
    ],
  },
});
