import type { GameLinkOptions } from './game-link.ts';

/**
 * Loads the code that speaks to a relay and keeps the world connected by it: a game that reaches no relay never loads it.
 * @returns the way to close the connection, or to give it up while it is loading
 */
export function loadGameLink(options: GameLinkOptions): () => void {
  let close: (() => void) | undefined;
  let closed = false;
  import('./game-link.ts').then(
    ({ openGameLink }) => {
      if (!closed) close = openGameLink(options);
    },
    (error: unknown) =>
      options.log?.(`aicc: no agent can reach this game, because the code of the relay's link could not be loaded: ${error}`),
  );
  return () => {
    closed = true;
    close?.();
  };
}
