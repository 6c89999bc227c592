// @ts-check
import { buildIfNeeded, DEMO, LIBRARY, VALIDATORS } from './build.mjs';
import { exclusively } from './exclusively.mjs';
import { installIfNeeded, linkCommand } from './install.mjs';
import { BUILD_LOCK } from './paths.mjs';

/**
 * Installs and builds what is missing or out of date, once for all that run side by side.
 * @param {'sources' | 'all'} what `sources`: enough to run from source; `all`: the library and the demo too
 * @param {(text: string) => void} say
 */
export function makeReady(what, say) {
  return exclusively(
    BUILD_LOCK,
    async () => {
      await installIfNeeded(say);
      await buildIfNeeded(what === 'all' ? [VALIDATORS, LIBRARY, DEMO] : [VALIDATORS], say);
      if (what === 'all') linkCommand();
    },
    () => say('Another start or test run is building; waiting for it …'),
  );
}
