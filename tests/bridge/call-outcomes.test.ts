import { describe, expect, test } from 'vitest';
import { type ToolContext, ToolError } from '../../src/bridge/index.ts';
import { held, type LooseSpec, tool } from '../fixtures/bridge-tools.ts';
import { settle, TestWorld, type TestWorldOptions } from '../fixtures/bridge-world.ts';

/** Calls a tool with this handler once and lets it settle. */
async function outcomeOf(spec: LooseSpec) {
  const world = new TestWorld([tool('act', spec)]);
  const agent = world.open();
  const id = agent.call('act');
  await settle();
  return agent.result(id);
}

describe('D11: what the handler gets', () => {
  test('D11: the caller by name and capabilities, never the session id', () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum]).open({ principal: 'alice', capabilities: ['combat', 'speech'] });
    agent.call('hum');
    const { context } = runs[0]!;
    expect(context.session.principal).toBe('alice');
    expect([...context.session.capabilities]).toEqual(['combat', 'speech']);
    expect(JSON.stringify([context.session, Object.values(context.session)])).not.toContain(agent.sessionId);
    expect(context.characterId).toBe('mira');
  });

  test('D11: tick and now are those of the world, and go on while it runs', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    await world.frame(250);
    world.open().call('hum');
    const { context } = runs[0]!;
    expect([context.tick, context.now]).toEqual([2, 250]);
    await world.frame(250);
    expect([context.tick, context.now]).toEqual([5, 500]);
  });

  test('D11: random is seeded: the same world and seed give the same numbers', () => {
    const three = (seed: string) => {
      const { tool: hum, runs } = held('hum');
      new TestWorld([hum], { seed }).open().call('hum');
      return [1, 2, 3].map(() => runs[0]?.context.random() ?? -1);
    };
    expect(three('a')).toEqual(three('a'));
    expect(three('a')).not.toEqual(three('b'));
    for (const number of three('a')) expect(number >= 0 && number < 1).toBe(true);
  });

  test('D11: sleep waits for world time, not wall time', async () => {
    const world = new TestWorld([tool('rest', { run: (_input, context) => context.sleep(250) })]);
    const agent = world.open();
    const id = agent.call('rest');
    world.clock.pass(20_000);
    await settle();
    expect(agent.results).toEqual([]);
    await world.frame(249);
    expect(agent.results).toEqual([]);
    await world.frame(1);
    expect(agent.output(id)).toEqual({});
  });

  test('D11: until asks at once and then after every frame', async () => {
    let asked = 0;
    let ready = false;
    const until = (context: ToolContext) =>
      context.until(() => {
        asked++;
        return ready;
      });
    const world = new TestWorld([tool('wait', { run: (_input, context) => until(context) })]);
    const agent = world.open();
    const id = agent.call('wait');
    expect(asked).toBe(1);
    await world.frame();
    expect(asked).toBe(2);
    ready = true;
    await world.frame();
    expect(agent.output(id)).toEqual({});
    await world.frame();
    expect(asked).toBe(3);
    agent.call('wait');
    await settle();
    expect(asked).toBe(4);
    expect(agent.results).toHaveLength(2);
  });

  test.each(['at once', 'later'])('D11: a condition that throws %s rejects', async (when) => {
    let asked = 0;
    const world = new TestWorld([
      tool('wait', {
        run: (_input, context) =>
          context.until(() => {
            if (when === 'at once' || ++asked > 1) throw new Error('no such door');
            return false;
          }),
      }),
    ]);
    const agent = world.open();
    const id = agent.call('wait');
    await world.frame();
    expect(agent.result(id).error).toMatchObject({ code: 'execution_failed', message: 'no such door' });
  });

  test('D11: external passes on what comes from outside world time, without a frame', async () => {
    const world = new TestWorld([
      tool('read', { run: async (_input, context) => ({ text: await context.external(Promise.resolve('hello')) }) }),
      tool('fail', { run: (_input, context) => context.external(Promise.reject(new Error('404'))) }),
      tool('slip', { run: (_input, context) => context.external('no promise' as never) }),
    ]);
    const agent = world.open();
    const ids = [agent.call('read'), agent.call('fail'), agent.call('slip')];
    await settle();
    expect(agent.output(ids[0]!)).toEqual({ text: 'hello' });
    expect(agent.result(ids[1]!).error).toMatchObject({ code: 'execution_failed', message: '404' });
    expect(agent.result(ids[2]!).ok).toBe(false);
  });

  test('D11, F2: progress goes to the caller at once, subscribed or not, with the call_id', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum], { mira: { maxSessions: 2 } });
    const [caller, other] = [world.open({ event_subscriptions: [] }), world.open()];
    const call_id = caller.call('hum');
    runs[0]?.context.progress({ verse: 1 });
    runs[0]?.context.progress({ verse: 2, kind: 'mine', call_id: 'mine' });
    expect(caller.heard('state_change')).toEqual([
      { kind: 'progress', call_id, verse: 1 },
      { kind: 'progress', call_id, verse: 2 },
    ]);
    expect(other.events).toEqual([]);
  });

  test.each([
    ['a BigInt', { n: 1n }],
    ['a cycle', cyclic()],
    ['more than a message holds', { text: 'x'.repeat(1_000_001) }],
  ])('D11: progress with %s throws in the handler and sends nothing', async (_what, payload) => {
    const result = await outcomeOf({ run: (_input, context) => context.progress(payload as never) });
    expect(result.error).toMatchObject({ code: 'execution_failed' });
  });

  test('D11: every helper throws after the call has ended, well or not', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    agent.call('hum');
    runs[0]?.finish({});
    await settle();
    const cancelled = agent.call('hum');
    agent.call('cancel_call', { call_id: cancelled });
    for (const { context } of runs) {
      expect(() => context.sleep(1)).toThrow();
      expect(() => context.until(() => true)).toThrow();
      expect(() => context.external(Promise.resolve())).toThrow();
      expect(() => context.progress({})).toThrow();
      expect(() => context.random()).toThrow();
    }
    expect(agent.events).toEqual([]);
    expect(runs.map((run) => run.context.signal.aborted)).toEqual([false, true]);
  });

  test('D11: what a handler waits for rejects on abort', async () => {
    const ends: string[] = [];
    const note = (name: string, promise: Promise<unknown>) => promise.catch((error: Error) => void ends.push(`${name}: ${error.message}`));
    const world = new TestWorld([
      tool('all', {
        run: (_input, context) => {
          note('sleep', context.sleep(1_000));
          note(
            'until',
            context.until(() => false),
          );
          note('external', context.external(new Promise(() => undefined)));
          return new Promise(() => undefined);
        },
      }),
    ]);
    const agent = world.open();
    const id = agent.call('all');
    agent.call('cancel_call', { call_id: id });
    await settle();
    expect(ends).toEqual(['sleep: cancelled', 'until: cancelled', 'external: cancelled']);
  });

  test('D11: a condition that ends its own call is the last one asked', async () => {
    const asked: string[] = [];
    const world = new TestWorld([
      tool('trip', {
        run: (_input, context) => {
          context.until(() => {
            asked.push('first');
            if (asked.length > 2) world.mira.remove();
            return false;
          });
          return context.until(() => asked.push('second') < 0);
        },
      }),
    ]);
    world.open().call('trip');
    await world.frame();
    await world.frame();
    expect(asked).toEqual(['first', 'second', 'first']);
  });

  test('D11: the host may add to the context, and a host that throws fails the call', async () => {
    const world = new TestWorld(
      [tool('look', { run: (_input, context) => ({ body: (context as ToolContext & { body: string }).body }) })],
      {
        mira: { extend: (context) => Object.assign(context, { body: 'of mira' }) },
      },
    );
    const first = world.open();
    expect(first.output(first.call('look'))).toEqual({ body: 'of mira' });
    world.add('tam', [tool('look')], {
      extend: () => {
        throw new Error('no body');
      },
    });
    const agent = world.open({ character: 'tam' });
    expect(agent.result(agent.call('look')).error).toMatchObject({ code: 'execution_failed', message: 'no body' });
  });
});

describe('D12: timeouts', () => {
  test('D12: 30 s of world time from the start of the handler', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    await world.frame(5_000);
    const agent = world.open();
    const id = agent.call('hum');
    world.bridge.advance(29_999);
    expect(agent.results).toEqual([]);
    world.bridge.advance(1);
    expect(agent.result(id).error).toMatchObject({ code: 'timeout', retryable: true });
    expect(runs[0]?.context.signal.aborted).toBe(true);
  });

  test('D12: timeoutMs of the tool says how long', () => {
    const { tool: hum } = held('hum', { timeoutMs: 500 });
    const world = new TestWorld([hum]);
    const agent = world.open();
    const id = agent.call('hum');
    world.bridge.advance(499);
    expect(agent.results).toEqual([]);
    world.bridge.advance(1);
    expect(agent.result(id).error?.code).toBe('timeout');
  });

  test('D12: time spent waiting for a lane does not count', async () => {
    const { tool: walk, runs } = held('walk', { lane: 'legs', onBusy: 'queue', timeoutMs: 1_000 });
    const world = new TestWorld([walk]);
    const agent = world.open();
    agent.call('walk');
    const second = agent.call('walk');
    world.bridge.advance(900);
    runs[0]?.finish({});
    await settle();
    world.bridge.advance(900);
    expect(agent.resultsOf(second)).toEqual([]);
    world.bridge.advance(100);
    expect(agent.result(second).error?.code).toBe('timeout');
  });

  test('D12: 120 s of wall time end any call, also in a world that stands still', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    const id = agent.call('hum');
    world.clock.pass(119_999);
    expect(agent.results).toEqual([]);
    world.clock.pass(1);
    expect(agent.result(id).error).toMatchObject({ code: 'timeout', retryable: true });
    expect(runs[0]?.context.signal.aborted).toBe(true);
  });

  test('D12, E1: a call that waits for a tick that never comes ends too', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum], { tickMode: 'fixed' });
    const agent = world.open();
    const id = agent.call('hum');
    world.clock.pass(120_000);
    expect(agent.result(id).error).toMatchObject({ code: 'timeout', retryable: true });
    expect(runs).toEqual([]);
  });

  test('D12: a handler that ignores its signal cannot delay the result, and what it does late is refused', async () => {
    const { tool: hum, runs } = held('hum', { timeoutMs: 100 });
    const world = new TestWorld([hum]);
    const agent = world.open();
    const id = agent.call('hum');
    await world.frame(100);
    expect(agent.result(id).error?.code).toBe('timeout');
    runs[0]?.finish({ late: true });
    expect(() => runs[0]?.context.progress({ late: true })).toThrow('did not end');
    await settle();
    expect(agent.resultsOf(id)).toHaveLength(1);
    expect(agent.events).toEqual([]);
  });

  test('D12, E6: paused for hours, no call times out, also one that waits for its lane; afterwards each has the time that was left', async () => {
    const { tool: hum, runs } = held('hum', { timeoutMs: 1e9 });
    const { tool: sing } = held('sing', { lane: 'voice', onBusy: 'queue', timeoutMs: 1e9 });
    const world = new TestWorld([hum, sing]);
    const agent = world.open();
    const tam = world.add('tam', [hum]);
    const other = world.open({ character: 'tam' });
    const [humming, , waiting] = [agent.call('hum'), agent.call('sing'), agent.call('sing')];
    const elsewhere = other.call('hum');
    world.clock.pass(20_000);
    world.mira.setPaused(true);
    world.clock.pass(4 * 3_600_000 - 1);
    expect(agent.results).toEqual([]);
    expect(other.result(elsewhere).error?.message).toBe("'hum' did not end within 120 s of wall time");
    world.mira.setPaused(false);
    world.clock.pass(9_999);
    expect(agent.results).toEqual([]);
    world.clock.pass(1);
    expect(agent.result(waiting as string).error?.message).toBe("waited 30 s for lane 'voice'");
    world.clock.pass(89_999);
    expect(agent.resultsOf(humming as string)).toEqual([]);
    world.clock.pass(1);
    expect(agent.result(humming as string).error?.message).toBe("'hum' did not end within 120 s of wall time");
    expect(runs[0]?.context.signal.aborted).toBe(true);
    expect(tam.now).toBe(0);
  });

  test('D12, E6: a call that waits for a tick or for an approval does not time out while paused either', () => {
    const approval: TestWorldOptions = {
      policyFor: () => ({ allows: () => true, needsApproval: () => true }),
      approve: () => new Promise(() => undefined),
    };
    for (const options of [{ tickMode: 'fixed' } as const, approval]) {
      const world = new TestWorld([tool('wave')], options);
      const agent = world.open();
      const id = agent.call('wave');
      world.mira.setPaused(true);
      world.clock.pass(600_000);
      expect(agent.results).toEqual([]);
      world.mira.setPaused(false);
      world.clock.pass(120_000);
      expect(agent.result(id).ok).toBe(false);
    }
  });

  test('D12: one pause of four hours ends a call, so that no caller waits for ever', () => {
    const world = new TestWorld([held('hum').tool]);
    const agent = world.open();
    const id = agent.call('hum');
    world.mira.setPaused(true);
    world.clock.pass(4 * 3_600_000);
    expect(agent.result(id).error).toMatchObject({ code: 'timeout', retryable: true });
  });

  test('D12, E6: a pause within the wall limit costs a call none of its world time', async () => {
    const { tool: hum, runs } = held('hum', { timeoutMs: 1_000 });
    const world = new TestWorld([hum]);
    const agent = world.open();
    const ids = [agent.call('hum'), agent.call('hum', { n: 2 })];
    await world.frame(900);
    world.mira.setPaused(true);
    for (let n = 0; n < 100; n++) await world.frame(1_000);
    expect(agent.results).toEqual([]);
    world.mira.setPaused(false);
    await world.frame(99);
    runs[0]?.finish({ done: true });
    await settle();
    expect(agent.output(ids[0] as string)).toEqual({ done: true });
    expect(agent.resultsOf(ids[1] as string)).toEqual([]);
    await world.frame(1);
    expect(agent.result(ids[1] as string).error?.message).toBe("'hum' did not end within 1 s of world time");
  });
});

describe('D13: failures', () => {
  test.each([
    ['an error', new Error('the door is stuck'), 'the door is stuck'],
    ['an error without a message', new RangeError(''), 'RangeError'],
    ['a string', 'stuck', 'stuck'],
    ['an empty string', '', 'failed without saying why'],
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a number', 7, '7'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an object that cannot be read', Object.create(null), 'failed with something that cannot be read'],
    ['a proxy that refuses everything', hostile(), 'failed with something that cannot be read'],
    [
      'an error with a message that is no text',
      Object.assign(new Error('x'), { message: { a: 1 } }),
      'failed with something that cannot be read',
    ],
  ])('D13: %s, thrown or rejected, is execution_failed with what it says', async (_what, thrown, message) => {
    const throwing = await outcomeOf({
      run: () => {
        throw thrown;
      },
    });
    const rejecting = await outcomeOf({ run: () => Promise.reject(thrown) });
    for (const result of [throwing, rejecting]) {
      expect(result.error).toEqual({ code: 'execution_failed', message, retryable: false });
      expect('output' in result).toBe(false);
    }
  });

  test('D13: an endless message is cut', async () => {
    const { error } = await outcomeOf({
      run: () => {
        throw new Error('x'.repeat(3_000_000));
      },
    });
    expect(error).toMatchObject({ code: 'execution_failed', message: 'x'.repeat(4_096) });
  });

  test.each([
    [new ToolError('invalid_input', 'no such target'), { code: 'invalid_input', message: 'no such target', retryable: false }],
    [new ToolError('tool_unavailable', 'too dark'), { code: 'tool_unavailable', message: 'too dark', retryable: true }],
    [new ToolError('execution_failed', 'slipped', true), { code: 'execution_failed', message: 'slipped', retryable: true }],
    [new ToolError('timeout', '', false), { code: 'timeout', message: 'timeout', retryable: false }],
    [new ToolError('execution_failed', 'x'.repeat(2_000_000)), { code: 'execution_failed', message: 'x'.repeat(4_096), retryable: false }],
  ])('D13: a ToolError chooses code and retryable', async (thrown, error) => {
    expect((await outcomeOf({ run: () => Promise.reject(thrown) })).error).toEqual(error);
  });

  test('D13: a ToolError with a code that AICC does not have says so', () => {
    expect(() => new ToolError('oops' as never, 'x', true)).toThrow(/ToolError: code must be one of .*execution_failed.*'oops'/);
  });

  test('D13: a verify that says no makes it execution_failed with its sentence', async () => {
    const { error } = await outcomeOf({ verify: () => 'the lantern is still dark' });
    expect(error).toEqual({ code: 'execution_failed', message: 'the lantern is still dark', retryable: false });
  });

  test('D13: verify is asked after run, with the same input, and a yes lets the output pass', async () => {
    const order: string[] = [];
    const result = await outcomeOf({
      run: async () => {
        order.push('run');
        return { lit: true };
      },
      verify: () => {
        order.push('verify');
        return true;
      },
    });
    expect(order).toEqual(['run', 'verify']);
    expect(result.output).toEqual({ lit: true });
  });

  test('D13: a failed run is not verified', async () => {
    let verified = false;
    await outcomeOf({
      run: () => {
        throw new Error('no');
      },
      verify: () => {
        verified = true;
        return true;
      },
    });
    expect(verified).toBe(false);
  });

  test.each([
    ['says false', () => false],
    ['says nothing', () => undefined],
    ['says an empty sentence', () => ''],
    ['answers later', async () => true],
    ['rejects', () => Promise.reject(new Error('later'))],
    [
      'throws',
      () => {
        throw new Error('cannot look');
      },
    ],
  ])('D13: a verify that %s does not let the call pass', async (_what, verify) => {
    expect((await outcomeOf({ verify })).error).toMatchObject({ code: 'execution_failed' });
  });
});

describe('D14: outputs', () => {
  test('D14: undefined becomes {}', async () => {
    expect((await outcomeOf({ run: () => undefined })).output).toEqual({});
    expect((await outcomeOf({ run: async () => undefined })).output).toEqual({});
  });

  test.each([
    ['null', null],
    ['an array', [1]],
    ['a string', 'done'],
    ['a number', 7],
    ['true', true],
    ['a function', () => ({})],
    ['NaN inside', { n: Number.NaN }],
    ['Infinity inside', { n: [Number.POSITIVE_INFINITY] }],
    ['a BigInt inside', { n: 1n }],
    ['a function inside', { f: () => 1 }],
    ['a Map', new Map()],
    ['a Map inside', { m: new Map() }],
    ['a symbol inside', { s: Symbol('s') }],
    ['a cycle', cyclic()],
    ['64 levels', nested(64)],
    ['a getter that throws', throwingGetter()],
    ['a proxy that refuses everything inside', { proxy: hostile() }],
    ['a toJSON that throws', { toJSON: throwing }],
    ['a toJSON that returns itself', selfJson()],
    ['2 MiB', { text: 'x'.repeat(2_097_152) }],
    ['an endless array', { list: new Array(4_294_967_295) }],
    ['one object in more places than there are atoms', bomb(60)],
  ])('D14: %s is internal_error naming the tool', async (_what, output) => {
    for (const run of [() => output, async () => output]) {
      const result = await outcomeOf({ run });
      expect(result.error).toMatchObject({ code: 'internal_error', retryable: false });
      expect(result.error?.message).toContain("'act'");
      expect('output' in result).toBe(false);
    }
  });

  test('D14, A2: 63 levels pass, for a message has 64', async () => {
    expect((await outcomeOf({ run: () => nested(63) })).output).toEqual(nested(63));
  });

  test('D14: an output that misses output_schema is internal_error and says where', async () => {
    const output = { type: 'object', properties: { hp: { type: 'integer' } }, required: ['hp'] };
    const { error } = await outcomeOf({ output, run: () => ({ hp: 'full' }) });
    expect(error?.code).toBe('internal_error');
    expect(error?.message).toContain("'act'");
    expect(error?.message).toContain('/hp');
  });

  test('D14, A2: an output that just fits into a message passes, and one byte more does not', async () => {
    const empty = JSON.stringify(await outcomeOf({ run: () => ({ text: '' }) })).length;
    const room = 1_048_576 - empty;
    expect((await outcomeOf({ run: () => ({ text: 'x'.repeat(room) }) })).ok).toBe(true);
    expect((await outcomeOf({ run: () => ({ text: 'x'.repeat(room + 1) }) })).error?.code).toBe('internal_error');
    // Bytes count, not characters.
    expect((await outcomeOf({ run: () => ({ text: 'ü'.repeat(room / 2 + 1) }) })).error?.code).toBe('internal_error');
  });

  test('D14: meta.snapshot is left out before the output is given up', async () => {
    const text = 'x'.repeat(900_000);
    const world = new TestWorld([
      tool('see', { class: 'sensor', snapshot: true, run: () => ({ text: 'y'.repeat(200_000) }) }),
      tool('act', { run: () => ({ text }) }),
      tool('nod'),
    ]);
    const agent = world.open({ observe: true });
    expect(agent.result(agent.call('nod')).meta?.snapshot).toMatchObject({ sensors: { see: {} } });
    const big = agent.result(agent.call('act'));
    expect(big.output).toEqual({ text });
    expect(big.meta && 'snapshot' in big.meta).toBe(false);
  });

  test('D14: a later change by the handler does not change what was sent or is kept', async () => {
    const output = { at: { x: 1 } };
    const world = new TestWorld([tool('act', { run: () => output })]);
    const agent = world.open();
    agent.call('act', {}, 'a');
    output.at.x = 2;
    agent.call('act', {}, 'a');
    expect(agent.resultsOf('a').map((result) => result.output)).toEqual([{ at: { x: 1 } }, { at: { x: 1 } }]);
  });
});

describe('D15: meta', () => {
  test('D15: tick of the end, latency in whole milliseconds, source and seq', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    world.clock.pass(0.4);
    const id = agent.call('hum');
    await world.frame(250.3);
    runs[0]?.finish({});
    await settle();
    expect(agent.result(id).meta).toEqual({ tick: 2, latency_ms: 250, source: 'bridge', seq: 1 });
  });

  test('D15: latency counts from the receipt, the wait for tick and lane included', async () => {
    const { tool: walk, runs } = held('walk', { lane: 'legs', onBusy: 'queue' });
    const world = new TestWorld([walk], { tickMode: 'fixed' });
    const agent = world.open();
    agent.call('walk');
    const id = agent.call('walk');
    await world.frame(100);
    await world.frame(100);
    runs[0]?.finish({});
    await settle();
    await world.frame(100);
    runs[1]?.finish({});
    await settle();
    expect(agent.result(id).meta?.latency_ms).toBe(300);
  });

  test('D15: one counter runs over results and events of a session', () => {
    const world = new TestWorld([tool('wave')], { mira: { maxSessions: 2 } });
    const [agent, other] = [world.open(), world.open()];
    agent.call('wave');
    world.mira.emit('audio', {});
    agent.call('wave');
    expect(agent.messages.slice(1).map((message) => (message as { meta?: { seq?: number } }).meta?.seq)).toEqual([1, 2, 3]);
    expect(other.events[0]?.meta?.seq).toBe(1);
  });

  test('B1: with observe every result carries the newest snapshot, failures too', async () => {
    let seen = 0;
    const world = new TestWorld([tool('see', { class: 'sensor', snapshot: true, run: () => ({ seen: ++seen }) }), tool('wave')]);
    const agent = world.open({ observe: true });
    expect(agent.result(agent.call('wave')).meta?.snapshot).toEqual({ available: {}, sensors: { see: { seen: 1 } } });
    await world.frame();
    expect(agent.result(agent.call('nope')).meta?.snapshot).toMatchObject({ sensors: { see: { seen: 2 } } });
    const plain = new TestWorld([tool('wave')]).open();
    expect(plain.result(plain.call('wave')).meta).not.toHaveProperty('snapshot');
  });
});

describe('D17: cancel_call', () => {
  test('D17: a running call ends execution_failed with message cancelled, before cancel_call is answered', async () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum]).open();
    const id = agent.call('hum');
    const cancel = agent.call('cancel_call', { call_id: id });
    expect(agent.results.map((result) => result.call_id)).toEqual([id, cancel]);
    expect(agent.result(id).error).toEqual({ code: 'execution_failed', message: 'cancelled', retryable: false });
    expect(agent.output(cancel)).toEqual({ cancelled: true });
    expect(runs[0]?.context.signal.aborted).toBe(true);
    expect(runs[0]?.context.signal.reason.message).toBe('cancelled');
  });

  test('D17: a waiting call never starts', async () => {
    const { tool: walk, runs } = held('walk', { lane: 'legs', onBusy: 'queue' });
    const agent = new TestWorld([walk]).open();
    agent.call('walk', { n: 1 });
    const id = agent.call('walk', { n: 2 });
    agent.call('cancel_call', { call_id: id });
    runs[0]?.finish({});
    await settle();
    expect(runs).toHaveLength(1);
    expect(agent.result(id).error?.message).toBe('cancelled');
  });

  test('D17: a call that waits for its tick never starts, and cancel_call itself waits for none', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum], { tickMode: 'fixed' });
    const agent = world.open();
    const id = agent.call('hum');
    expect(agent.output(agent.call('cancel_call', { call_id: id }))).toEqual({ cancelled: true });
    await world.frame();
    await world.frame();
    expect(runs).toEqual([]);
  });

  test('D17: an unknown, a finished, its own and another session’s call_id are not cancelled', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum, tool('wave')], { mira: { maxSessions: 2 } });
    const [agent, other] = [world.open(), world.open()];
    const done = agent.call('wave');
    other.call('hum', {}, 'of the other');
    for (const call_id of ['never', done, 'of the other']) {
      expect(agent.output(agent.call('cancel_call', { call_id }))).toEqual({ cancelled: false });
    }
    expect(agent.output(agent.call('cancel_call', { call_id: 'me' }, 'me'))).toEqual({ cancelled: false });
    expect(runs[0]?.context.signal.aborted).toBe(false);
  });

  test('D17: it works without a body, while paused, while suspended and under every contract', () => {
    const world = new TestWorld([], { policyFor: () => ({ allows: () => 'nothing', needsApproval: () => true }) });
    const driver = world.openYielding();
    const agent = world.open({ capabilities: [] });
    const cancelled = (who: typeof agent) => who.output(who.call('cancel_call', { call_id: 'x' }));
    world.mira.setPaused(true);
    expect(cancelled(agent)).toEqual({ cancelled: false });
    expect(cancelled(driver)).toEqual({ cancelled: false });
    world.mira.unbind();
    expect(cancelled(agent)).toEqual({ cancelled: false });
  });

  test('D17: its input is checked like any', () => {
    const agent = new TestWorld().open();
    const { error } = agent.result(agent.call('cancel_call', {}));
    expect(error?.code).toBe('invalid_input');
    expect(error?.message).toContain('/call_id');
  });
});

function cyclic(): object {
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  return cycle;
}

/** An object that has `levels` levels. */
function nested(levels: number): object {
  return levels === 1 ? {} : { in: nested(levels - 1) };
}

function bomb(levels: number): object {
  let inner: object = {};
  for (let level = 1; level < levels; level++) inner = { a: inner, b: inner };
  return inner;
}

function throwing(): never {
  throw new Error('no');
}

function throwingGetter(): object {
  return Object.defineProperty({}, 'x', { get: throwing, enumerable: true });
}

function selfJson(): object {
  const self = { toJSON: (): object => self };
  return self;
}

function hostile(): object {
  return new Proxy({}, { get: throwing, getPrototypeOf: throwing, has: throwing, ownKeys: throwing });
}
