/** Where the relay is. */
export interface LinkOptions {
  /** The relay's game address, like `wss://relay.example/game`, or a path on the page's own server. Default: what the page says, else no connection. */
  relay?: string | undefined;
  /** The secret that the relay wants from games; asked at every connecting. */
  token?: (() => string) | undefined;
}

/**
 * The WebSocket address that was given or that the page names.
 * @returns undefined: no connection is wanted
 * @throws TypeError when `relay` is no address or `token` no function, or there is nothing here to reach it with
 */
export function relayUrl({ relay, token }: LinkOptions): string | undefined {
  if (token !== undefined && typeof token !== 'function')
    throw new TypeError("aicc({ token }): token must be a function that returns the token, like () => 'secret'");
  const named = relay ?? pageRelay();
  if (named === undefined || named === '') return undefined;
  const wrong = () =>
    new TypeError(
      `aicc({ relay: '${String(named)}' }): relay must be a WebSocket address (ws: or wss:), like 'wss://relay.example/game', or a path of this page's server, like '/game'`,
    );
  // Without a scheme a host would be taken for a file beside the page.
  if (typeof named !== 'string' || !/^(?:[a-z]+:\/\/|\.{0,2}\/)/i.test(named)) throw wrong();
  let url: URL;
  try {
    url = new URL(named, typeof location === 'undefined' ? undefined : location.href);
  } catch {
    throw wrong();
  }
  url.protocol = url.protocol.replace('http', 'ws');
  if (!/^wss?:/.test(url.protocol)) throw wrong();
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
