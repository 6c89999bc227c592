/** The names that a WebSocket is asked for by its client, by what is on it (AICC B5). */
export const SUBPROTOCOLS = {
  /** An agent's connection. */
  agent: 'aicc.v0.1',
  /** A game page's link to its relay. */
  game: 'aicc-game.v1',
  /** Begins the one that carries a token; the server selects another. */
  bearer: 'aicc.bearer.',
} as const;

/**
 * The one that carries a token (AICC B5).
 * @throws {TypeError} for a token with characters that cannot travel there
 */
export function bearerProtocol(token: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(token)) throw new TypeError("a token may have only letters, digits and !#$%&'*+-.^_`|~");
  return SUBPROTOCOLS.bearer + token;
}
