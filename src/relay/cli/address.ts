import { DEFAULT_URLS } from '../../protocol/default-addresses.ts';
import { UsageError } from './io.ts';

/** How to reach a relay. `http` is missing where only its TCP port is known. */
export interface Address {
  connect: { url: string } | { host: string; port: number };
  http?: URL;
}

const EXAMPLE = `it looks like ${DEFAULT_URLS.page}, ${DEFAULT_URLS.agent} or ${DEFAULT_URLS.tcp}`;

/**
 * Reads `--url`: the relay's page, its agent WebSocket or its TCP port.
 * @throws {UsageError}
 */
export function readAddress(text: string): Address {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`--url "${text}" is not a URL; ${EXAMPLE}`);
  }
  if (url.username || url.password || url.searchParams.has('token'))
    throw new UsageError('a token goes into AICC_TOKEN or --token-file, not into --url');
  if (url.search) throw new UsageError('--url takes no query; say --world, --character and --model instead');
  if (url.protocol === 'tcp:') {
    if (url.port === '') throw new UsageError(`--url "${text}" names no port; ${EXAMPLE}`);
    return { connect: { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) } };
  }
  const secure = { 'http:': '', 'ws:': '', 'https:': 's', 'wss:': 's' }[url.protocol];
  if (secure === undefined) throw new UsageError(`--url "${text}" is of no known kind; ${EXAMPLE}`);
  const base = url.pathname.replace(/\/(agent)?$/, '');
  return { connect: { url: `ws${secure}://${url.host}${base}/agent` }, http: new URL(`http${secure}://${url.host}${base}/`) };
}
