/** Where a relay listens, and is looked for, unless something else is said: on this machine alone. */
export const DEFAULT_HOST = '127.0.0.1';

/** A relay's ports. `http` is for WebSockets too, `tcp` for AICC over TCP. */
export const DEFAULT_PORTS = { http: 4750, tcp: 4751, aicontrol: 43011 } as const;

/** A relay's addresses: its page, where agents connect by WebSocket, and the same by TCP. */
export const DEFAULT_URLS = {
  page: `http://${DEFAULT_HOST}:${DEFAULT_PORTS.http}`,
  agent: `ws://${DEFAULT_HOST}:${DEFAULT_PORTS.http}/agent`,
  tcp: `tcp://${DEFAULT_HOST}:${DEFAULT_PORTS.tcp}`,
} as const;
