import type { Clock } from '../../base/clock.ts';
import { CLOSE_CODES } from '../../protocol/index.ts';
import { SUBPROTOCOLS } from '../../protocol/subprotocols.ts';
import { nodeWebSocketChannel } from '../../transport/node.ts';
import { GameConnection, type LinkRegistry } from '../game-connection.ts';
import type { RelayDoor } from '../relay-door.ts';
import type { RelayLimits } from '../relay-limits.ts';

export interface GameDoorOptions {
  registry: LinkRegistry;
  clock: Clock;
  limits: RelayLimits;
  log: (line: string) => void;
}

export interface GameDoor extends RelayDoor {
  /** Games that are connected, whether they have said hello or not. */
  readonly games: ReadonlySet<GameConnection>;
}

/** Game pages, at `/game`: one WebSocket for all sessions of a page. */
export function gameDoor(options: GameDoorOptions): GameDoor {
  const { limits } = options;
  const games = new Set<GameConnection>();

  /** A game says hello at once: one that is silent for long gives way to a new one. */
  const makeRoom = (): void => {
    const silent = [...games].filter((game) => !game.hasJoined);
    if (silent.length >= limits.unopened) silent[0]?.close(CLOSE_CODES.tryAgainLater, 'Too many games have said no hello yet: try again.');
  };

  return {
    name: 'game',
    games,
    webSocket: {
      path: '/game',
      subprotocol: SUBPROTOCOLS.game,
      messageBytes: limits.gameFrameBytes,
      for: 'games',
      accept(ws, socket) {
        const channel = nodeWebSocketChannel(ws, socket);
        makeRoom();
        const game: GameConnection = new GameConnection({ ...options, channel, socket, onClosed: () => games.delete(game) });
        games.add(game);
      },
    },
    hangUp(code, reason) {
      for (const game of [...games]) game.close(code, reason);
    },
  };
}
