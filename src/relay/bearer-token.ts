import type { IncomingMessage } from 'node:http';

const SUBPROTOCOL = 'aicc.bearer.';

/** B5: the token of a request, from its Authorization header or, where a browser cannot set one, from its list of subprotocols. */
export function bearerToken(request: IncomingMessage): string | undefined {
  const header = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  return (
    header ??
    subprotocols(request)
      .find((name) => name.startsWith(SUBPROTOCOL))
      ?.slice(SUBPROTOCOL.length)
  );
}

/** The WebSocket subprotocols that a client offers. */
export function subprotocols(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}
