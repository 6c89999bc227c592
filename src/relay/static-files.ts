import { readFile, realpath } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import sirv from 'sirv';
import { RelayError } from './relay-error.ts';

/** Tells the game where its relay is; the plugin derives the address from the page's own. */
const META = '<meta name="aicc-relay" content="/game">';

export type StaticFiles = (request: IncomingMessage, response: ServerResponse, notFound: () => void) => Promise<void>;

/**
 * Serves the files below one real directory (H). Dotfiles, encoded dots and links that lead out are not there. HTML pages are told about the relay.
 * @throws RelayError `bad_static_dir`
 */
export async function serveStatic(directory: string): Promise<StaticFiles> {
  const root = await realpath(directory).catch(() => {
    throw new RelayError('bad_static_dir', `There is no directory ${directory} to serve: build the demo first (npm run build:demo).`);
  });
  const serve = sirv(root, { dev: true, etag: true, extensions: [] });

  return async (request, response, notFound) => {
    const path = safePath(request.url ?? '');
    const file = path && (await realFile(root, path));
    if (!path || !file) {
      notFound();
    } else if (file.endsWith('.html')) {
      await sendPage(file, request, response);
    } else {
      request.url = encodeURI(path);
      // The library takes any two numbers for a range and throws when they cross.
      if (!isPlainRange(request.headers.range)) delete request.headers.range;
      serve(request, response, notFound);
    }
  };
}

/** The decoded path, when nothing about it is odd: no dotfile, no encoded dot, slash or percent sign, no empty step. */
function safePath(url: string): string | undefined {
  const raw = url.split(/[?#]/, 1)[0] as string;
  if (!raw.startsWith('/') || /%2e/i.test(raw)) return undefined;
  try {
    const path = decodeURI(raw);
    return /[%\\\p{Cc}]|\/\.|\/\//u.test(path) ? undefined : path;
  } catch {
    return undefined;
  }
}

/** The real file behind a path, if it lies below the root without a dotfile on the way. A directory's is its index.html. */
async function realFile(root: string, path: string): Promise<string | undefined> {
  try {
    const file = await realpath(join(root, path.endsWith('/') ? `${path}index.html` : path));
    const inside = relative(root, file);
    return inside === '' || inside.split(sep).some((step) => step.startsWith('.')) ? undefined : file;
  } catch {
    return undefined;
  }
}

async function sendPage(file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const html = await readFile(file, 'utf8');
  const head = /<head[^>]*>/i.exec(html);
  const at = head === null ? 0 : head.index + head[0].length;
  const page = html.slice(0, at) + META + html.slice(at);
  response.writeHead(200, {
    'Content-Type': 'text/html;charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Cache-Control': 'no-cache',
  });
  response.end(request.method === 'HEAD' ? undefined : page);
}

function isPlainRange(range: string | undefined): boolean {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  return from !== undefined && (to === '' || Number(from) <= Number(to));
}
