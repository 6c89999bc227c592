import type { ChildProcess } from 'node:child_process';
import { Agent, alternate, best, load, type Measured } from './agent.ts';
import { type Children, usage } from './children.ts';

/** One way from agents to a game, with the process in the middle. */
interface Way {
  port: number;
  child: ChildProcess;
}

export const WAYS = ['relay', 'forwarder'] as const;
export type Ways = Record<(typeof WAYS)[number], Way>;

/** The relay, and the bare forwarder as the limit. */
export async function startWays(children: Children): Promise<Ways> {
  const start = async (script: string): Promise<Way> => {
    const { told, child } = await children.start<{ port: number }>(script);
    return { port: told.port, child };
  };
  return { relay: await start('relay.ts'), forwarder: await start('forwarder.mjs') };
}

/** One agent on each way, once the game is there. */
export async function firstAgents(ways: Ways): Promise<Record<keyof Ways, Agent[]>> {
  return { relay: [await Agent.first(ways.relay.port)], forwarder: [await Agent.first(ways.forwarder.port)] };
}

/** What one way was measured at. `cpuUs`: microseconds of the middle process for one call. */
export interface Compared extends Measured {
  cpuUs: number;
}

const WARM_UP_MS = 1_000;

/** Loads both ways turn by turn, so that what else the machine does falls on none of them alone. */
export async function compare(
  ways: Ways,
  agents: Record<keyof Ways, readonly Agent[]>,
  inFlight: number,
  { ms = 400, rounds = 10 } = {},
): Promise<Record<keyof Ways, Compared>> {
  if (inFlight === 1) return oneByOne(ways, [agents.relay[0] as Agent, agents.forwarder[0] as Agent], ms * rounds);
  const all = { relay: [] as Measured[], forwarder: [] as Measured[] };
  const cpu = { relay: [] as number[], forwarder: [] as number[] };
  for (const way of WAYS) await load(agents[way], inFlight, WARM_UP_MS);
  for (let round = 0; round < rounds; round++) {
    for (const way of WAYS) {
      const { child } = ways[way];
      const before = await usage(child);
      const measured = await load(agents[way], inFlight, ms);
      const after = await usage(child);
      all[way].push(measured);
      cpu[way].push((after.cpuUs - before.cpuUs) / measured.calls);
    }
  }
  return {
    relay: { ...best(all.relay), cpuUs: Math.min(...cpu.relay) },
    forwarder: { ...best(all.forwarder), cpuUs: Math.min(...cpu.forwarder) },
  };
}

async function oneByOne(ways: Ways, agents: readonly [Agent, Agent], ms: number): Promise<Record<keyof Ways, Compared>> {
  const look = () => Promise.all(WAYS.map(async (way) => (await usage(ways[way].child)).cpuUs));
  await alternate(agents, WARM_UP_MS);
  const before = await look();
  const measured = await alternate(agents, ms);
  const after = await look();
  const [relay, forwarder] = measured.map((each, index) => ({
    ...each,
    cpuUs: ((after[index] as number) - (before[index] as number)) / each.calls,
  })) as [Compared, Compared];
  return { relay, forwarder };
}
