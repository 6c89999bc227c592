import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { choose, type Span } from './conditional-request.ts';

/** What a GET of one address gives. */
export interface Content {
  type: string;
  /** Bytes. */
  size: number;
  /** A strong validator, in quotes. */
  etag: string;
  modified: Date;
  /** An open file, which the caller closes, or the bytes themselves. */
  source: FileHandle | Buffer;
}

/** Answers a GET or HEAD with all of it, the part that is asked for, or that it has not changed. Resolves when the answer is over, however it ended. */
export async function sendContent(request: IncomingMessage, response: ServerResponse, content: Content): Promise<void> {
  const { etag, modified, size, type } = content;
  const choice = choose(request, content);
  response.setHeader('ETag', etag);
  response.setHeader('Last-Modified', modified.toUTCString());
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Accept-Ranges', 'bytes');
  if (choice.span === undefined) {
    if (choice.status === 416) response.setHeader('Content-Range', `bytes */${size}`);
    if (choice.status !== 304) response.setHeader('Content-Length', 0);
    response.writeHead(choice.status).end();
    return;
  }
  const { first, length } = choice.span;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', length);
  if (choice.status === 206) response.setHeader('Content-Range', `bytes ${first}-${first + length - 1}/${size}`);
  response.writeHead(choice.status);
  if (request.method === 'HEAD' || length === 0) response.end();
  else await sendBytes(response, content.source, choice.span);
}

/** A client that leaves or a file that cannot be read to the announced end breaks the connection off: there is no other way to say so any more. */
async function sendBytes(response: ServerResponse, source: FileHandle | Buffer, span: Span): Promise<void> {
  try {
    await pipeline(readerOf(source, span), (chunks: AsyncIterable<Buffer>) => wholly(chunks, span.length), response);
  } catch {
    response.destroy();
  }
}

function readerOf(source: FileHandle | Buffer, { first, length }: Span): Readable {
  if (Buffer.isBuffer(source)) return Readable.from([source.subarray(first, first + length)]);
  return source.createReadStream({ start: first, end: first + length - 1, autoClose: false });
}

async function* wholly(chunks: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let missing = length;
  for await (const chunk of chunks) {
    missing -= chunk.length;
    yield chunk;
  }
  if (missing > 0) throw new Error('The file has become shorter.');
}
