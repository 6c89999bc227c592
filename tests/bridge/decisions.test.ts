import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { seededRandom } from '../../src/bridge/index.ts';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { settle, type TestAgent, TestWorld } from '../fixtures/bridge-world.ts';

type Question = Parameters<TestWorld['mira']['ask']>[0];

const pass = { tool: 'pass', input: {} };

/** Tools that note who did what, and a question about them. */
function table() {
  const acted: string[] = [];
  const noting = (id: string) => tool(id, { run: () => void acted.push(id) });
  return { acted, tools: [noting('play'), noting('pass'), noting('fold')] };
}

/** Asks; `ended` tells how, once it has. */
function ask(world: TestWorld, more: Partial<Question> = {}) {
  const told: { ended?: string } = {};
  world.mira.ask({ prompt: 'Your turn.', tools: ['play'], deadlineMs: 1_000, fallback: pass, ...more }).then(
    ({ by, call }) => (told.ended = `${by} ${call.tool}`),
    ({ message }: Error) => (told.ended = message),
  );
  return told;
}

const questionsTo = (agent: TestAgent) => agent.heard('state_change').filter(({ kind }) => kind === 'decision');
const askIdOf = (agent: TestAgent) => String(questionsTo(agent).at(-1)?.ask_id);
const answer = (agent: TestAgent, chosen = 'play', input: JsonObject = {}) =>
  agent.call('decide', { ask_id: askIdOf(agent), tool: chosen, input });

describe('D18: the question', () => {
  test('D18: decide joins the catalogue at the first question, its manifest_update before the event, and no other comes', () => {
    const world = new TestWorld(table().tools, { mira: { maxSessions: 2 } });
    const agent = world.open();
    expect(agent.init.tools.map(({ id }) => id)).not.toContain('decide');
    agent.take();
    ask(world);
    const [update, event, ...more] = agent.take();
    expect(update).toMatchObject({ type: 'heartbeat' });
    expect(agent.heartbeats.at(-1)?.manifest_update?.tools.map(({ id }) => id)).toEqual(['play', 'pass', 'fold', 'cancel_call', 'decide']);
    expect(event).toMatchObject({ type: 'event', payload: { kind: 'decision', deadline_ms: 1_000 } });
    expect(more).toEqual([]);
    world.clock.pass(5_000);
    agent.take();
    ask(world);
    expect(agent.take().map(({ type }) => type)).toEqual(['event']);
    world.clock.pass(5_000);
    expect(agent.heartbeats.filter((heartbeat) => heartbeat.manifest_update)).toHaveLength(1);
  });

  test('D18: an answer may name the offered tools alone; another one leaves the question open', async () => {
    const { tools, acted } = table();
    const world = new TestWorld(tools);
    const agent = world.open();
    const told = ask(world);
    expect(agent.result(answer(agent, 'fold')).error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('play') });
    expect(acted).toEqual([]);
    expect(agent.output(answer(agent))).toEqual({});
    await settle();
    expect([told.ended, acted]).toEqual(['agent play', ['play']]);
  });

  test('D18: a newcomer is told of it, and what is left of its deadline', async () => {
    const { tools, acted } = table();
    const world = new TestWorld(tools, { mira: { maxSessions: 2 } });
    world.open();
    const told = ask(world, { deadlineMs: 60_000 });
    world.clock.pass(50_000);
    world.mira.setPaused(true);
    world.clock.pass(100_000);
    const newcomer = world.open();
    expect(questionsTo(newcomer)).toMatchObject([{ prompt: 'Your turn.', tools: ['play'], deadline_ms: 10_000 }]);
    world.mira.setPaused(false);
    world.clock.pass(9_999);
    expect(questionsTo(world.open())).toEqual([]);
    answer(newcomer);
    await settle();
    expect([told.ended, acted]).toEqual(['agent play', ['play']]);
  });

  test('D18: nobody is told of a question that has been answered or is too late', () => {
    const world = new TestWorld(table().tools, { mira: { maxSessions: 4 } });
    const agent = world.open();
    ask(world);
    answer(agent);
    expect(questionsTo(world.open())).toEqual([]);
    ask(world);
    world.clock.pass(1_000);
    expect(questionsTo(world.open())).toEqual([]);
  });

  test('D18, E6: the deadline stands still while paused, and goes on with what was left', async () => {
    const { tools, acted } = table();
    const world = new TestWorld(tools);
    world.open();
    ask(world);
    world.clock.pass(400);
    world.mira.setPaused(true);
    world.clock.pass(60_000);
    world.mira.setPaused(false);
    world.clock.pass(300);
    world.mira.setPaused(true);
    world.clock.pass(60_000);
    world.mira.setPaused(false);
    world.clock.pass(299);
    expect(acted).toEqual([]);
    world.clock.pass(1);
    expect(acted).toEqual(['pass']);
  });

  test('D18, E6: one asked while paused waits with its whole deadline', () => {
    const { tools, acted } = table();
    const world = new TestWorld(tools);
    world.open();
    world.mira.setPaused(true);
    ask(world);
    world.clock.pass(60_000);
    world.mira.setPaused(false);
    world.clock.pass(999);
    expect(acted).toEqual([]);
    world.clock.pass(1);
    expect(acted).toEqual(['pass']);
  });
});

describe('D18: an answer that fails leaves the question open', () => {
  const integer = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  test.each([
    ['D3', 'tool_unavailable', { requiresCapability: 'gold' }, { n: 1 }],
    ['D5', 'tool_unavailable', { available: () => 'not your turn' }, { n: 1 }],
    ['D6', 'invalid_input', {}, { n: 'one' }],
    ['D7', 'tool_unavailable', { limits: { calls_per_session: 1 } }, { n: 1 }],
    ['D8', 'tool_unavailable', { maxAgeTicks: 1 }, { n: 1, observed_tick: 0 }],
  ])('D18: one that does not pass %s is %s, and the next one counts', async (_rule, code, spec, input) => {
    const acted: string[] = [];
    const world = new TestWorld([
      tool('play', { ...spec, input: integer, run: () => void acted.push('play') }),
      tool('fold', { run: () => void acted.push('fold') }),
      tool('pass'),
    ]);
    const agent = world.open({ capabilities: [] });
    if ('limits' in spec) agent.call('play', { n: 0 });
    acted.length = 0;
    for (let n = 0; n < 2; n++) await world.frame();
    const told = ask(world, { tools: ['play', 'fold'] });
    expect(agent.result(answer(agent, 'play', input)).error?.code).toBe(code);
    await settle();
    expect([told.ended, acted]).toEqual([undefined, []]);
    answer(agent, 'fold');
    await settle();
    expect([told.ended, acted]).toEqual(['agent fold', ['fold']]);
    world.clock.pass(5_000);
    expect(acted).toEqual(['fold']);
  });

  test('D18, D8: an answer that is fresh enough runs, without observed_tick', async () => {
    const { tool: play, runs } = held('play', { maxAgeTicks: 2 });
    const world = new TestWorld([play, tool('pass')]);
    const agent = world.open();
    for (let n = 0; n < 2; n++) await world.frame();
    ask(world);
    answer(agent, 'play', { n: 1, observed_tick: 0 });
    expect(runs.map(({ input }) => input)).toEqual([{ n: 1 }]);
  });
});

describe('D18: exactly one of agent and fallback acts', () => {
  test('D18: late and second answers are tool_unavailable, not retryable', async () => {
    const { tools, acted } = table();
    const world = new TestWorld(tools, { mira: { maxSessions: 2 } });
    const [one, two] = [world.open(), world.open()];
    const told = ask(world);
    answer(one);
    const second = two.result(answer(two)).error;
    ask(world);
    world.clock.pass(1_000);
    const late = one.result(answer(one)).error;
    for (const error of [second, late]) expect(error).toMatchObject({ code: 'tool_unavailable', retryable: false });
    await settle();
    expect([told.ended, acted]).toEqual(['agent play', ['play', 'pass']]);
  });

  test('D18, D10: an answer that a busy lane rejects leaves the question open: the next one counts, else the fallback', async () => {
    for (const again of [true, false]) {
      const { tool: play, runs } = held('play', { lane: 'hands', onBusy: 'reject' });
      const { tools, acted } = table();
      const world = new TestWorld([play, ...tools.slice(1)]);
      const agent = world.open();
      agent.call('play');
      const told = ask(world, { tools: ['play', 'fold'] });
      expect(agent.result(answer(agent)).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
      if (again) answer(agent, 'fold');
      world.clock.pass(1_000);
      await settle();
      expect([told.ended, acted]).toEqual(again ? ['agent fold', ['fold']] : ['fallback pass', ['pass']]);
      expect(runs).toHaveLength(1);
    }
  });

  test('D18, D10: one that waits for its lane over the deadline is still the answer: it acts, not the fallback', async () => {
    const { tool: play, runs } = held('play', { lane: 'hands', onBusy: 'queue' });
    const { tools, acted } = table();
    const world = new TestWorld([play, ...tools.slice(1)], { mira: { maxSessions: 2 } });
    const agent = world.open();
    agent.call('play');
    const told = ask(world);
    const id = answer(agent, 'play', { n: 2 });
    expect(questionsTo(world.open())).toEqual([]);
    expect(agent.result(answer(agent, 'play', { n: 3 })).error).toMatchObject({ code: 'tool_unavailable', retryable: false });
    world.clock.pass(5_000);
    runs[0]?.finish({});
    await settle();
    runs[1]?.finish({ done: 2 });
    await settle();
    expect(agent.output(id)).toEqual({ done: 2 });
    expect([told.ended, acted, runs.length]).toEqual(['agent play', [], 2]);
    world.clock.pass(60_000);
    expect(acted).toEqual([]);
  });

  test.each([
    ['D10: 30 s in a queue', 'timeout', (_agent: TestAgent, world: TestWorld) => world.clock.pass(30_000)],
    [
      'D17: cancel_call',
      'execution_failed',
      (agent: TestAgent, world: TestWorld, id: string) => {
        world.clock.pass(5_000);
        agent.call('cancel_call', { call_id: id });
      },
    ],
  ] as const)('D18, %s ends the answer after the deadline: the fallback acts at once, and once', async (_what, code, end) => {
    const { tool: play, runs } = held('play', { lane: 'hands', onBusy: 'queue', timeoutMs: 1e6 });
    const { tools, acted } = table();
    const world = new TestWorld([play, ...tools.slice(1)]);
    const agent = world.open();
    agent.call('play');
    const told = ask(world);
    const id = answer(agent);
    expect(acted).toEqual([]);
    end(agent, world, id);
    expect(agent.result(id).error?.code).toBe(code);
    world.clock.pass(0);
    await settle();
    expect([told.ended, acted, runs.length]).toEqual(['fallback pass', ['pass'], 1]);
    world.clock.pass(200_000);
    expect(acted).toEqual(['pass']);
  });

  test('D18, E6: an answer that ends unbegun while paused leaves the fallback to the time after', async () => {
    const { tool: play } = held('play', { lane: 'hands', onBusy: 'queue', timeoutMs: 1e6 });
    const { tools, acted } = table();
    const world = new TestWorld([play, ...tools.slice(1)]);
    const agent = world.open();
    agent.call('play');
    const told = ask(world);
    const id = answer(agent);
    world.clock.pass(29_000);
    world.mira.setPaused(true);
    agent.call('cancel_call', { call_id: id });
    world.clock.pass(30_000);
    expect(told.ended).toBeUndefined();
    world.mira.setPaused(false);
    world.clock.pass(0);
    await settle();
    expect([told.ended, acted]).toEqual(['fallback pass', ['pass']]);
  });

  test.each([
    ['refused', false],
    ['given', true],
  ])("D18, D9: a person's approval is %s after the deadline", async (_what, allowed) => {
    const { tools, acted } = table();
    let decideIt!: (allowed: boolean) => void;
    const world = new TestWorld(tools, {
      approve: () => new Promise((resolve) => (decideIt = resolve)),
      policyFor: () => ({ allows: () => true, needsApproval: ({ id }) => id === 'play' }),
    });
    const agent = world.open();
    const told = ask(world);
    const id = answer(agent);
    world.clock.pass(5_000);
    expect([agent.resultsOf(id), acted]).toEqual([[], []]);
    decideIt(allowed);
    await settle();
    expect(agent.result(id).ok).toBe(allowed);
    world.clock.pass(0);
    await settle();
    expect([told.ended, acted]).toEqual(allowed ? ['agent play', ['play']] : ['fallback pass', ['pass']]);
  });

  test('D18, D9: where nobody can approve, the question stays open for another answer', async () => {
    const { tools, acted } = table();
    const world = new TestWorld(tools, { policyFor: () => ({ allows: () => true, needsApproval: ({ id }) => id === 'play' }) });
    const agent = world.open();
    const told = ask(world, { tools: ['play', 'fold'] });
    expect(agent.result(answer(agent)).error).toMatchObject({ code: 'tool_unavailable', retryable: false });
    answer(agent, 'fold');
    await settle();
    expect([told.ended, acted]).toEqual(['agent fold', ['fold']]);
  });

  test('D18: an answer that has begun counts, however it ends', async () => {
    const { tool: play, runs } = held('play');
    const { tools, acted } = table();
    const world = new TestWorld([play, ...tools.slice(1)]);
    const agent = world.open();
    const told = ask(world);
    const id = answer(agent);
    runs[0]?.fail(new Error('no such card'));
    await settle();
    expect(agent.result(id).error?.message).toBe('no such card');
    world.clock.pass(5_000);
    await settle();
    expect([told.ended, acted]).toEqual(['no such card', []]);
  });

  test('D18, C4: the agent goes while its answer waits: the next agent is asked', async () => {
    const { tool: play } = held('play', { lane: 'hands', onBusy: 'queue' });
    const { tools, acted } = table();
    const world = new TestWorld([play, ...tools.slice(1)]);
    const agent = world.open();
    agent.call('play');
    const told = ask(world, { tools: ['play', 'fold'] });
    answer(agent);
    agent.handler.closed(true);
    const next = world.open();
    answer(next, 'fold');
    await settle();
    expect([told.ended, acted]).toEqual(['agent fold', ['fold']]);
  });

  test('C8: remove() ends open questions, waiting answers and fallbacks at work, and leaves no timer', async () => {
    const { tool: play } = held('play', { lane: 'hands', onBusy: 'queue' });
    const { tool: hold, runs } = held('pass');
    const world = new TestWorld([play, hold]);
    const agent = world.open();
    agent.call('play');
    const asked = [ask(world, { deadlineMs: 10 }), ask(world), ask(world)];
    world.clock.pass(10);
    expect(runs).toHaveLength(1);
    answer(agent);
    world.mira.remove();
    await settle();
    for (const told of asked) expect(told.ended).toBe("'mira' was removed");
    expect(runs[0]?.context.signal.aborted).toBe(true);
    expect(world.clock.timers).toBe(0);
  });

  test('C8, D10: a fallback that waits for its lane does not reach the next life', async () => {
    const { tool: play, runs } = held('play', { lane: 'hands', onBusy: 'queue' });
    const world = new TestWorld([play], { tickMode: 'fixed' });
    const agent = world.open();
    const told = ask(world, { deadlineMs: 0, fallback: { tool: 'play', input: {} } });
    world.clock.pass(0);
    world.add('mira', [play], { default: true });
    for (let n = 0; n < 2; n++) await world.frame();
    world.bridge.startDue();
    expect([told.ended, runs.length, agent.closings]).toEqual(['gone', 0, []]);
  });

  test('D18: 1,000 questions with answers around the deadline, on lanes and with persons to ask: one acts, never both nor none', async () => {
    const random = seededRandom('who acts');
    const acted = new Map<string, number>();
    const act = (id: string, onBusy: 'queue' | 'reject') =>
      tool(id, {
        lane: 'hands',
        onBusy,
        input: { type: 'object', properties: { name: { type: 'string' } } },
        run: async ({ name }, context) => {
          acted.set(String(name), (acted.get(String(name)) ?? 0) + 1);
          await context.sleep(random() * 200);
        },
      });
    const world = new TestWorld([act('queue', 'queue'), act('reject', 'reject'), act('asks', 'queue'), tool('pass')], {
      policyFor: () => ({ allows: () => true, needsApproval: ({ id }) => id === 'asks' }),
      approve: async () => random() < 0.5,
    });
    const agent = world.open();
    const by = { agent: 0, builtin: 0, fallback: 0 };
    for (let n = 0; n < 1_000; n++) {
      const name = `question ${n}`;
      // The lane is busy with something else as often as not.
      if (random() < 0.5) agent.call('queue', { name: `other ${n}` });
      let ended = false;
      const asked = world.mira
        .ask({
          prompt: name,
          tools: ['queue', 'reject', 'asks'],
          deadlineMs: random() * 300,
          fallback: () => {
            acted.set(name, (acted.get(name) ?? 0) + 1);
            return pass;
          },
        })
        .then((decision) => {
          ended = true;
          by[decision.by]++;
        });
      const answerAt = random() * 400;
      const chosen = ['queue', 'reject', 'asks'][Math.floor(random() * 3)] as string;
      for (let waited = 0; !ended; waited += 50) {
        if (waited >= answerAt && waited - 50 < answerAt) answer(agent, chosen, { name });
        await world.frame(50);
        if (waited > 60_000) throw new Error(`${name} is never decided`);
      }
      await asked;
    }
    const questions = [...acted].filter(([name]) => name.startsWith('question'));
    expect(questions).toHaveLength(1_000);
    expect(questions.filter(([, times]) => times !== 1)).toEqual([]);
    expect(by.agent).toBeGreaterThan(100);
    expect(by.fallback).toBeGreaterThan(100);
  });
});

describe('D18: a question always comes to an end', () => {
  const question = { prompt: 'Well?', tools: ['nod'], deadlineMs: 1_000, fallback: { tool: 'nod', input: {} } };

  test.each(['before', 'after'])('D18, E6: asked of a character that is removed while paused, %s its removal, it rejects', async (when) => {
    const world = new TestWorld([tool('nod')]);
    world.open();
    world.mira.setPaused(true);
    if (when === 'after') world.mira.remove();
    const asked = world.mira.ask(question);
    if (when === 'before') world.mira.remove();
    await expect(asked).rejects.toMatchObject({ code: 'tool_unavailable', retryable: false });
    expect(world.clock.timers).toBe(0);
  });

  test('D18, A2: a question that does not fit into an event throws where it is asked, and nobody hears of it', () => {
    const world = new TestWorld([tool('nod')]);
    const agent = world.open();
    const asking = (more: object) => () => void world.mira.ask({ ...question, ...more });
    expect(asking({ prompt: 'x'.repeat(2_000_000) })).toThrow(TypeError);
    expect(asking({ state: { text: '\u00e9'.repeat(600_000) } })).toThrow(TypeError);
    expect(asking({ deadlineMs: Number.POSITIVE_INFINITY })).toThrow('deadlineMs');
    expect(agent.events).toEqual([]);
    expect(agent.init.tools.map(({ id }) => id)).not.toContain('decide');
  });
});
