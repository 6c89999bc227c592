import type { Case } from '../case.ts';
import { check, checkSame, fail, show } from '../failure.ts';
import { checkFailed, type JsonObject, outputOf } from '../messages.ts';
import { schemaProblem } from '../schema.ts';
import { easySensors } from './ticking.ts';

const INVALID = { code: 'invalid_input', retryable: false };
const REFUSED_NOW = { code: 'tool_unavailable', retryable: true };
const REFUSED = { code: 'tool_unavailable', retryable: false };

export const CALL_RUNS: Case[] = [
  {
    rule: 'D10',
    title: 'preempt: a new call of the lane ends the running one, which is told before',
    tools: ['conformance_preempt'],
    async run(site) {
      const agent = await site.open();
      const [first, second] = [agent.start('conformance_preempt', {}), agent.start('conformance_preempt', { ms: 0 })];
      outputOf(await agent.result(second));
      checkFailed(await agent.result(first), { code: 'execution_failed', retryable: true, says: /preempted/ });
      check(
        agent.received.indexOf(await agent.result(first)) < agent.received.indexOf(await agent.result(second)),
        'the new one was first',
      );
    },
  },
  {
    rule: 'D10',
    title: 'queue: calls of the lane run one after another, in order',
    tools: ['conformance_queue'],
    async run(site) {
      const agent = await site.open();
      const calls = [150, 100, 0].map((ms) => agent.start('conformance_queue', { ms }));
      for (const call of calls) outputOf(await agent.result(call));
      const order = agent.received.filter(({ type }) => type === 'tool_result').map(({ call_id }) => call_id);
      checkSame(order, calls, 'the order of the results');
    },
  },
  {
    rule: 'D10',
    title: 'queue: eight may wait, one more is tool_unavailable for now',
    tools: ['conformance_queue'],
    async run(site) {
      const agent = await site.open();
      for (let count = 0; count <= 8; count++) agent.start('conformance_queue', {});
      checkFailed(await agent.call('conformance_queue', {}), REFUSED_NOW);
      await agent.leave();
    },
  },
  {
    rule: 'D10',
    title: 'reject: while the lane is busy a call is tool_unavailable, and the running one goes on',
    tools: ['conformance_reject'],
    async run(site) {
      const agent = await site.open();
      const first = agent.start('conformance_reject', { ms: 200 });
      checkFailed(await agent.call('conformance_reject', { ms: 0 }), REFUSED_NOW);
      outputOf(await agent.result(first));
      outputOf(await agent.call('conformance_reject', { ms: 0 }));
    },
  },
  {
    rule: 'D11',
    title: 'a tool that goes on after its call has ended is heard no more',
    tools: ['conformance_late'],
    async run(site) {
      const agent = await site.open();
      const call = agent.start('conformance_late');
      await agent.event('state_change', 'progress');
      outputOf(await agent.call('cancel_call', { call_id: call }));
      await agent.result(call);
      await agent.settled();
      checkSame(agent.events('state_change').filter(({ payload }) => payload?.call_id === call).length, 1, 'how often it was heard');
    },
  },
  {
    rule: 'D12',
    title: 'a call that takes longer than it may is a timeout, worth another try',
    tools: ['conformance_timeout'],
    async run(site) {
      const agent = await site.open();
      checkFailed(await agent.call('conformance_timeout'), { code: 'timeout', retryable: true });
    },
  },
  {
    rule: 'D13',
    title: 'a failing tool is execution_failed with its message, unless it chooses otherwise',
    tools: ['conformance_fail'],
    async run(site) {
      const agent = await site.open();
      const failing = async (how: string) => agent.call('conformance_fail', { how });
      checkFailed(await failing('throw'), { code: 'execution_failed', says: /^the lantern is wet$/ });
      checkFailed(await failing('nameless'), { code: 'execution_failed', says: /^RangeError$/ });
      checkFailed(await failing('typed'), { ...REFUSED_NOW, says: /^come back later$/ });
      checkFailed(await failing('unverified'), { code: 'execution_failed', says: /^the lantern is still dark$/ });
    },
  },
  {
    rule: 'D14',
    title: 'no output is {}; one that is no object, misses the output_schema or is too large is internal_error and names the tool',
    tools: ['conformance_fail'],
    async run(site) {
      const agent = await site.open();
      checkSame(outputOf(await agent.call('conformance_fail', { how: 'nothing' })), {}, 'the output');
      for (const how of ['no_object', 'off_schema', 'too_large'])
        checkFailed(await agent.call('conformance_fail', { how }), { code: 'internal_error', says: /conformance_fail/ });
    },
  },
  {
    rule: 'D14',
    title: 'outputs satisfy the output_schema of their tool',
    async run(site) {
      const agent = await site.open();
      const tools = [...easySensors(site).map(({ id }) => ({ id, input: {} })), { id: 'cancel_call', input: { call_id: 'no such call' } }];
      for (const { id, input } of tools) {
        const result = await agent.call(id, input);
        const tool = site.tool(id) ?? fail(`${id} is not in the catalogue`);
        const problem = result.ok ? schemaProblem(tool.output_schema, result.output) : undefined;
        check(problem === undefined, `the output of ${id} does not: ${problem}`);
      }
    },
  },
  {
    rule: 'D16',
    title: 'a waiting call does not hold up the others',
    tools: ['conformance_wait'],
    async run(site) {
      const agent = await site.open();
      const slow = agent.start('conformance_wait', { ms: 250 });
      const quick = await agent.call('conformance_wait', { ms: 0 });
      checkSame(agent.results(slow).length, 0, 'the results of the slow call when the quick one is there');
      check(agent.received.indexOf(await agent.result(slow)) > agent.received.indexOf(quick), 'the slow one came first');
    },
  },
  {
    rule: 'D17',
    title: 'cancel_call is in every catalogue, and says whether there was such a call',
    async run(site) {
      const tool = site.tool('cancel_call') ?? fail('there is no cancel_call');
      checkSame(tool.class, 'actuator', 'its class');
      checkSame(schemaProblem(tool.input_schema, { call_id: 'x' }), undefined, 'what its input schema has against {call_id}');
      check(schemaProblem(tool.input_schema, {}) !== undefined, 'its input schema requires no call_id');
      const agent = await site.open();
      checkSame(outputOf(await agent.call('cancel_call', { call_id: 'no such call' })), { cancelled: false }, 'the output');
    },
  },
  {
    rule: 'D17',
    title: 'cancel_call ends a running call with execution_failed, cancelled, and a call that has ended with nothing',
    tools: ['conformance_wait'],
    async run(site) {
      const agent = await site.open();
      const call = agent.start('conformance_wait', {});
      checkSame(outputOf(await agent.call('cancel_call', { call_id: call })), { cancelled: true }, 'the output');
      checkFailed(await agent.result(call), { code: 'execution_failed', says: /cancelled/ });
      checkSame(outputOf(await agent.call('cancel_call', { call_id: call })), { cancelled: false }, 'the output for a call that is over');
    },
  },
  {
    rule: 'D18',
    title: 'a question is answered by decide, once; a wrong answer leaves it open',
    tools: ['conformance_ask', 'conformance_echo'],
    async run(site) {
      const agent = await site.open({ event_subscriptions: [] });
      outputOf(await agent.call('conformance_ask', { deadline_ms: 30_000 }));
      const { payload = {} } = await agent.event('state_change', 'decision');
      const { ask_id, deadline_ms, tools } = payload;
      const leftMs = Number(deadline_ms);
      check(typeof payload.prompt === 'string' && leftMs > 0 && leftMs <= 30_000, `the question is ${show(payload)}`);
      checkSame(tools, ['conformance_echo'], 'the tools to choose from');
      const answer = (input: JsonObject) => agent.call('decide', { ask_id: ask_id ?? null, tool: 'conformance_echo', input });
      checkFailed(await answer({ text: 17 }), INVALID);
      checkSame(outputOf(await answer({ text: 'left' })).got, { text: 'left' }, 'what the chosen tool got');
      checkFailed(await answer({ text: 'right' }), REFUSED);
    },
  },
  {
    rule: 'D18',
    title: 'after its deadline a question is closed',
    tools: ['conformance_ask', 'conformance_echo'],
    takesMs: 1_000,
    async run(site) {
      const agent = await site.open();
      outputOf(await agent.call('conformance_ask', { deadline_ms: 500 }));
      const { payload = {} } = await agent.event('state_change', 'decision');
      await site.pass(1_000);
      const late = await agent.call('decide', { ask_id: payload.ask_id ?? null, tool: 'conformance_echo', input: { text: 'late' } });
      checkFailed(late, REFUSED);
    },
  },
];
