import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { entries } from '../../vite.config.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const TYPES: { [extension: string]: string } = { '.js': 'text/javascript', '.html': 'text/html', '.css': 'text/css' };
const ENGINES = { phaser4: 'phaser', phaser3: 'phaser3' } as const;

export interface ServedPage {
  /** Where it is. A path beginning with `/without/NAME/` is the same page on a server that has no file whose name contains NAME. */
  readonly url: string;
  /** The paths that were asked for, without the first slash. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Builds one script of `pages/` as a game's bundler would, and serves a page that runs it beside Phaser. */
export async function servePage(
  script: string,
  options: { engine?: keyof typeof ENGINES; headers?: OutgoingHttpHeaders } = {},
): Promise<ServedPage> {
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    base: './',
    resolve: { alias: entries },
    build: {
      write: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      rollupOptions: {
        input: here(`./pages/${script}`),
        external: ['phaser'],
        output: { entryFileNames: 'page.js', paths: { phaser: './phaser.js' } },
      },
    },
  })) as Rollup.RollupOutput;
  const files = new Map(built.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
  files.set('', '<!doctype html><meta charset="utf-8"><title>page</title><script type="module" src="./page.js"></script>');
  // What a game puts there by itself when its bundler leaves it no other way.
  files.set('beat.js', readFileSync(here('../../plugin/beat-worker.js')));
  const engine = here(`../../node_modules/${ENGINES[options.engine ?? 'phaser4']}/dist/phaser.esm.js`);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://here').pathname.slice(1);
    asked.push(path);
    const [, missing, within] = /^without\/([^/]+)\/(.*)$/.exec(path) ?? [];
    const name = within ?? path;
    const headers = { ...options.headers, 'content-type': TYPES[extname(name) || '.html'] ?? 'application/octet-stream' };
    if (name === 'phaser.js') {
      response.writeHead(200, headers);
      createReadStream(engine).pipe(response);
      return;
    }
    const file = missing !== undefined && name.includes(missing) ? undefined : files.get(name);
    response.writeHead(file === undefined ? 404 : 200, headers);
    response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
