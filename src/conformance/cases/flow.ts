import type { Agent } from '../agent.ts';
import type { Case } from '../case.ts';
import { check, checkSame } from '../failure.ts';
import { type Message, outputOf } from '../messages.ts';
import type { Site } from '../site.ts';

/** AICC C5: events that are kept for a session without a connection. */
const KEPT = 512;
const RAISED = KEPT + 88;
/** More than sockets take that nobody reads: so many calls, with so many events each, of so many characters. */
const CALLS = 24;
const EVENTS = 16;
const CHARACTERS = 16_384;
/** More than waits for a connection that takes no more (F3), and when. */
const LATE = 400;
const LATE_MS = 1_000;

const spoken = (messages: readonly Message[]) => messages.filter(({ topic }) => topic === 'agent_message');

/** How many events came, and how many the bridge says that it dropped. */
function account(messages: readonly Message[]): { came: number; dropped: number } {
  const dropped = messages.reduce((sum, { meta, type }) => sum + (type === 'event' ? Number(meta?.dropped ?? 0) : 0), 0);
  return { came: spoken(messages).length, dropped };
}

function checkAccount(messages: readonly Message[], raised: number): void {
  const { came, dropped } = account(messages);
  check(came + dropped === raised, `of ${raised} events ${came} came, and ${dropped} were told as dropped`);
}

const highestSeq = ({ received }: Agent) => Math.max(0, ...received.map(({ meta }) => Number(meta?.seq ?? 0)));

/** Everything that a slow reader is sent until it has each of these results: a connection that took too much (F4) is resumed. */
async function readOn(site: Site, agent: Agent, calls: readonly string[]): Promise<Agent[]> {
  agent.wire.resume();
  const missing = () => calls.filter((call) => agent.results(call).length === 0);
  await agent.until(() => agent.ending !== undefined || missing().length === 0 || undefined, 'every result');
  if (agent.ending === undefined) return [agent];
  await agent.endsWith(1013);
  const back = await site.resume(agent.sessionId, { last_seq: highestSeq(agent) });
  for (const call of missing()) await back.result(call);
  return [agent, back];
}

export const FLOW: Case[] = [
  {
    rule: 'F3',
    title: `of too many events the newest ${KEPT} are kept while the connection is lost, and it is told how many went`,
    tools: ['conformance_emit'],
    takesMs: 1_000,
    async run(site) {
      const agent = await site.open();
      agent.start('conformance_emit', { topic: 'agent_message', text: 'number', count: RAISED, after_ms: 500 });
      await agent.settled();
      agent.wire.cut();
      await agent.ended();
      await site.pass(1_000);
      const back = await site.resume(agent.sessionId, { last_seq: highestSeq(agent) });
      await back.message(({ payload }) => payload?.text === `number ${RAISED}`, 'the last event');
      checkAccount(back.received, RAISED);
      checkSame(account(back.received).came, KEPT, 'the number of events that came');
      checkSame(spoken(back.received)[0]?.payload?.text, `number ${RAISED - KEPT + 1}`, 'the oldest of them');
    },
  },
  {
    rule: 'F4',
    title: 'who stops reading gets every result when they read on, and is told of every event that they missed',
    on: ['websocket', 'tcp'],
    tools: ['conformance_emit'],
    takesMs: LATE_MS + 500,
    async run(site) {
      const agent = await site.open();
      agent.wire.pause();
      const calls = [agent.start('conformance_emit', { topic: 'agent_message', text: 'late', count: LATE, after_ms: LATE_MS })];
      const text = 'x'.repeat(CHARACTERS);
      for (let count = 0; count < CALLS; count++) {
        calls.push(agent.start('conformance_emit', { topic: 'agent_message', text, count: EVENTS }));
        await site.pass(10);
      }
      await site.pass(LATE_MS + 100);
      const agents = await readOn(site, agent, calls);
      const last = agents.at(-1) as Agent;
      outputOf(await last.call('conformance_emit', { topic: 'agent_message', text: 'the end' }));
      await last.message(({ payload }) => payload?.text === 'the end', 'the last event');
      const received = agents.flatMap((each) => each.received);
      for (const call of calls) outputOf(received.find(({ call_id }) => call_id === call) as Message);
      checkAccount(received, CALLS * EVENTS + LATE + 1);
    },
  },
];
