import type { IncomingMessage } from 'node:http';
import { SUBPROTOCOLS } from '../protocol/subprotocols.ts';

/** B5: the token of a request, from its Authorization header or, where a browser cannot set one, from its list of subprotocols. */
export function bearerToken(request: IncomingMessage): string | undefined {
  const header = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  return (
    header ??
    subprotocols(request)
      .find((name) => name.startsWith(SUBPROTOCOLS.bearer))
      ?.slice(SUBPROTOCOLS.bearer.length)
  );
}

/** The WebSocket subprotocols that a client offers. */
export function subprotocols(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}
