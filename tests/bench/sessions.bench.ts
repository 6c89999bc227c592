import { Agent } from './wire/agent.ts';
import { Children, usage } from './wire/children.ts';
import { compare, firstAgents, startWays, WAYS } from './wire/ways.ts';

export const name = 'sessions';

const COUNTS = [1, 10, 100, 1_000];
const IN_FLIGHT = 64;
/** Sessions that are opened at a time: a relay takes 64 that are not open yet. */
const AT_ONCE = 32;

/** 1, 10, 100 and 1,000 sessions on one relay: what each costs it, and whether many are slower than few, beside a bare forwarder. */
export async function run() {
  const children = new Children();
  try {
    const ways = await startWays(children);
    for (const { port } of Object.values(ways)) await children.start('node-game.ts', `ws://127.0.0.1:${port}/game`);
    const agents = await firstAgents(ways);
    const results: { sessions: number; relay: object; forwarder: object; kibEach: number | undefined }[] = [];
    const rows: (string | number)[][] = [];
    let alone = 0;
    for (const sessions of COUNTS) {
      for (const way of WAYS) await openUpTo(sessions, agents[way], ways[way].port);
      const compared = await compare(ways, agents, IN_FLIGHT, { rounds: 6 });
      // Every session has been used when it is weighed.
      const { bytes } = await usage(ways.relay.child, 'weigh');
      if (sessions === 1) alone = bytes;
      const kibEach = sessions === 1 ? undefined : (bytes - alone) / (sessions - 1) / 1_024;
      const { relay, forwarder } = compared;
      results.push({ sessions, ...compared, kibEach });
      rows.push([
        sessions,
        Math.round(relay.perSecond),
        Math.round(forwarder.perSecond),
        (relay.perSecond / forwarder.perSecond).toFixed(2),
        relay.cpuUs.toFixed(1),
        forwarder.cpuUs.toFixed(1),
        kibEach === undefined ? '' : kibEach.toFixed(1),
      ]);
    }
    return {
      columns: ['sessions', 'calls per second', 'forwarder', 'ratio', 'µs of the relay', 'of the forwarder', 'KiB each'],
      rows,
      notes: [`${IN_FLIGHT} calls under way, however many sessions share them.`],
      data: { results },
    };
  } finally {
    children.stop();
  }
}

async function openUpTo(count: number, agents: Agent[], port: number): Promise<void> {
  while (agents.length < count) {
    const more = Math.min(AT_ONCE, count - agents.length);
    agents.push(...(await Promise.all(Array.from({ length: more }, () => Agent.open(port)))));
  }
}
