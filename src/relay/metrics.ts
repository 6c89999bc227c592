/** One number that the relay tells about itself. */
export interface Metric {
  name: string;
  help: string;
  /** A counter only grows. */
  type: 'gauge' | 'counter';
  value: number;
}

/** What a relay knows about itself. */
export interface RelayState {
  worlds: number;
  /** Bytes that each agent has not taken yet, and whether it has a session and is held (AICC F4). */
  agents: readonly { unreadBytes: number; isOpen: boolean; isHeld: boolean }[];
  /** The same of each game's connection. */
  games: readonly { unreadBytes: number; hasJoined: boolean }[];
  connections: { open: number; admitted: number; refused: number };
}

/** Numbers alone: no name of a world, a character or an agent is among them. */
export function metricsOf({ worlds, agents, games, connections }: RelayState): Metric[] {
  const unread = (all: readonly { unreadBytes: number }[]) => all.map(({ unreadBytes }) => unreadBytes);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const open = agents.filter(({ isOpen }) => isOpen);
  return [
    gauge('aicc_worlds', 'Games that are connected.', worlds),
    gauge('aicc_agents', 'Agents with a session.', open.length),
    gauge('aicc_agents_held', 'Agents with a session that take no more for now.', open.filter(({ isHeld }) => isHeld).length),
    gauge(
      'aicc_unopened',
      'Agents and games that have no session or world yet.',
      agents.length - open.length + games.filter(({ hasJoined }) => !hasJoined).length,
    ),
    gauge('aicc_agent_unread_bytes', 'Bytes that wait for agents.', sum(unread(agents))),
    gauge('aicc_agent_unread_bytes_max', 'Bytes that wait for the slowest agent.', Math.max(0, ...unread(agents))),
    gauge('aicc_game_unread_bytes', 'Bytes that wait for games.', sum(unread(games))),
    gauge('aicc_connections', 'Connections of every kind.', connections.open),
    { name: 'aicc_connections_admitted_total', help: 'Connections that were let in.', type: 'counter', value: connections.admitted },
    { name: 'aicc_connections_refused_total', help: 'Connections beyond the bounds.', type: 'counter', value: connections.refused },
    gauge('process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
  ];
}

const gauge = (name: string, help: string, value: number): Metric => ({ name, help, type: 'gauge', value });

/** The text format that Prometheus reads. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(({ name, help, type, value }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`).join('');
}
