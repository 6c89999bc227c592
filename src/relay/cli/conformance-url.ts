import { DEFAULT_URLS } from '../../protocol/default-addresses.ts';
import { UsageError } from './io.ts';

const EXAMPLE = `it looks like ${DEFAULT_URLS.agent}?character=mira or ${DEFAULT_URLS.tcp}?character=mira`;

/** Where the bridge under test is, and who is to be driven there. */
export interface ConformanceAddress {
  at: { url: string } | { host: string; port: number };
  world: string | undefined;
  character: string | undefined;
}

/** @throws {UsageError} */
export function conformanceUrl(text: string): ConformanceAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`"${text}" is not a URL; ${EXAMPLE}`);
  }
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'world' && name !== 'character');
  if (unknown !== undefined || url.username || url.password)
    throw new UsageError(
      `the URL may ask for world and character only, not "${unknown ?? 'a user'}"; a token goes into AICC_TOKEN or --token-file`,
    );
  const where = { world: url.searchParams.get('world') ?? undefined, character: url.searchParams.get('character') ?? undefined };
  switch (url.protocol) {
    case 'tcp:':
      if (url.port === '') throw new UsageError(`"${text}" names no port; ${EXAMPLE}`);
      return { at: { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) }, ...where };
    case 'ws:':
    case 'wss:':
      url.search = '';
      return { at: { url: url.href }, ...where };
    default:
      throw new UsageError(`"${text}" is of no known kind; ${EXAMPLE}`);
  }
}
