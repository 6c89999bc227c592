import type { Agent } from '../agent.ts';
import type { Case } from '../case.ts';
import { check, checkSame, fail, NotJudged } from '../failure.ts';
import { type JsonObject, outputOf } from '../messages.ts';
import type { Site } from '../site.ts';
import { easySensors, openTicking, QUICK } from './ticking.ts';

/** A stall may cost ticks (AICC E1), and a game may raise a trigger (E2): so often something else is allowed to have been the cause. */
const TRIES = 3;
/** Milliseconds for which a world is watched that should stand still. */
const STILL_MS = 300;
/** Milliseconds of world time by which a tick may be late, for it falls into a frame. */
const FRAME_MS = 100;
const CALLS_IN_A_ROW = 20;

const ticking = (mode: string) => (site: Site) => site.init.tick_mode === mode || `its world ticks ${site.init.tick_mode}`;
const periodOf = (site: Site) => 1_000 / site.init.tick_rate_hz;
const newest = (agent: Agent): number => Number(agent.events('tick').at(-1)?.payload?.tick);

async function tickFrom(agent: Agent, least: number): Promise<{ tick: number; time: number }> {
  const isIt = ({ payload, topic }: { topic?: string; payload?: JsonObject }) => topic === 'tick' && Number(payload?.tick) >= least;
  const { payload } = await agent.message(isIt, `tick ${least}`);
  return { tick: Number(payload?.tick), time: Number(payload?.time_ms) };
}

/** As much world time lies between two ticks as the rate says. */
async function keepsPace(site: Site): Promise<void> {
  const agent = await openTicking(site, QUICK);
  const period = periodOf(site);
  const count = Math.max(3, Math.ceil(site.init.tick_rate_hz));
  // The very first one came at once, in the middle of its tick.
  let from = await tickFrom(agent, Number((await agent.event('tick')).payload?.tick) + 1);
  for (let attempt = 1; ; attempt++) {
    await site.pass(count * period);
    const to = await tickFrom(agent, from.tick + count);
    const [passed, due] = [to.time - from.time, (to.tick - from.tick) * period];
    if (Math.abs(passed - due) <= Math.max(period, FRAME_MS)) return;
    if (attempt === TRIES) fail(`from tick ${from.tick} to tick ${to.tick} ${passed} ms of world time passed, not ${due}`);
    from = to;
  }
}

/** No tick comes, whatever is done meanwhile. */
async function standsStill(site: Site, agent: Agent, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = newest(agent);
    await meanwhile();
    await site.pass(STILL_MS);
    await agent.settled();
    if (newest(agent) === before) return;
    if (attempt === TRIES) fail(`the world went on from tick ${before} to tick ${newest(agent)}`);
  }
}

/** Sensors that answer in the turn in which they are asked: those of the snapshot. */
async function promptSensors(site: Site): Promise<string[]> {
  const agent = await site.open({ observe: true });
  const { meta } = await agent.call('cancel_call', { call_id: 'no such call' });
  await agent.leave();
  const { sensors = {} } = (meta?.snapshot ?? {}) as { sensors?: JsonObject };
  const easy = easySensors(site).filter(({ limits }) => limits === undefined);
  return easy.map(({ id }) => id).filter((id) => id in sensors);
}

export const TICK_MODES: Case[] = [
  {
    rule: 'E1',
    title: 'fixed: a tick comes every 1/rate s of world time',
    applies: ticking('fixed'),
    takesMs: 1_000,
    run: keepsPace,
  },
  {
    rule: 'E1',
    title: 'fixed: calls start at the next tick, in the order in which they came',
    applies: ticking('fixed'),
    tools: ['conformance_count'],
    async run(site) {
      const agent = await openTicking(site, QUICK);
      await agent.event('tick');
      const seen = newest(agent);
      const calls = [1, 2, 3].map(() => agent.start('conformance_count'));
      const results = await Promise.all(calls.map((call) => agent.result(call)));
      for (const { meta } of results) check(Number(meta?.tick) > seen, `a call that was sent in tick ${seen} ended in tick ${meta?.tick}`);
      const counts = results.map((result) => Number(outputOf(result).count));
      checkSame(
        counts,
        counts.map((_, index) => Number(counts[0]) + index),
        'the order in which they ran',
      );
    },
  },
  {
    rule: 'E2',
    title: 'event: the world stands still while nobody acts, and sensors read without moving it',
    applies: ticking('event'),
    takesMs: STILL_MS,
    async run(site) {
      const agent = await openTicking(site, QUICK);
      await agent.event('tick');
      await standsStill(site, agent, async () => {
        for (const { id } of easySensors(site)) await agent.call(id);
      });
    },
  },
  {
    rule: 'E2',
    title: 'event: a call that acts moves the world for as long as it takes, at least by one tick, and then it stands again',
    applies: ticking('event'),
    tools: ['conformance_wait'],
    takesMs: 2 * STILL_MS,
    async run(site) {
      const agent = await openTicking(site, QUICK);
      await agent.event('tick');
      for (const ms of [0, 300]) {
        const before = newest(agent);
        outputOf(await agent.call('conformance_wait', { ms }));
        await standsStill(site, agent);
        const [moved, due] = [newest(agent) - before, Math.max(1, Math.ceil(ms / periodOf(site)))];
        check(moved >= due && moved <= due + 1, `a call of ${ms} ms moved the world by ${moved} ticks, not by ${due}`);
      }
    },
  },
  {
    rule: 'E2',
    title: 'event: a call that comes while the world moves starts at the next tick',
    applies: ticking('event'),
    tools: ['conformance_echo', 'conformance_wait'],
    async run(site) {
      const agent = await openTicking(site, QUICK);
      await agent.event('tick');
      const moving = agent.start('conformance_wait', {});
      await tickFrom(agent, newest(agent) + 1);
      const seen = newest(agent);
      const result = await agent.call('conformance_echo', { text: 'hello' });
      outputOf(result);
      check(Number(result.meta?.tick) > seen, `a call that was sent in tick ${seen} ended in tick ${result.meta?.tick}`);
      outputOf(await agent.call('cancel_call', { call_id: moving }));
    },
  },
  {
    rule: 'E2',
    title: 'event: nothing moves while a tool waits for something outside the world',
    applies: ticking('event'),
    tools: ['conformance_outside'],
    takesMs: STILL_MS,
    async run(site) {
      const agent = await openTicking(site, QUICK);
      await agent.event('tick');
      const before = newest(agent);
      const call = agent.start('conformance_outside', { ms: STILL_MS });
      await site.pass(STILL_MS + 100);
      const result = await agent.result(call);
      outputOf(result);
      const moved = Number(result.meta?.tick) - before;
      check(moved <= 1, `the world moved by ${moved} ticks meanwhile`);
    },
  },
  {
    rule: 'E3',
    title: 'hybrid: a tick comes every 1/rate s of world time',
    applies: ticking('hybrid'),
    takesMs: 1_000,
    run: keepsPace,
  },
  {
    rule: 'E3',
    title: 'hybrid: calls start at once, not at the next tick',
    applies: ticking('hybrid'),
    async run(site) {
      const [sensor] = await promptSensors(site);
      if (sensor === undefined) throw new NotJudged('the character has no sensor of which it is known that it answers at once');
      const agent = await site.open({ event_subscriptions: [] });
      // Built-ins wait for no tick (D17): so long the way takes.
      const began = performance.now();
      await agent.settled();
      const wayMs = performance.now() - began;
      let before: unknown;
      for (let count = 0; count < CALLS_IN_A_ROW; count++) {
        const { meta, ok } = await agent.call(sensor);
        if (ok && meta?.tick === before) return;
        before = meta?.tick;
      }
      if (wayMs > periodOf(site) / 2) throw new NotJudged(`a tick takes ${periodOf(site)} ms, and an answer ${Math.round(wayMs)} ms`);
      fail(`each of ${CALLS_IN_A_ROW} calls of ${sensor} took a tick of its own`);
    },
  },
];
