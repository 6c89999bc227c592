import type { Case } from '../case.ts';
import { check, checkSame, show } from '../failure.ts';
import { checkFailed, type JsonObject, outputOf } from '../messages.ts';
import { schemaProblem } from '../schema.ts';
import type { Site } from '../site.ts';
import { openTicking, QUICK, SLOW } from './ticking.ts';

/** AICC G1 */
const RESERVED = {
  sensors: ['vision', 'hearing', 'proprioception', 'inventory', 'map', 'screen'],
  actuators: ['locomotion', 'manipulation', 'combat', 'expression', 'control'],
  generators: ['speech', 'sound', 'image', 'prop'],
} as const;

const runs = (site: Site) => (site.init.tick_mode === 'event' ? 'its world moves only when somebody acts' : true);

export const EVENTS: Case[] = [
  {
    rule: 'E4',
    title: 'who subscribes to tick gets the first one at once after session_init',
    async run(site) {
      const agent = await openTicking(site, SLOW);
      await agent.settled();
      checkSame(
        agent.received.slice(0, 2).map(({ topic, type }) => topic ?? type),
        ['session_init', 'tick'],
        'what came first',
      );
    },
  },
  {
    rule: 'E4',
    title: 'ticks count up, and so does the time of the world',
    applies: runs,
    async run(site) {
      const agent = await openTicking(site, QUICK);
      await agent.until(() => agent.events('tick')[3], 'a fourth tick');
      for (const [index, event] of agent.events('tick').entries()) {
        const before = agent.events('tick')[index - 1]?.payload ?? { tick: -1, time_ms: -1 };
        const { payload = {} } = event;
        check(Number(payload.tick) > Number(before.tick), `tick ${show(payload.tick)} came after ${show(before.tick)}`);
        check(Number(payload.time_ms) >= Number(before.time_ms), `time_ms ${show(payload.time_ms)} came after ${show(before.time_ms)}`);
      }
    },
  },
  {
    rule: 'E4',
    title: 'a snapshot says which tools are not available and what the sensors see, as their output_schema has it',
    async run(site) {
      const agent = await openTicking(site, SLOW);
      const snapshot = (await agent.event('tick')).payload?.snapshot;
      if (snapshot === undefined) return;
      const { available = {}, sensors = {}, units } = snapshot as { [part: string]: JsonObject | undefined };
      if (units !== undefined) return;
      for (const [id, why] of Object.entries(available)) {
        check(site.tool(id) !== undefined, `snapshot.available names ${id}, which is not in the catalogue`);
        check(typeof why === 'string' && why !== '', `snapshot.available.${id} is ${show(why)}`);
      }
      for (const [id, seen] of Object.entries(sensors)) {
        const tool = site.tool(id);
        check(tool?.class === 'sensor', `snapshot.sensors names ${id}, which is no sensor of the catalogue`);
        checkSame(schemaProblem(tool.output_schema, seen), undefined, `what the output_schema of ${id} has against it`);
      }
      if (site.tool('conformance_unavailable') !== undefined)
        checkSame(available.conformance_unavailable, 'the bridge is up; lower it first', 'snapshot.available.conformance_unavailable');
    },
  },
  {
    rule: 'E5',
    title: 'ticks come no faster than the model can answer',
    applies: runs,
    takesMs: 1_000,
    async run(site) {
      const agent = await openTicking(site, SLOW);
      await site.pass(1_000);
      await agent.settled();
      checkSame(agent.events('tick').length, 1, 'the number of ticks for a model that needs an hour');
    },
  },
  {
    rule: 'E6',
    title: 'a paused world says so, and answers calls',
    tools: ['conformance_pause', 'conformance_echo'],
    takesMs: 1_500,
    async run(site) {
      const agent = await site.open({ event_subscriptions: [] });
      agent.start('conformance_pause', { ms: 1_500 });
      await agent.event('state_change', 'world_paused');
      checkFailed(await agent.call('conformance_echo', { text: 'hello' }), { code: 'tool_unavailable', retryable: true });
      await site.pass(1_700);
      await agent.event('state_change', 'world_resumed');
      outputOf(await agent.call('conformance_echo', { text: 'hello' }));
    },
  },
  {
    rule: 'F1',
    title: 'without a subscription every topic but tick comes',
    tools: ['conformance_emit'],
    async run(site) {
      const agent = await site.open();
      for (const topic of ['collision', 'audio', 'state_change', 'agent_message']) {
        outputOf(await agent.call('conformance_emit', { topic }));
        await agent.event(topic);
      }
      checkSame(agent.events('tick'), [], 'the ticks');
    },
  },
  {
    rule: 'F1',
    title: 'only what is subscribed to comes, progress aside',
    tools: ['conformance_emit', 'conformance_progress'],
    async run(site) {
      const agent = await site.open({ event_subscriptions: ['audio'] });
      for (const topic of ['collision', 'state_change', 'agent_message', 'audio'])
        outputOf(await agent.call('conformance_emit', { topic }));
      const call = agent.start('conformance_progress');
      checkSame((await agent.event('state_change', 'progress')).payload?.call_id, call, 'the call_id of the progress');
      outputOf(await agent.result(call));
      checkSame(
        agent.received.filter(({ type }) => type === 'event').map(({ topic }) => topic),
        ['audio', 'state_change'],
        'the topics that came',
      );
    },
  },
  {
    rule: 'F2',
    title: 'events come in the order in which they happened',
    tools: ['conformance_emit'],
    async run(site) {
      const agent = await site.open();
      outputOf(await agent.call('conformance_emit', { topic: 'agent_message', text: 'number', count: 50 }));
      await agent.until(() => agent.events('agent_message')[49], 'a fiftieth event');
      const texts = agent.events('agent_message').map(({ payload }) => payload?.text);
      checkSame(
        texts,
        [...Array(50).keys()].map((index) => (index === 0 ? 'number' : `number ${index + 1}`)),
        'the texts',
      );
    },
  },
  {
    rule: 'G1',
    title: 'capabilities lists reserved names alone, by class, and none without a tool of the class',
    async run(site) {
      const { capabilities, tools } = site.init;
      for (const [list, allowed] of Object.entries(RESERVED)) {
        const names = capabilities[list as keyof typeof RESERVED];
        for (const name of names) check((allowed as readonly string[]).includes(name), `${name} is no reserved name of ${list}`);
        checkSame(new Set(names).size, names.length, `the number of different ${list}`);
        const count = tools.filter((tool) => `${tool.class}s` === list).length;
        check(count > 0 === names.length > 0, `${list} are ${show(names)} with ${count} tools of that class`);
      }
      check(capabilities.actuators.includes('control'), 'there is no control, which cancel_call belongs to');
    },
  },
];
