// @ts-check
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * A path below the project's root.
 * @param {...string} parts
 */
export const below = (...parts) => join(ROOT, ...parts);

/** Held while dependencies are installed or something is built, so that runs side by side do it once. */
export const BUILD_LOCK = below('.cache', 'build.lock');
