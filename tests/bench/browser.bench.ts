import { chromiumPath } from '../browser/chromium.ts';
import { servePage } from '../browser/serve-page.ts';
import { openTabs } from '../browser/tabs.ts';
import type { BridgeCost } from './page/bridge-cost.ts';
import { load } from './wire/agent.ts';
import { Children } from './wire/children.ts';
import { compare, firstAgents, startWays, WAYS } from './wire/ways.ts';

export const name = 'browser';

const MANY = 512;
const MANY_MS = 3_000;

/** The same as `relay` to a Canvas game in headless Chromium; how many calls it takes at most and how many frames it paints then; the bridge's part. */
export async function run() {
  const children = new Children();
  const page = await servePage('../../bench/page/game.ts');
  // Not a page of Playwright's: it is told every frame of every WebSocket, which costs more than the frame itself.
  const tabs = await openTabs(await chromiumPath());
  try {
    const ways = await startWays(children);
    const games = WAYS.map((way) => `${way}=ws://127.0.0.1:${ways[way].port}/game`);
    const tab = await tabs.open(`${page.url}?${games.join('&')}`);
    const agents = await firstAgents(ways);
    const rows: (string | number)[][] = [];
    const results: { [what: string]: object } = {};
    const notes: string[] = [];
    for (const inFlight of [1, 64]) {
      const compared = await compare(ways, agents, inFlight);
      for (const way of WAYS) {
        const { perSecond, p50Ms } = compared[way];
        rows.push([`${way}, ${inFlight} in flight`, Math.round(perSecond), p50Ms.toFixed(3), '']);
      }
      const p50 = compared.relay.p50Ms / compared.forwarder.p50Ms;
      const perSecond = compared.relay.perSecond / compared.forwarder.perSecond;
      results[`${inFlight} in flight`] = { ...compared, ratios: { p50, perSecond } };
      notes.push(`relay / forwarder, ${inFlight} in flight: p50 ${p50.toFixed(2)}, calls a second ${perSecond.toFixed(2)}`);
    }
    const painted = () => tab.evaluate<number>('window.framesPainted()');
    for (const way of WAYS) {
      await load(agents[way], MANY, 1_000);
      const [before, began] = [await painted(), performance.now()];
      const measured = await load(agents[way], MANY, MANY_MS);
      const fps = (((await painted()) - before) / (performance.now() - began)) * 1_000;
      rows.push([`${way}, ${MANY} in flight`, Math.round(measured.perSecond), measured.p50Ms.toFixed(3), fps.toFixed(0)]);
      results[`${way}, ${MANY} in flight`] = { ...measured, fps };
    }
    const cost = await tab.evaluate<BridgeCost>('window.bridgeCost()');
    notes.push(
      `bridge in the page, a call: ${cost.whole.toFixed(1)} µs, of that ${cost.schemas.toFixed(1)} µs schema checks; beyond: ${cost.beyond.toFixed(1)} µs`,
    );
    return { columns: ['', 'calls per second', 'p50 ms', 'frames per second'], rows, notes, data: { ...results, bridge: cost } };
  } finally {
    await tabs.close();
    await page.close();
    children.stop();
  }
}
