import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { settle, TestWorld } from '../fixtures/bridge-world.ts';

const legs = { lane: 'legs' };
const numbers = (runs: { input: { n?: unknown } }[]) => runs.map((run) => run.input.n);

describe('D10: preempt, the default', () => {
  test('D10: the running call ends as preempted, retryable, before the new one starts', () => {
    const { tool: walk, runs } = held('walk', legs);
    const agent = new TestWorld([walk]).open();
    const first = agent.call('walk', { n: 1 });
    agent.call('walk', { n: 2 });
    expect(agent.result(first).error).toEqual({ code: 'execution_failed', message: 'preempted', retryable: true });
    expect(numbers(runs)).toEqual([1, 2]);
    expect(runs.map((run) => run.context.signal.aborted)).toEqual([true, false]);
  });

  test('D10: the result of the preempted call is sent before the handler of the new one runs', () => {
    const order: string[] = [];
    const { tool: walk } = held('walk', legs);
    const world = new TestWorld([walk, tool('jump', { ...legs, run: () => void order.push(`jump after ${agent.results.length}`) })]);
    const agent = world.open();
    agent.call('walk');
    agent.call('jump');
    expect(order).toEqual(['jump after 1']);
  });

  test('D10: tools share a lane by name, and tools without one never meet', () => {
    const walk = held('walk', legs);
    const talk = held('talk', { lane: 'voice' });
    const think = held('think');
    const agent = new TestWorld([walk.tool, talk.tool, think.tool, tool('jump', legs)]).open();
    for (const id of ['walk', 'talk', 'think', 'think', 'jump']) agent.call(id);
    expect(walk.runs[0]?.context.signal.aborted).toBe(true);
    for (const { context } of [...talk.runs, ...think.runs]) expect(context.signal.aborted).toBe(false);
  });

  test("D10: sessions of one character share its lanes; another character's are its own", () => {
    const { tool: walk, runs } = held('walk', legs);
    const world = new TestWorld([walk], { mira: { maxSessions: 2 } });
    world.add('tam', [walk]);
    const [one, two, tam] = [world.open(), world.open(), world.open({ character: 'tam' })];
    const first = one.call('walk', { n: 1 });
    tam.call('walk', { n: 2 });
    two.call('walk', { n: 3 });
    expect(one.result(first).error?.message).toBe('preempted');
    expect(runs.map((run) => run.context.signal.aborted)).toEqual([true, false, false]);
  });

  test('D10: a call that is refused at its start leaves the lane free', async () => {
    const { tool: walk, runs } = held('walk', legs);
    let dark = false;
    const world = new TestWorld([walk, tool('sneak', { ...legs, available: () => (dark ? 'too dark' : true) })], { tickMode: 'fixed' });
    const agent = world.open();
    const sneak = agent.call('sneak');
    dark = true;
    agent.call('walk', { n: 1 });
    await world.frame();
    await world.frame();
    expect(agent.result(sneak).error?.message).toBe('too dark');
    expect(numbers(runs)).toEqual([1]);
  });

  test('D10: calls that wait keep their places when the running one is preempted', async () => {
    const { tool: walk, runs } = held('walk', { ...legs, onBusy: 'queue' });
    const jump = held('jump', legs);
    const agent = new TestWorld([walk, jump.tool]).open();
    for (const n of [1, 2, 3]) agent.call('walk', { n });
    agent.call('jump');
    expect(numbers(runs)).toEqual([1]);
    jump.runs[0]?.finish({});
    await settle();
    expect(numbers(runs)).toEqual([1, 2]);
  });
});

describe('D10: queue', () => {
  const queue = { ...legs, onBusy: 'queue' } as const;

  test('D10: calls run one after the other in the order they came', async () => {
    const { tool: walk, runs } = held('walk', queue);
    const agent = new TestWorld([walk]).open();
    for (const n of [1, 2, 3]) agent.call('walk', { n });
    expect(numbers(runs)).toEqual([1]);
    runs[0]?.finish({});
    await settle();
    expect(numbers(runs)).toEqual([1, 2]);
    runs[1]?.fail(new Error('stumbled'));
    await settle();
    expect(numbers(runs)).toEqual([1, 2, 3]);
  });

  test('D10: the lane frees when the result is sent', async () => {
    const seen: number[] = [];
    const { tool: walk, runs } = held('walk', queue);
    const world = new TestWorld([walk, tool('jump', { ...queue, run: () => void seen.push(agent.results.length) })]);
    const agent = world.open();
    agent.call('walk');
    agent.call('jump');
    runs[0]?.finish({});
    await settle();
    expect(seen).toEqual([1]);
  });

  test('D10: eight may wait, the ninth is refused, retryable', () => {
    const { tool: walk } = held('walk', queue);
    const agent = new TestWorld([walk]).open();
    const ids = Array.from({ length: 10 }, (_, n) => agent.call('walk', { n }));
    expect(agent.results.map((result) => result.call_id)).toEqual([ids[9]]);
    expect(agent.results[0]?.error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  });

  test('D10: after 30 s of wall time in the queue a call ends as timeout and never starts', async () => {
    const { tool: walk, runs } = held('walk', queue);
    const world = new TestWorld([walk]);
    const agent = world.open();
    agent.call('walk', { n: 1 });
    world.clock.pass(10_000);
    const waiting = agent.call('walk', { n: 2 });
    world.clock.pass(29_999);
    expect(agent.results).toEqual([]);
    world.clock.pass(1);
    expect(agent.result(waiting).error).toMatchObject({ code: 'timeout', retryable: true });
    runs[0]?.finish({});
    await settle();
    expect(numbers(runs)).toEqual([1]);
  });

  test('D10: a call that left the queue in time may run as long as any', async () => {
    const { tool: walk, runs } = held('walk', queue);
    const world = new TestWorld([walk]);
    const agent = world.open();
    agent.call('walk', { n: 1 });
    const second = agent.call('walk', { n: 2 });
    world.clock.pass(29_000);
    runs[0]?.finish({});
    await settle();
    world.clock.pass(60_000);
    expect(agent.resultsOf(second)).toEqual([]);
  });

  test('D10: a call that ended while it waited makes room in the queue', () => {
    const { tool: walk } = held('walk', queue);
    const agent = new TestWorld([walk]).open();
    const ids = Array.from({ length: 9 }, (_, n) => agent.call('walk', { n }));
    agent.call('cancel_call', { call_id: ids[4]! });
    const late = agent.call('walk', { n: 99 });
    expect(agent.resultsOf(late)).toEqual([]);
  });

  test('D16: a waiting call blocks only its lane', () => {
    const { tool: walk } = held('walk', queue);
    const agent = new TestWorld([walk, tool('talk', { lane: 'voice' }), tool('blink')]).open();
    agent.call('walk');
    agent.call('walk');
    expect(agent.output(agent.call('talk'))).toEqual({});
    expect(agent.output(agent.call('blink'))).toEqual({});
  });
});

describe('D10: reject', () => {
  test('D10: a busy lane refuses, retryable, and the running call goes on', async () => {
    const { tool: walk, runs } = held('walk', { ...legs, onBusy: 'reject' });
    const agent = new TestWorld([walk]).open();
    const first = agent.call('walk', { n: 1 });
    const second = agent.call('walk', { n: 2 });
    expect(agent.result(second).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    runs[0]?.finish({});
    await settle();
    expect(agent.output(first)).toEqual({});
    agent.call('walk', { n: 3 });
    expect(numbers(runs)).toEqual([1, 3]);
  });
});

test('D10: whatever is called, ended or cancelled, each call has one result and a lane runs at most one', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('call' as const), tool: fc.constantFrom('go', 'line_up', 'if_free', 'free') }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('body' as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom('hybrid' as const, 'fixed' as const), async (steps, tickMode) => {
      const go = held('go', legs);
      const lineUp = held('line_up', { ...legs, onBusy: 'queue' });
      const ifFree = held('if_free', { ...legs, onBusy: 'reject' });
      const free = held('free');
      const tools = [go.tool, lineUp.tool, ifFree.tool, free.tool];
      const world = new TestWorld(tools, { tickMode });
      const agent = world.open();
      const called: string[] = [];
      const runs = () => [...go.runs, ...lineUp.runs, ...ifFree.runs, ...free.runs];
      for (const each of steps) {
        if (each.do === 'call') called.push(agent.call(each.tool, { n: called.length }));
        if (each.do === 'finish') runs()[each.which]?.finish({});
        if (each.do === 'fail') runs()[each.which]?.fail(new Error('x'));
        if (each.do === 'cancel') agent.call('cancel_call', { call_id: called[each.which] ?? 'none' });
        if (each.do === 'time') await world.frame(each.ms);
        if (each.do === 'body') {
          world.mira.unbind();
          world.add('mira', tools, { default: true });
        }
        await settle();
        const answered = new Set(agent.results.map((result) => result.call_id));
        const running = [...go.runs, ...lineUp.runs, ...ifFree.runs].filter((run) => !answered.has(called[Number(run.input.n)] ?? ''));
        expect(running.length).toBeLessThanOrEqual(1);
      }
      world.bridge.close();
      for (const id of called) expect(agent.resultsOf(id)).toHaveLength(1);
      expect(world.clock.timers).toBe(0);
    }),
    { numRuns: 60 },
  );
});
