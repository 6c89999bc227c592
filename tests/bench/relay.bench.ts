import { Children } from './wire/children.ts';
import { compare, firstAgents, startWays, WAYS } from './wire/ways.ts';

export const name = 'relay';

/** An agent calls a game in Node through the relay, and the same game through a bare forwarder, turn by turn in one run. */
export async function run() {
  const children = new Children();
  try {
    const ways = await startWays(children);
    for (const { port } of Object.values(ways)) await children.start('node-game.ts', `ws://127.0.0.1:${port}/game`);
    const agents = await firstAgents(ways);
    const rows: (string | number)[][] = [];
    const results: { [what: string]: object } = {};
    const notes: string[] = [];
    for (const inFlight of [1, 64]) {
      const compared = await compare(ways, agents, inFlight);
      const { relay, forwarder } = compared;
      for (const way of WAYS) {
        const { perSecond, p50Ms, cpuUs } = compared[way];
        rows.push([`${way}, ${inFlight} in flight`, Math.round(perSecond), p50Ms.toFixed(3), cpuUs.toFixed(1)]);
      }
      const ratios = {
        p50: relay.p50Ms / forwarder.p50Ms,
        perSecond: relay.perSecond / forwarder.perSecond,
        cpu: relay.cpuUs / forwarder.cpuUs,
      };
      results[`${inFlight} in flight`] = { ...compared, ratios };
      const { p50, perSecond, cpu } = ratios;
      notes.push(
        `relay / forwarder, ${inFlight} in flight: p50 ${p50.toFixed(2)}, calls a second ${perSecond.toFixed(2)}, processor ${cpu.toFixed(2)}`,
      );
    }
    return { columns: ['', 'calls per second', 'p50 ms', 'µs of the middle'], rows, notes, data: results };
  } finally {
    children.stop();
  }
}
