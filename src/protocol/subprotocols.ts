/** The names that a WebSocket is asked for by its client, by what is on it (AICC B5). */
export const SUBPROTOCOLS = {
  /** An agent's connection. */
  agent: 'aicc.v0.1',
  /** A game page's link to its relay. */
  game: 'aicc-game.v1',
  /** Begins the one that carries a token; the server selects another. */
  bearer: 'aicc.bearer.',
} as const;
