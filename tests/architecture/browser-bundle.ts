import { isBuiltin } from 'node:module';
import { build, type Plugin } from 'vite';
import { entries } from '../../vite.config.ts';

/** What a remote path cannot do without: a socket, or the address of the relay. */
export const REMOTE = /\bWebSocket\b|\/game\b|aicc-relay/g;
/** What errors of the agent SDK are called, and a word of the library for behaviour trees. */
export const SDK = /\bCallError\b/g;
export const BEHAVIOUR_TREES = /mistreevous/g;
export const LOOPBACK = /127\.0\.0\.1|localhost|\[::1\]/g;

/** Each place with what stands around it: a bundle is too long to be shown whole. */
export const placesOf = (pattern: RegExp, code: string) =>
  [...code.matchAll(pattern)].map(({ index }) => code.slice(Math.max(0, index - 60), index + 60));

/** What a game's bundler makes of it, with Phaser left out. */
export interface BrowserBundle {
  /** All of it, what is loaded on demand included. */
  code: string;
  /** What must be there before the game starts. */
  initial: string;
  /** What is loaded only when it is needed. */
  onDemand: string;
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
      // What the bundler itself adds once for all that an app loads on demand is not ours.
      modulePreload: false,
      rolldownOptions: { input: 'virtual:game', external: ['phaser'], preserveEntrySignatures: 'strict' },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const chunks = outputs.filter((file) => file.type === 'chunk');
  const needed = new Set<string>();
  const need = (name: string) => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (chunk === undefined || needed.has(name)) return;
    needed.add(name);
    chunk.imports.forEach(need);
  };
  for (const { fileName, isEntry } of chunks) if (isEntry) need(fileName);
  const join = (some: typeof chunks) => some.map(({ code }) => code).join('\n');
  return {
    code: join(chunks),
    initial: join(chunks.filter(({ fileName }) => needed.has(fileName))),
    onDemand: join(chunks.filter(({ fileName }) => !needed.has(fileName))),
    builtins,
  };
}
