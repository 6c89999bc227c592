import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { lookup } from 'mrmime';
import { RelayError } from './relay-error.ts';
import { type Content, sendContent } from './send-content.ts';

/** Tells the game where its relay is; the plugin derives the address from the page's own. */
const META = '<meta name="aicc-relay" content="/game">';
/** A larger page is sent as it is: to be told about the relay it is read whole. */
const PAGE_BYTES = 8_388_608;

/** Without `O_NONBLOCK` opening a FIFO waits for its writer, on a thread of Node's pool. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Error codes of a file system that is asked too much. All other errors mean that the file is not to be had. */
const OVERLOADED: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM'];

export type StaticFiles = (request: IncomingMessage, response: ServerResponse, notFound: () => void) => Promise<void>;

/**
 * Serves the files below one real directory (H8). Dotfiles, encoded dots and links that lead out are not there. HTML pages are told about the relay.
 * @throws RelayError `bad_static_dir`
 */
export async function serveStatic(directory: string): Promise<StaticFiles> {
  const root = await realpath(directory).catch(() => {
    throw new RelayError('bad_static_dir', `There is no directory ${directory} to serve: build the demo first (npm run build:demo).`);
  });

  return async (request, response, notFound) => {
    const path = safePath(request.url ?? '');
    const file = path && (await realFile(root, path));
    const handle = file && (await openFile(file));
    if (!handle) return notFound();
    try {
      const content = await contentOf(handle, file);
      if (content === undefined) notFound();
      else await sendContent(request, response, content);
    } finally {
      await handle.close();
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

/** @returns undefined: the file cannot be read. @throws when the system has no room for another open file */
async function openFile(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, FLAGS);
  } catch (error) {
    if (OVERLOADED.includes((error as NodeJS.ErrnoException).code)) throw error;
    return undefined;
  }
}

/** What is asked of the open file, so that a rebuild of the folder cannot change the answer. Undefined: it is no ordinary file. */
async function contentOf(handle: FileHandle, file: string): Promise<Content | undefined> {
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile()) return undefined;
  const size = Number(stats.size);
  const version = `${stats.size.toString(16)}-${stats.mtimeNs.toString(16)}`;
  const modified = new Date(Number(stats.mtimeMs));
  if (file.endsWith('.html') && size <= PAGE_BYTES) {
    const page = Buffer.from(toldOfRelay(await handle.readFile('utf8')));
    return { type: 'text/html;charset=utf-8', size: page.length, etag: `"${version}-r"`, modified, source: page };
  }
  return { type: typeOf(file), size, etag: `"${version}"`, modified, source: handle };
}

function typeOf(file: string): string {
  const type = lookup(file) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type};charset=utf-8` : type;
}

function toldOfRelay(html: string): string {
  const head = /<head[^>]*>/i.exec(html);
  const at = head === null ? 0 : head.index + head[0].length;
  return html.slice(0, at) + META + html.slice(at);
}
