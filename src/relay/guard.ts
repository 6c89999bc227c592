import type { IncomingMessage } from 'node:http';
import { isLoopback, urlHost } from './addresses.ts';

export interface GuardOptions {
  /** What the relay listens on. */
  host: string;
  /** Further names the relay may be called by: `name` or `name:port`. */
  allowedHosts: readonly string[];
  /** Origins of pages elsewhere that may speak to it: `https://play.example`. */
  allowedOrigins: readonly string[];
}

/**
 * H7: keeps pages from elsewhere out. `Host` must be a name that is ours (else a name that somebody points at this machine would do), and
 * `Origin`, where a browser sends it, a page of ours, of this machine, or allowed. Gives one sentence when a request must not pass.
 */
export function refusedByGuard(request: IncomingMessage, options: GuardOptions): string | undefined {
  const { host, origin } = request.headers;
  if (host === undefined || !isOwnHost(host, request.socket.localAddress, options))
    return 'This Host is not served here: see --allow-host.';
  if (origin !== undefined && !isAllowedOrigin(origin, host, options)) return 'Pages of this Origin may not connect: see --allow-origin.';
  return undefined;
}

function isOwnHost(host: string, localAddress: string | undefined, { host: own, allowedHosts }: GuardOptions): boolean {
  const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?$/i.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const address = localAddress?.replace(/^::ffff:/, '');
  const names = [own, ...(address === undefined ? [] : [address])].map((each) => urlHost(each).toLowerCase());
  return isLoopback(name) || names.includes(name) || allowedHosts.some((each) => [name, host.toLowerCase()].includes(each.toLowerCase()));
}

function isAllowedOrigin(origin: string, host: string, { allowedOrigins }: GuardOptions): boolean {
  // `null`, the origin of sandboxed and local pages, is no URL.
  if (!/^https?:\/\/[^/]+$/i.test(origin) || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (isLoopback(url.hostname)) return true;
  const own = `${url.protocol}//${host}`;
  return (URL.canParse(own) && new URL(own).host === url.host) || allowedOrigins.some((each) => each.toLowerCase() === url.origin);
}
