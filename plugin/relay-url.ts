/** Where the relay is. */
export interface LinkOptions {
  /** The relay's game address, like `wss://relay.example/game`, or a path on the page's own server. Default: what the page says, else no connection. */
  relay?: string;
  /** The secret that the relay wants from games; asked at every connecting. */
  token?: () => string;
}

/**
 * The WebSocket address that was given or that the page names.
 * @returns undefined: no connection is wanted
 * @throws TypeError when `relay` is no address, or there is nothing here to reach it with
 */
export function relayUrl({ relay }: LinkOptions): string | undefined {
  const named = relay ?? pageRelay();
  if (named === undefined || named === '') return undefined;
  let url: URL;
  try {
    url = new URL(named, typeof location === 'undefined' ? undefined : location.href);
  } catch {
    throw new TypeError(`aicc({ relay: '${named}' }): relay must be an address like 'wss://relay.example/game'`);
  }
  if (url.protocol === 'http:') url.protocol = 'ws:';
  if (url.protocol === 'https:') url.protocol = 'wss:';
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw new TypeError(`aicc({ relay: '${named}' }): relay must be a WebSocket address (ws: or wss:)`);
  }
  if (typeof WebSocket === 'undefined') {
    throw new TypeError(
      "aicc({ relay }): there is no WebSocket here; in Node before 22 put `globalThis.WebSocket = (await import('ws')).WebSocket` first",
    );
  }
  url.hash = '';
  return url.href;
}

/** Our own server tells the pages it serves where it is. */
function pageRelay(): string | undefined {
  if (typeof document === 'undefined') return undefined;
  return document.querySelector('meta[name="aicc-relay"]')?.getAttribute('content') ?? undefined;
}
