import type { Case } from '../case.ts';
import { check, checkSame, show } from '../failure.ts';
import { checkError, checkFailed, type JsonObject, outputOf } from '../messages.ts';

const INVALID = { code: 'invalid_input', retryable: false };
const REFUSED_NOW = { code: 'tool_unavailable', retryable: true };
const REFUSED = { code: 'tool_unavailable', retryable: false };
const PENDING = 1_024;
const APPROVAL_MS = 60_000;

export const CALL_CHECKS: Case[] = [
  {
    rule: 'D1',
    title: 'the same call again gets the recorded outcome with the same seq, whatever the order of its members; it does not run again',
    async run(site) {
      const agent = await site.open();
      const counts = site.tool('conformance_count') !== undefined;
      const tool = counts ? 'conformance_count' : 'cancel_call';
      const first = await agent.result(agent.start(tool, { call_id: 'x', a: 1, b: { c: 2, d: 3 } }, 'twice'));
      agent.start(tool, { b: { d: 3, c: 2 }, a: 1, call_id: 'x' }, 'twice');
      checkSame(await agent.result('twice', 1), first, 'the second answer');
      if (!counts) return;
      const { count } = outputOf(first);
      checkSame(outputOf(await agent.call(tool)).count, Number(count) + 1, 'how often the tool ran');
    },
  },
  {
    rule: 'D1',
    title: 'a call_id with other content is an error, and nothing runs',
    async run(site) {
      const agent = await site.open();
      await agent.result(agent.start('cancel_call', { call_id: 'one' }, 'used'));
      const id = agent.say('tool_call', { call_id: 'used', tool: 'cancel_call', input: { call_id: 'two' } });
      checkError(await agent.error(id), { code: 'invalid_input' });
      checkSame(agent.results('used').length, 1, 'the number of results');
    },
  },
  {
    rule: 'D1',
    title: 'a call that is repeated while it runs has its one outcome, when it comes',
    tools: ['conformance_wait'],
    async run(site) {
      const agent = await site.open();
      for (let count = 0; count < 3; count++) agent.start('conformance_wait', { ms: 200 }, 'patient');
      outputOf(await agent.result('patient'));
      await agent.settled();
      for (const result of agent.results('patient')) checkSame(result, agent.results('patient')[0], 'another answer to the same call');
    },
  },
  {
    rule: 'D2',
    title: 'a tool that is not in the catalogue is tool_unknown, which names the closest one',
    async run(site) {
      const agent = await site.open();
      checkFailed(await agent.call('cancel_cal', { call_id: 'x' }), { code: 'tool_unknown', retryable: false, says: /cancel_call/ });
    },
  },
  {
    rule: 'D3',
    title: 'a tool whose capability the session does not hold is not listed, and its call names the capability',
    tools: ['conformance_unavailable'],
    async run(site) {
      const agent = await site.open();
      check(site.tool('conformance_hidden') === undefined, 'conformance_hidden is in the catalogue');
      checkFailed(await agent.call('conformance_hidden'), { ...REFUSED, says: /conformance_secrets/ });
    },
  },
  {
    rule: 'D4',
    title: 'a tool that the contract of the session forbids is not listed, and its call is refused for good, with the reason',
    tools: ['conformance_approved'],
    async run(site) {
      const agent = await site.open();
      check(site.tool('conformance_forbidden') === undefined, 'conformance_forbidden is in the catalogue');
      checkFailed(await agent.call('conformance_forbidden'), { ...REFUSED, says: /the contract leaves it to the player/ });
    },
  },
  {
    rule: 'D5',
    title: 'a tool that is not available now says why, and stays in the catalogue',
    tools: ['conformance_unavailable'],
    async run(site) {
      const agent = await site.open();
      checkFailed(await agent.call('conformance_unavailable'), { ...REFUSED_NOW, says: /the bridge is up; lower it first/ });
    },
  },
  {
    rule: 'D6',
    title: 'an input that misses the schema is invalid_input and names the pointer',
    async run(site) {
      const agent = await site.open();
      checkFailed(await agent.call('cancel_call', {}), { ...INVALID, says: /call_id/ });
      checkFailed(await agent.call('cancel_call', { call_id: 17 }), { ...INVALID, says: /\/call_id/ });
    },
  },
  {
    rule: 'D6',
    title: 'it names every failing pointer',
    tools: ['conformance_echo'],
    async run(site) {
      const agent = await site.open();
      const result = await agent.call('conformance_echo', { text: 17, inner: { n: 'one' } });
      checkFailed(result, { ...INVALID, says: /\/text/ });
      checkFailed(result, { ...INVALID, says: /\/inner\/n/ });
    },
  },
  {
    rule: 'D6',
    title: 'undeclared members are dropped at every depth',
    tools: ['conformance_echo'],
    async run(site) {
      const agent = await site.open();
      const result = await agent.call('conformance_echo', { text: 'hello', more: 1, inner: { n: 2, more: 3 } });
      checkSame(outputOf(result).got, { text: 'hello', inner: { n: 2 } }, 'what the tool got');
    },
  },
  {
    rule: 'D6',
    title: 'with strict_input undeclared members are refused at every depth',
    tools: ['conformance_strict'],
    async run(site) {
      const agent = await site.open();
      outputOf(await agent.call('conformance_strict', { text: 'hello', inner: { n: 2 } }));
      for (const input of [
        { text: 'hello', more: 1 },
        { text: 'hello', inner: { n: 2, more: 3 } },
      ])
        checkFailed(await agent.call('conformance_strict', input), { ...INVALID, says: /more/ });
    },
  },
  {
    rule: 'D7',
    title: 'calls_per_minute: one more is tool_unavailable, retryable, with meta.retry_after_ms; refused calls do not count',
    tools: ['conformance_per_minute'],
    async run(site) {
      const agent = await site.open();
      checkFailed(await agent.call('conformance_per_minute', { n: 'one' }), INVALID);
      const earlier = await agent.call('conformance_per_minute');
      // A run before this one may have used up this minute.
      if (earlier.ok) outputOf(await agent.call('conformance_per_minute'));
      const result = await agent.call('conformance_per_minute');
      checkFailed(result, REFUSED_NOW);
      const wait = result.meta?.retry_after_ms;
      check(typeof wait === 'number' && wait > 0 && wait <= 60_000, `meta.retry_after_ms is ${show(wait)}`);
    },
  },
  {
    rule: 'D7',
    title: 'calls_per_session: one more is tool_unavailable, for good',
    tools: ['conformance_per_session'],
    async run(site) {
      const agent = await site.open();
      for (let count = 0; count < 2; count++) outputOf(await agent.call('conformance_per_session'));
      checkFailed(await agent.call('conformance_per_session'), REFUSED);
      await agent.leave();
      outputOf(await (await site.open()).call('conformance_per_session'));
    },
  },
  {
    rule: 'D7',
    title: `${PENDING} calls may be pending; one more is tool_unavailable for now`,
    tools: ['conformance_wait'],
    async run(site) {
      const agent = await site.open();
      for (let count = 0; count < PENDING; count++) agent.start('conformance_wait', {}, `pending ${count}`);
      checkFailed(await agent.call('conformance_wait'), REFUSED_NOW);
      checkSame(agent.results('pending 0').length + agent.results(`pending ${PENDING - 1}`).length, 0, 'results of pending calls');
      outputOf(await agent.call('cancel_call', { call_id: 'pending 7' }));
      await agent.leave();
      checkSame(agent.received.filter(({ type }) => type === 'tool_result').length, PENDING + 2, 'the number of results at the end');
    },
  },
  {
    rule: 'D8',
    title: 'a tool may ask for the tick that was decided on: what is too old is stale',
    tools: ['conformance_stale'],
    async run(site) {
      const agent = await site.open({ event_subscriptions: ['tick'], agent_model: { class: 'edge_small', expected_full_response_ms: 0 } });
      const schema = site.tool('conformance_stale')?.input_schema;
      const properties = schema?.properties as JsonObject | undefined;
      check((schema?.required as string[] | undefined)?.includes('observed_tick') === true, 'the input schema requires no observed_tick');
      check((properties?.observed_tick as JsonObject | undefined)?.type === 'integer', 'observed_tick is no integer in the input schema');
      checkFailed(await agent.call('conformance_stale'), INVALID);
      const tick = await agent.message(({ payload, topic }) => topic === 'tick' && Number(payload?.tick) >= 4, 'a fourth tick');
      const late = Number(tick.payload?.tick) - 4;
      checkFailed(await agent.call('conformance_stale', { observed_tick: late }), { ...REFUSED_NOW, says: /stale/ });
      const newest = Math.max(...agent.events('tick').map(({ payload }) => Number(payload?.tick)));
      const fresh = await agent.call('conformance_stale', { observed_tick: newest });
      checkSame(outputOf(fresh).got, {}, 'what the tool got');
    },
  },
  {
    rule: 'D9',
    title: 'what a person must approve runs when they grant it, and is refused for good when they do not',
    tools: ['conformance_approved'],
    async run(site) {
      const agent = await site.open();
      checkSame(outputOf(await agent.call('conformance_approved', { answer: 'yes' })).got, { answer: 'yes' }, 'what the tool got');
      checkFailed(await agent.call('conformance_approved', { answer: 'no' }), REFUSED);
    },
  },
  {
    rule: 'D9',
    title: `where nobody answers, it is refused for good after ${APPROVAL_MS / 1_000} s, and holds up nothing meanwhile`,
    tools: ['conformance_approved'],
    takesMs: APPROVAL_MS,
    async run(site) {
      const agent = await site.open();
      const call = agent.start('conformance_approved', { answer: 'never' });
      await site.pass(APPROVAL_MS - 5_000);
      await agent.settled();
      checkSame(agent.results(call), [], 'its results while it waits');
      await site.pass(6_000);
      checkFailed(await agent.result(call), REFUSED);
    },
  },
  {
    rule: 'G2',
    title: 'what requires a capability that the session holds is listed, says so and can be called',
    tools: ['conformance_granted'],
    async run(site) {
      checkSame(site.tool('conformance_granted')?.requires_capability, 'conformance_grants', 'what conformance_granted requires');
      outputOf(await (await site.open()).call('conformance_granted'));
    },
  },
];
