import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolContext } from '../../src/bridge/index.ts';
import { held, type LooseSpec, tool } from '../fixtures/bridge-tools.ts';
import { settle, type TestAgent, TestWorld } from '../fixtures/bridge-world.ts';

/** What no game may see: rejections that nobody handles and errors thrown into the void. */
const escaped: unknown[] = [];
const note = (error: unknown) => escaped.push(error);
beforeEach(() => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterEach(async () => {
  await settle();
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  expect(escaped.splice(0)).toEqual([]);
});

/** The world goes on after whatever has happened: the others are served, and the end leaves nothing behind. */
async function staysWell(world: TestWorld, agent: TestAgent): Promise<void> {
  const other = world.add('other', [tool('wave')]);
  const witness = world.open({ character: 'other' });
  expect(witness.output(witness.call('wave'))).toEqual({});
  await world.frame();
  if (agent.closings.length === 0) expect(agent.result(agent.call('cancel_call', { call_id: 'none' })).ok).toBe(true);
  other.remove();
  world.bridge.close();
  await settle();
  expect(world.clock.timers).toBe(0);
  expect(world.bridge.sessions()).toEqual([]);
  expect(world.bridge.characters()).toEqual([]);
}

describe('D12, D13: handlers that do not do as they should get one result, and the world goes on', () => {
  /** A thenable; named by a string, for a literal `then` looks like a mistake. */
  const twice = (first: 'well' | 'badly') =>
    Object.fromEntries([
      [
        'then',
        (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
          if (first === 'well') resolve({ n: 1 });
          reject(new Error('second thoughts'));
          resolve({ n: 2 });
          throw new Error('third thoughts');
        },
      ],
    ]);

  const cases: [string, LooseSpec, Partial<{ ok: boolean; code: string }>][] = [
    ['settles a thenable well, then badly', { run: () => twice('well') }, { ok: true }],
    ['settles a thenable badly, then well', { run: () => twice('badly') }, { code: 'execution_failed' }],
    ['returns a thenable of a promise that rejects', { run: async () => Promise.reject(new Error('no')) }, { code: 'execution_failed' }],
    ['starts work that it does not wait for', { run: (_input, context) => void context.sleep(50) }, { ok: true }],
    [
      'waits for everything and returns at once',
      {
        run: (_input, context) => {
          void context.until(() => false);
          void context.external(new Promise(() => undefined));
          return {};
        },
      },
      { ok: true },
    ],
    [
      'changes its input',
      {
        input: { type: 'object', properties: { n: { type: 'integer' } } },
        run: (input) => {
          input.n = { toJSON: 1n } as never;
          return { done: true };
        },
      },
      { ok: true },
    ],
    [
      'keeps a getter that throws',
      { run: () => Object.defineProperty({}, 'x', { enumerable: true, get: () => fail() }) },
      { code: 'internal_error' },
    ],
    ['throws itself away', { run: () => fail() }, { code: 'execution_failed' }],
  ];
  test.each(cases)('a handler that %s', async (_what, spec, expected) => {
    const world = new TestWorld([tool('act', spec)]);
    const agent = world.open();
    const id = agent.call('act', { n: 1 });
    await world.frame();
    await world.frame();
    const result = agent.result(id);
    expect({ ok: result.ok, code: result.error?.code }).toMatchObject(expected);
    await staysWell(world, agent);
  });

  test('a handler that never settles and ignores its signal', async () => {
    const { tool: hum, runs } = held('hum', { timeoutMs: 100 });
    const world = new TestWorld([hum]);
    const agent = world.open();
    const id = agent.call('hum');
    await world.frame();
    expect(agent.result(id).error?.code).toBe('timeout');
    runs[0]?.fail(new Error('far too late'));
    await staysWell(world, agent);
  });

  test('work that goes on after the abort can do nothing through its context', async () => {
    const did: string[] = [];
    const late = async (context: ToolContext) => {
      await new Promise((resolve) => setImmediate(resolve));
      for (const [name, effect] of Object.entries({
        progress: () => context.progress({ late: true }),
        sleep: () => context.sleep(1),
        random: () => context.random(),
      })) {
        try {
          await effect();
          did.push(name);
        } catch {
          // As it should be.
        }
      }
      throw new Error('late too');
    };
    const world = new TestWorld([tool('act', { run: (_input, context) => late(context) })]);
    const agent = world.open();
    const id = agent.call('act');
    agent.call('cancel_call', { call_id: id });
    await settle();
    await settle();
    expect(did).toEqual([]);
    expect(agent.events).toEqual([]);
    expect(agent.resultsOf(id)).toHaveLength(1);
    await staysWell(world, agent);
  });
});

describe('handlers that call back into the bridge', () => {
  /** What a handler may do to the world around it. */
  const deeds: [string, (world: TestWorld) => void][] = [
    ['removes its character', (world) => world.mira.remove()],
    ['closes the bridge', (world) => world.bridge.close()],
    ['takes its own tool away', (world) => world.mira.setTools([])],
    ['loses its body', (world) => world.mira.unbind()],
    ['gets its next body', (world) => void world.add('mira', [], { default: true })],
    ['pauses its world', (world) => world.mira.setPaused(true)],
    ['emits', (world) => world.mira.emit('audio', { kind: 'sound' })],
    ['emits what is no JSON', (world) => world.mira.emit('audio', { n: 1n } as never)],
    ['gives the character to a person', (world) => world.mira.takeOver(true)],
    ['advances the world', (world) => world.bridge.advance(100)],
    ['starts what is due', (world) => world.bridge.startDue()],
    ['opens a session', (world) => void world.open({ character: 'second' })],
    ['asks for something impossible', (world) => void world.add('mira', [tool('x'), tool('x')])],
  ];
  const modes = ['hybrid', 'fixed'] as const;

  test.each(modes.flatMap((mode) => deeds.map(([what, deed]) => [mode, what, deed] as const)))(
    '%s: a handler that %s inside run gets one result or its session ends',
    async (tickMode, _what, deed) => {
      const world: TestWorld = new TestWorld([tool('act', { lane: 'all', onBusy: 'queue', run: () => deed(world) })], { tickMode });
      world.add('second');
      const agent = world.open({ event_subscriptions: ['tick', 'audio'] });
      const ids = [agent.call('act'), agent.call('act')];
      await world.frame();
      await world.frame();
      await world.frame();
      expect(agent.resultsOf(ids[0]!)).toHaveLength(1);
      // What comes after session_close is dropped.
      expect(agent.resultsOf(ids[1]!).length + agent.farewells.length).toBeGreaterThanOrEqual(1);
      expect(agent.resultsOf(ids[1]!).length).toBeLessThanOrEqual(1);
      await closesClean(world);
    },
  );

  test.each(deeds)('a handler that %s when it hears of its abort', async (_what, deed) => {
    const world: TestWorld = new TestWorld([
      tool('act', {
        run: (_input, { signal }) => {
          signal.onabort = () => deed(world);
          return new Promise(() => undefined);
        },
      }),
    ]);
    world.add('second');
    const agent = world.open();
    const ids = [agent.call('act'), agent.call('act')];
    world.mira.remove('enough');
    for (const id of ids) expect(agent.resultsOf(id)).toHaveLength(1);
    expect(agent.farewells).toHaveLength(1);
    expect(agent.closings).toHaveLength(1);
    await closesClean(world);
  });

  test.each(modes.flatMap((mode) => deeds.map(([what, deed]) => [mode, what, deed] as const)))(
    '%s: an available that %s answers the call or ends its session',
    async (tickMode, _what, deed) => {
      const available = () => {
        deed(world);
        return true;
      };
      const world: TestWorld = new TestWorld([tool('act', { available })], { tickMode });
      world.add('second');
      const agent = world.open();
      const id = agent.call('act');
      await world.frame();
      await world.frame();
      expect(agent.resultsOf(id).length + agent.farewells.length).toBe(1);
      await closesClean(world);
    },
  );

  test.each(deeds.filter(([what]) => what !== 'advances the world'))('a snapshot sensor that %s', async (_what, deed) => {
    const world: TestWorld = new TestWorld([tool('see', { class: 'sensor', snapshot: true, run: () => deed(world) })]);
    world.add('second');
    const agent = world.open({
      event_subscriptions: ['tick'],
      observe: true,
      agent_model: { class: 'edge_small', expected_full_response_ms: 0 },
    });
    agent.handler.message('{}');
    await world.frame();
    await world.frame();
    expect(agent.init.type).toBe('session_init');
    expect(agent.closings.length).toBeLessThanOrEqual(1);
    await closesClean(world);
  });

  test.each(deeds)('a condition that %s', async (_what, deed) => {
    const world: TestWorld = new TestWorld([
      tool('act', {
        run: (_input, context) => {
          let asked = 0;
          return context.until(() => {
            if (++asked === 2) deed(world);
            return asked > 2;
          });
        },
      }),
    ]);
    world.add('second');
    const agent = world.open();
    const id = agent.call('act');
    for (let n = 0; n < 4; n++) await world.frame();
    world.mira.setPaused(false);
    await world.frame();
    expect(agent.resultsOf(id)).toHaveLength(1);
    await closesClean(world);
  });

  test('the first tick’s sensor that removes the character leaves no session behind', () => {
    const world: TestWorld = new TestWorld([tool('see', { class: 'sensor', snapshot: true, run: () => world.mira.remove() })]);
    const agent = world.open({ event_subscriptions: ['tick'] });
    expect(world.bridge.sessions()).toEqual([]);
    expect(agent.closings).toHaveLength(1);
    expect(world.clock.timers).toBe(0);
  });

  async function closesClean(world: TestWorld): Promise<void> {
    await settle();
    world.bridge.close();
    await settle();
    expect(world.clock.timers).toBe(0);
    expect(world.bridge.sessions()).toEqual([]);
    expect(world.bridge.characters()).toEqual([]);
  }
});

describe('the host’s own code', () => {
  test('a context that cannot be made fails calls and leaves sensors out', async () => {
    const world = new TestWorld([tool('act'), tool('see', { class: 'sensor', snapshot: true })], { mira: { extend: () => fail() } });
    const agent = world.open({ event_subscriptions: ['tick'] });
    expect(agent.heard('tick')[0]?.snapshot).toEqual({ available: {}, sensors: {}, omitted: ['see'] });
    expect(agent.result(agent.call('act')).error?.code).toBe('execution_failed');
    await staysWell(world, agent);
  });

  test('an approval that never settles leaves nothing behind', async () => {
    const world = new TestWorld([tool('act')], {
      policyFor: () => ({ allows: () => true, needsApproval: ({ id }) => id === 'act' }),
      approve: () => new Promise(() => undefined),
    });
    const agent = world.open();
    agent.call('act');
    await staysWell(world, agent);
  });
});

function fail(): never {
  throw new Error('on purpose');
}
