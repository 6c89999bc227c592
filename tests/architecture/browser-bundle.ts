import { isBuiltin } from 'node:module';
import { build, type Plugin } from 'vite';
import { entries } from '../../vite.config.ts';

/** What a remote path cannot do without: a socket, or the address of the relay. */
export const REMOTE = /\bWebSocket\b|\/game\b|aicc-relay/g;
export const LOOPBACK = /127\.0\.0\.1|localhost|\[::1\]/g;

/** Each place with what stands around it: a bundle is too long to be shown whole. */
export const placesOf = (pattern: RegExp, code: string) =>
  [...code.matchAll(pattern)].map(({ index }) => code.slice(Math.max(0, index - 60), index + 60));

/** What a game's bundler makes of it, with Phaser left out. */
export interface BrowserBundle {
  code: string;
  /** Node built-ins in it, each as `name from importer`. */
  builtins: string[];
}

/**
 * Bundles a game for production.
 * @param source the game: one module
 * @param installedIn a folder where the package is installed; default: the sources here stand for it
 */
export async function bundleForBrowser(source: string, installedIn?: string): Promise<BrowserBundle> {
  const builtins: string[] = [];
  const game: Plugin = {
    name: 'a-game',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === 'virtual:game') return id;
      if (isBuiltin(id)) builtins.push(`${id} from ${importer}`);
      return undefined;
    },
    load: (id) => (id === 'virtual:game' ? source : undefined),
  };
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    ...(installedIn === undefined ? { resolve: { alias: entries } } : { root: installedIn }),
    plugins: [game],
    build: {
      write: false,

      rolldownOptions: { input: 'virtual:game', external: ['phaser'], preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  return { code: outputs.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n'), builtins };
}
