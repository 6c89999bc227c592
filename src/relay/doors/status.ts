import type { Agents } from '../agents.ts';
import { answer } from '../answers.ts';
import type { Connections } from '../connections.ts';
import type { GameConnection } from '../game-connection.ts';
import { metricsOf, metricsText } from '../metrics.ts';
import type { RelayDoor } from '../relay-door.ts';
import type { Worlds } from '../worlds.ts';

const METRICS_FORMAT = { 'Content-Type': 'text/plain;version=0.0.4;charset=utf-8' };

export interface StatusDoorOptions {
  worlds: Worlds;
  agents: Agents;
  games: Iterable<GameConnection>;
  connections: Connections;
}

/** What the relay tells about itself: `/healthz`, `/worlds` and `/metrics`. */
export function statusDoor({ agents, connections, games, worlds }: StatusDoorOptions): RelayDoor {
  const route = { methods: ['GET', 'HEAD'], bodyBytes: 0 } as const;
  return {
    name: 'status',
    routes: [
      {
        ...route,
        path: '/healthz',
        token: 'none',
        handle({ principal, request, response }) {
          // That the relay lives is for everyone; how much goes on is for those who may enter.
          const counts = principal && { worlds: worlds.size, agents: agents.all.filter((door) => door.isOpen).length };
          answer(request, response, 200, { ok: true, ...counts });
        },
      },
      {
        ...route,
        path: '/worlds',
        token: 'agent',
        handle: ({ principal, request, response }) => answer(request, response, 200, worlds.list(principal?.characters)),
      },
      {
        ...route,
        path: '/metrics',
        token: 'agent',
        handle({ request, response }) {
          const metrics = metricsOf({ worlds: worlds.size, agents: agents.all, games: [...games], connections: connections.counts });
          answer(request, response, 200, metricsText(metrics), METRICS_FORMAT);
        },
      },
    ],
  };
}
