import type { IncomingMessage } from 'node:http';

/** Bytes of a content: the number of the first one, and how many. */
export interface Span {
  first: number;
  length: number;
}

/** What a GET or HEAD is answered with (RFC 9110, 13 and 14). Without `span`: headers alone. */
export type Choice = { status: 200 | 206; span: Span } | { status: 304 | 412 | 416; span?: undefined };

interface Version {
  size: number;
  etag: string;
  modified: Date;
}

/** Weighs a request's conditions and range against what there is. */
export function choose({ headers, method }: IncomingMessage, version: Version): Choice {
  const { size } = version;
  if (hasAnotherVersion(headers, version)) return { status: 412 };
  if (isKnown(headers, version)) return { status: 304 };
  const whole: Choice = { status: 200, span: { first: 0, length: size } };
  const isWanted = method === 'GET' && mayBePart(headers['if-range'], version);
  const range = isWanted && /^bytes=(\d*)-(\d*)$/.exec((headers.range ?? '').trim());
  if (!range) return whole;
  const [, from, to] = range as unknown as [string, string, string];
  if (from === '' ? to === '' : to !== '' && Number(from) > Number(to)) return whole;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  return first > last ? { status: 416 } : { status: 206, span: { first, length: last - first + 1 } };
}

type Headers = IncomingMessage['headers'];

function hasAnotherVersion(headers: Headers, { etag, modified }: Version): boolean {
  if (headers['if-match'] !== undefined) return !names(headers['if-match'], etag, false);
  const since = seconds(headers['if-unmodified-since']);
  return since !== undefined && wholeSeconds(modified) > since;
}

function isKnown(headers: Headers, { etag, modified }: Version): boolean {
  if (headers['if-none-match'] !== undefined) return names(headers['if-none-match'], etag, true);
  const since = seconds(headers['if-modified-since']);
  return since !== undefined && wholeSeconds(modified) <= since;
}

function mayBePart(ifRange: string | string[] | undefined, { etag, modified }: Version): boolean {
  if (typeof ifRange !== 'string') return true;
  return ifRange.includes('"') ? ifRange.trim() === etag : seconds(ifRange) === wholeSeconds(modified);
}

/** Whether a list of entity tags has this one. `weakly`: a cache in between may have weakened it. */
function names(list: string, etag: string, weakly: boolean): boolean {
  const tags = list.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(etag) || (weakly && tags.includes(`W/${etag}`));
}

function seconds(date: string | undefined): number | undefined {
  const ms = Date.parse(date ?? '');
  return Number.isNaN(ms) ? undefined : ms / 1_000;
}

const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000);
