import { DEFAULT_URLS } from '../protocol/default-addresses.ts';
import { bearerProtocol, SUBPROTOCOLS } from '../protocol/subprotocols.ts';
import type { OpeningOptions } from './open-session.ts';

/** What a URL's query can say (AICC B1), so an option beside it would be a second word on the same thing. */
const IN_QUERY = ['world', 'character', 'model', 'subscribe', 'offer', 'waitMs', 'observe'] as const;

/**
 * @returns the URL, and whether its query is the opening already, so that no connect line may follow
 * @throws {TypeError} for what is no ws: or wss: URL, a token in it, or options beside a query
 */
export function checkUrl(text: string, options: OpeningOptions): { url: string; opened: boolean } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError(`"${text}" is not a URL; an agent's looks like ${DEFAULT_URLS.agent}`);
  }
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') throw new TypeError(`"${text}" must begin with ws:// or wss://`);
  if (url.searchParams.has('token')) throw new TypeError('a token must not be in the URL, where logs would keep it: pass it as `token`');
  const opened = url.search !== '';
  const twice = IN_QUERY.find((name) => options[name] !== undefined);
  if (opened && twice !== undefined)
    throw new TypeError(`say \`${twice}\` either in the URL's query or as an option: with a query, it all goes there`);
  return { url: text, opened };
}

/** The same place without what the first opening asked for there. */
export function withoutQuery(text: string): string {
  const url = new URL(text);
  url.search = '';
  return url.href;
}

/**
 * What a WebSocket is asked for when a token goes with it (AICC B5).
 * @throws {TypeError} for a token with characters that cannot travel there
 */
export function bearerProtocols(token: string | undefined): string[] {
  return token === undefined ? [] : [SUBPROTOCOLS.agent, bearerProtocol(token)];
}
