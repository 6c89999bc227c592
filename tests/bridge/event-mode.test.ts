import { describe, expect, test } from 'vitest';
import { held, type LooseSpec, tool } from '../fixtures/bridge-tools.ts';
import { settle, type TestAgent, TestWorld, type TestWorldOptions } from '../fixtures/bridge-world.ts';

/** A world in event mode with ticks of 100 ms, as its host steps it: in steps of 50 ms, while it moves. */
class StillWorld extends TestWorld {
  constructor(tools: ConstructorParameters<typeof TestWorld>[0], options: TestWorldOptions = {}) {
    super(tools, { tickMode: 'event', ...options, mira: { maxSessions: 4, ...options.mira } });
  }

  async step(): Promise<void> {
    this.clock.pass(50);
    if (this.bridge.moving) this.bridge.advance(50);
    await settle();
  }

  async steps(count: number): Promise<void> {
    for (let n = 0; n < count; n++) await this.step();
  }

  /** Ticks and world time, once it stands still. */
  async rest(): Promise<[tick: number, now: number]> {
    for (let n = 0; this.bridge.moving; n++) {
      if (n > 1_000) throw new Error('the world does not come to rest');
      await this.step();
    }
    return [this.bridge.tick, this.bridge.now];
  }
}

const sensor = (id: string, more: LooseSpec = {}) => tool(id, { class: 'sensor', ...more });
const sleeper = (id: string, ms: number, more: LooseSpec = {}) => tool(id, { run: (_input, context) => context.sleep(ms), ...more });

describe('E2: what moves the world', () => {
  test('E2: it stands still until an acting call moves it, by its duration in whole ticks, and at least one', async () => {
    const world = new StillWorld([tool('wave'), sleeper('walk', 220), tool('say', { class: 'generator' })]);
    const agent = world.open();
    expect(world.bridge.moving).toBe(false);
    agent.call('wave');
    expect(world.bridge.moving).toBe(true);
    expect(await world.rest()).toEqual([1, 100]);
    agent.call('walk');
    expect(await world.rest()).toEqual([4, 400]);
    agent.call('say');
    expect(await world.rest()).toEqual([5, 500]);
  });

  test('E2: n triggers are n ticks, however they come', async () => {
    const world = new StillWorld([]);
    for (let n = 0; n < 3; n++) world.bridge.trigger();
    expect(await world.rest()).toEqual([3, 300]);
    world.bridge.trigger();
    await world.step();
    for (let n = 0; n < 2; n++) world.bridge.trigger();
    expect(await world.rest()).toEqual([6, 600]);
  });

  test('E2: a trigger while a call moves the world has a whole tick of its own', async () => {
    const world = new StillWorld([tool('wave')]);
    world.open().call('wave');
    await world.step();
    world.bridge.trigger();
    expect(await world.rest()).toEqual([2, 200]);
  });

  test('E2: a long frame moves it no further than to where it stops', async () => {
    const world = new StillWorld([]);
    world.bridge.trigger();
    world.bridge.advance(450);
    expect([world.bridge.tick, world.bridge.moving]).toEqual([1, false]);
  });

  test('E2: a call that is refused moves nothing', () => {
    const world = new StillWorld([
      tool('wave', { available: () => 'no' }),
      tool('walk', { input: { properties: { to: { type: 'string' } }, required: ['to'] } }),
    ]);
    const agent = world.open();
    agent.call('wave');
    agent.call('walk');
    agent.call('cancel_call', { call_id: 'none' });
    expect(world.bridge.moving).toBe(false);
  });

  test('E2: a running call that is aborted lets it come to rest', async () => {
    const { tool: walk } = held('walk');
    const world = new StillWorld([walk]);
    const agent = world.open();
    const id = agent.call('walk');
    await world.steps(3);
    agent.call('cancel_call', { call_id: id });
    expect(await world.rest()).toEqual([2, 200]);
  });

  test('E2: advanceOn says which classes move it', async () => {
    const world = new StillWorld([sensor('look'), tool('wave')], { advanceOn: ['sensor'] });
    const agent = world.open();
    agent.output(agent.call('wave'));
    expect(world.bridge.moving).toBe(false);
    agent.call('look');
    expect(await world.rest()).toEqual([1, 100]);
  });
});

describe('E2: when a call starts', () => {
  test('E2: at a standstill at once', () => {
    const { tool: walk, runs } = held('walk');
    const world = new StillWorld([walk, sensor('look')]);
    const agent = world.open();
    expect(agent.output(agent.call('look'))).toEqual({});
    agent.call('walk');
    expect(runs).toHaveLength(1);
  });

  test.each([
    ['an acting call', 'actuator'],
    ['a sensor', 'sensor'],
  ] as const)('E2: %s that arrives while the world moves starts at the next tick boundary', async (_what, kind) => {
    const { tool: other, runs } = held('other', { class: kind });
    const world = new StillWorld([sleeper('walk', 1_000), other]);
    const agent = world.open();
    agent.call('walk');
    agent.call('other');
    await world.step();
    agent.call('other');
    expect(runs).toHaveLength(0);
    await world.step();
    expect(runs.map(({ context }) => [context.tick, context.now])).toEqual([
      [1, 100],
      [1, 100],
    ]);
  });

  test('E2: the same where a trigger moves it', async () => {
    const { tool: walk, runs } = held('walk');
    const world = new StillWorld([walk]);
    const agent = world.open();
    world.bridge.trigger();
    await world.step();
    agent.call('walk');
    expect(runs).toHaveLength(0);
    await world.step();
    expect(runs).toHaveLength(1);
    expect(world.bridge.moving).toBe(true);
  });

  test('E2, D12: one that waits for a boundary that does not come is answered within the wall limit', async () => {
    const { tool: walk, runs } = held('walk');
    const world = new StillWorld([walk]);
    const agent = world.open();
    agent.call('walk');
    const id = agent.call('walk', { n: 2 });
    void runs[0]?.context.external(new Promise(() => undefined));
    world.clock.pass(119_999);
    expect(agent.resultsOf(id)).toEqual([]);
    world.clock.pass(1);
    expect(agent.result(id).error).toMatchObject({ code: 'timeout', retryable: true });
  });
});

describe('E2: work outside world time', () => {
  /** An acting call that is 50 ms into its first tick when it begins to wait for `answer`. */
  async function waiting() {
    const outside: { answer(): void; fail(): void } = { answer: () => undefined, fail: () => undefined };
    const asks = tool('ask', {
      run: async (_input, context) => {
        await context.sleep(50);
        await context.external(
          new Promise<void>((resolve, reject) => {
            outside.answer = resolve;
            outside.fail = () => reject(new Error('nobody there'));
          }),
        );
      },
    });
    const { tool: walk, runs } = held('walk');
    const world = new StillWorld([asks, walk, sensor('look', { run: (_input, { tick, now }) => ({ tick, now }) })]);
    const agent = world.open();
    const id = agent.call('ask');
    await world.step();
    return { world, agent, id, outside, runs };
  }

  test('E2: nothing advances while it is pending, and then it goes on', async () => {
    for (const how of ['answer', 'fail'] as const) {
      const { world, agent, id, outside } = await waiting();
      await world.steps(50);
      expect([world.bridge.moving, world.bridge.now]).toEqual([false, 50]);
      outside[how]();
      await settle();
      expect(agent.result(id).ok).toBe(how === 'answer');
      expect(await world.rest()).toEqual([1, 100]);
    }
  });

  test('E2: sensors read meanwhile, without advancing; acting calls wait for the boundary', async () => {
    const { world, agent, outside, runs } = await waiting();
    expect(agent.output(agent.call('look'))).toEqual({ tick: 0, now: 50 });
    agent.call('walk');
    await world.steps(50);
    expect(runs).toHaveLength(0);
    outside.answer();
    await world.steps(2);
    expect(runs).toHaveLength(1);
  });

  test('E2, D12: its abort lets the world go on', async () => {
    const { world, agent, id } = await waiting();
    agent.call('cancel_call', { call_id: id });
    expect(world.bridge.moving).toBe(true);
    expect(await world.rest()).toEqual([1, 100]);
    agent.call('walk');
    expect(world.bridge.moving).toBe(true);
  });

  test('E2: several are waited for, whichever ends first', async () => {
    const { tool: ask, runs } = held('ask');
    const world = new StillWorld([ask]);
    const agent = world.open();
    const ids = [agent.call('ask'), agent.call('ask', { n: 2 })];
    await world.steps(2);
    for (const { context } of runs) void context.external(new Promise(() => undefined));
    agent.call('cancel_call', { call_id: ids[1] as string });
    expect(world.bridge.moving).toBe(false);
    agent.call('cancel_call', { call_id: ids[0] as string });
    expect(world.bridge.moving).toBe(true);
  });
});

describe('E2: sensors read without advancing', () => {
  test.each([
    ['sleeps', (context) => context.sleep(10)],
    ['waits for a condition', (context) => context.until(() => false)],
    ['sleeps and does not care', (context) => void context.sleep(10).then(() => undefined)],
    ['sleeps and carries on', (context) => context.sleep(10).catch(() => undefined)],
  ] as [string, (context: Parameters<NonNullable<LooseSpec['run']>>[1]) => unknown][])(
    'E2: one that %s fails at once, at a standstill as in a moving world',
    async (_what, wait) => {
      const world = new StillWorld([sensor('look', { run: (_input, context) => wait(context) }), sleeper('walk', 500)]);
      const agent = world.open();
      const look = () => agent.result(agent.call('look')).error;
      expect(look()).toMatchObject({ code: 'execution_failed', message: expect.stringMatching(/'look'.*world time.*event mode/) });
      agent.call('walk');
      const id = agent.call('look');
      await world.steps(2);
      expect(agent.result(id).error).toMatchObject({ code: 'execution_failed', retryable: false });
    },
  );

  test('E2: what holds already needs no waiting, and work outside world time may take its time', async () => {
    let answer!: () => void;
    const world = new StillWorld([
      sensor('look', {
        run: async (_input, context) => {
          await context.sleep(0);
          await context.until(() => true);
          await context.external(new Promise<void>((resolve) => (answer = resolve)));
          return { seen: true };
        },
      }),
    ]);
    const agent = world.open();
    const id = agent.call('look');
    await world.steps(20);
    answer();
    await settle();
    expect(agent.output(id)).toEqual({ seen: true });
    expect(world.bridge.now).toBe(0);
  });

  test('E2: where sensors move the world they may wait, and so may they in the other modes', async () => {
    for (const options of [{ advanceOn: ['sensor'] }, { tickMode: 'hybrid' }] as const) {
      const world = new StillWorld([sleeper('look', 10, { class: 'sensor' })], options);
      const agent = world.open();
      const id = agent.call('look');
      world.bridge.advance(50);
      await settle();
      expect(agent.result(id).ok).toBe(true);
    }
  });
});

describe("E2: barrier 'all'", () => {
  /** Two sessions of mira and one of tam, and an acting tool of theirs. */
  function three(options: TestWorldOptions = {}) {
    const { tool: act, runs } = held('act');
    const world = new StillWorld([act], { barrier: 'all', ...options });
    const tam = world.add('tam', [act]);
    return {
      world,
      tam,
      runs,
      agents: [world.open(), world.open(), world.open({ character: 'tam' })] as [TestAgent, TestAgent, TestAgent],
    };
  }

  test("E2: 'any' waits for nobody", () => {
    const { agents, runs } = three({ barrier: 'any' });
    agents[0].call('act');
    expect(runs).toHaveLength(1);
  });

  test('E2: the world moves when every attached session has acted, and all their calls start together', () => {
    const { world, agents, runs } = three();
    agents[0].call('act');
    agents[0].call('act');
    agents[1].call('act');
    expect([runs.length, world.bridge.moving]).toEqual([0, false]);
    agents[2].call('act');
    expect([runs.length, world.bridge.moving]).toEqual([4, true]);
  });

  test('E2: who is at work has acted', async () => {
    const { world, agents, runs } = three();
    for (const agent of agents) agent.call('act');
    await world.steps(4);
    runs[0]?.finish({});
    await settle();
    agents[0].call('act');
    await world.steps(2);
    expect(runs).toHaveLength(4);
  });

  test('E2: it waits 10 s of wall time for the others, and not a moment less', () => {
    const { world, agents, runs } = three();
    agents[0].call('act');
    world.clock.pass(9_000);
    agents[1].call('act');
    world.clock.pass(999);
    expect(runs).toHaveLength(0);
    world.clock.pass(1);
    expect([runs.length, world.bridge.moving]).toEqual([2, true]);
  });

  test('E2: each wait has its own 10 s: nothing is left over of one whose call was cancelled, or that has ended', async () => {
    const { world, agents, runs } = three();
    const cancelled = agents[0].call('act');
    world.clock.pass(3_000);
    agents[0].call('cancel_call', { call_id: cancelled });
    world.clock.pass(6_000);
    agents[0].call('act');
    world.clock.pass(9_999);
    expect(runs).toHaveLength(0);
    world.clock.pass(1);
    expect(runs).toHaveLength(1);
    runs[0]?.finish({});
    await settle();
    await world.rest();
    agents[0].call('act');
    world.clock.pass(9_999);
    expect(runs).toHaveLength(1);
    world.clock.pass(1);
    expect(runs).toHaveLength(2);
  });

  test('E2: where the first of two is cancelled the other has its whole 10 s', () => {
    const { world, agents, runs } = three();
    const first = agents[0].call('act');
    world.clock.pass(4_000);
    agents[1].call('act');
    agents[0].call('cancel_call', { call_id: first });
    world.clock.pass(9_999);
    expect(runs).toHaveLength(0);
    world.clock.pass(1);
    expect(runs).toHaveLength(1);
  });

  test('E2: patience that runs out while a trigger moves the world starts nothing before the boundary', async () => {
    const { world, agents, runs } = three();
    agents[0].call('act');
    world.clock.pass(9_980);
    world.bridge.trigger();
    await world.step();
    expect([runs.length, world.bridge.now]).toEqual([0, 50]);
    await world.step();
    expect(runs.map(({ context }) => [context.tick, context.now])).toEqual([[1, 100]]);
  });

  test('E2: a tick of a trigger does not cut the wait short, nor begin it anew', async () => {
    const { world, agents, runs } = three();
    agents[0].call('act');
    world.clock.pass(5_000);
    world.bridge.trigger();
    expect(await world.rest()).toEqual([1, 100]);
    world.clock.pass(4_899);
    expect(runs).toHaveLength(0);
    world.clock.pass(1);
    expect(runs).toHaveLength(1);
  });

  test.each([
    ['is detached', ({ agents }) => agents[2].handler.closed(false)],
    ['has left', ({ agents }) => agents[2].send({ type: 'session_close' })],
    ["'s character is paused", ({ tam }) => tam.setPaused(true)],
    ["'s character has no body", ({ tam }) => tam.unbind()],
    ["'s character is removed", ({ tam }) => tam.remove()],
  ] as [string, (three: ReturnType<typeof setting>) => void][])(
    'E2: nobody waits for a session that cannot act: one that %s',
    (_what, lose) => {
      const before = setting();
      lose(before);
      for (const agent of before.agents.slice(0, 2)) agent.call('act');
      expect(before.runs).toHaveLength(2);
      // The same for one that can act no more while it is waited for.
      const during = setting();
      for (const agent of during.agents.slice(0, 2)) agent.call('act');
      expect(during.runs).toHaveLength(0);
      lose(during);
      expect(during.runs).toHaveLength(2);
    },
  );

  function setting() {
    const made = three();
    made.agents[2].send({ type: 'heartbeat' });
    return made;
  }

  test('E2: who can act again is waited for again', () => {
    const { world, tam, agents, runs } = three();
    tam.setPaused(true);
    tam.setPaused(false);
    agents[2].send({ type: 'heartbeat' });
    agents[2].handler.closed(false);
    const back = world.resume(agents[2]);
    for (const agent of agents.slice(0, 2)) agent.call('act');
    expect(runs).toHaveLength(0);
    back.call('act');
    expect(runs).toHaveLength(3);
  });

  test('E2, B6: nobody waits for a suspended driver, but for one that drives', () => {
    const { tool: act, runs } = held('act');
    const world = new StillWorld([act], { barrier: 'all' });
    world.add('tam', [act]);
    world.openYielding();
    const tam = world.open({ character: 'tam' });
    tam.call('act');
    expect(runs).toHaveLength(0);
    world.open().call('act');
    expect(runs).toHaveLength(2);
    world.mira.takeOver(true);
  });

  test('E2, B6: a driver that is suspended while it is waited for holds nobody up any longer', () => {
    const { tool: act, runs } = held('act');
    const world = new StillWorld([act], { barrier: 'all' });
    world.add('tam', [act]);
    world.openYielding();
    world.open({ character: 'tam' }).call('act');
    expect(runs).toHaveLength(0);
    world.mira.takeOver(true);
    expect(runs).toHaveLength(1);
  });

  test('E2: a driver in the page that lets the world wait in vain is waited for again only when it has acted', () => {
    const { tool: act, runs } = held('act');
    const world = new StillWorld([act], { barrier: 'all' });
    world.add('tam', [act]);
    const idler = world.openYielding();
    const tam = world.open({ character: 'tam' });
    tam.call('act');
    world.clock.pass(10_000);
    expect(runs).toHaveLength(1);
    const step = async () => {
      for (const run of runs) run.finish({});
      await settle();
      await world.rest();
    };
    return (async () => {
      for (let n = 2; n < 5; n++) {
        await step();
        tam.call('act');
        expect(runs).toHaveLength(n);
      }
      await step();
      idler.call('act');
      expect(runs).toHaveLength(4);
      tam.call('act');
      expect(runs).toHaveLength(6);
      await step();
      tam.call('act');
      expect(runs).toHaveLength(6);
    })();
  });

  test('E2: nobody waits for a session that has no tool to act with', () => {
    const { tool: act, runs } = held('act');
    const world = new StillWorld([act], { barrier: 'all' });
    world.add('owl', [sensor('look')]);
    world.add('ghost', [tool('haunt', { requiresCapability: 'magic' })]);
    world.open({ character: 'owl' });
    world.open({ character: 'ghost', capabilities: [] });
    world.open().call('act');
    expect(runs).toHaveLength(1);
  });

  test('E2: a world that closes starts nothing more', () => {
    const { world, agents, runs } = three();
    agents[0].call('act');
    agents[2].call('act');
    world.bridge.close();
    expect([runs.length, world.clock.timers]).toEqual([0, 0]);
  });
});

test('E2: the same calls at the same ticks give the same outcomes and events, however the frames fall', async () => {
  const play = async (frames: number[]) => {
    const world = new StillWorld([
      sleeper('walk', 220),
      tool('roll', { run: (_input, context) => ({ rolled: context.random(), tick: context.tick, now: context.now }) }),
      sensor('look', { run: (_input, { tick, now }) => ({ tick, now }) }),
    ]);
    const agent = world.open({ event_subscriptions: ['tick'], agent_model: { class: 'edge_small', expected_full_response_ms: 0 } });
    for (let n = 0; n < 50; n++) {
      agent.call(['walk', 'roll', 'look'][n % 3] as string);
      for (let frame = 0; world.bridge.moving; frame++) {
        world.clock.pass(frames[frame % frames.length] as number);
        world.bridge.advance(50);
        await settle();
      }
    }
    return agent.messages.map((message) => {
      if (message.type === 'tool_result') return [message.output, message.error, message.meta?.tick];
      return message.type === 'event' ? message.payload : message.type;
    });
  };
  const once = await play([16]);
  expect(once.length).toBeGreaterThan(100);
  expect(await play([5, 40, 11])).toEqual(once);
});
