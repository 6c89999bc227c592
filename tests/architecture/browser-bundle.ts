import { isBuiltin } from 'node:module';
import { build, type Plugin } from 'vite';
import { entries } from '../../vite.config.ts';

/** What a game's bundler makes of one public entry, with Phaser left out. */
export interface BrowserBundle {
  code: string;
  /** Node built-ins in it, each as `name from importer`. */
  builtins: string[];
}

/** Bundles what a game that imports everything from `source` ships. `source` is a public entry or a module of its own. */
export async function bundleForBrowser(source: string): Promise<BrowserBundle> {
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
    resolve: { alias: entries },
    plugins: [game],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: 'virtual:game', external: ['phaser'], preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  return { code: outputs.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n'), builtins };
}
