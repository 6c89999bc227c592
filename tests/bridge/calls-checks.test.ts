import { describe, expect, test } from 'vitest';
import type { ApprovalRequest, Policy } from '../../src/bridge/index.ts';
import { callContent } from '../../src/protocol/index.ts';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { settle, TestWorld, testId } from '../fixtures/bridge-world.ts';

const number = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

describe('D1: a call_id is used once', () => {
  test('D1: the same call_id with the same content runs once and gets the recorded result again', () => {
    let runs = 0;
    const agent = new TestWorld([tool('roll', { input: number, run: () => ({ runs: ++runs }) })]).open();
    agent.call('roll', { n: 1 }, 'a');
    agent.call('roll', { n: 1 }, 'a');
    expect(runs).toBe(1);
    const [first, second] = agent.resultsOf('a');
    expect(second).toEqual(first);
    expect(agent.errors).toEqual([]);
  });

  test('D1: the order of members makes no other content', () => {
    let runs = 0;
    const agent = new TestWorld([tool('roll', { input: { type: 'object' }, run: () => ({ runs: ++runs }) })]).open();
    agent.call('roll', { a: 1, b: { c: 2, d: 3 } }, 'a');
    agent.call('roll', { b: { d: 3, c: 2 }, a: 1 }, 'a');
    expect(runs).toBe(1);
    expect(agent.resultsOf('a')).toHaveLength(2);
  });

  test('D1: repeated while it runs, the running call answers, once', async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const agent = world.open();
    agent.call('hum', {}, 'a');
    agent.call('hum', {}, 'a');
    runs[0]?.finish({});
    await settle();
    expect(runs).toHaveLength(1);
    expect(agent.resultsOf('a')).toHaveLength(1);
  });

  test.each([
    ['another input', 'roll', { n: 2 }],
    ['another tool', 'spin', { n: 1 }],
    ['a member more', 'roll', { n: 1, m: 1 }],
  ])('D1: %s under the same call_id is an error that names the message, and nothing runs', (_what, id, input) => {
    const ran: string[] = [];
    const agent = new TestWorld(['roll', 'spin'].map((name) => tool(name, { input: number, run: () => void ran.push(name) }))).open();
    agent.call('roll', { n: 1 }, 'a');
    const message_id = agent.send({ type: 'tool_call', call_id: 'a', tool: id, input });
    expect(ran).toEqual(['roll']);
    expect(agent.resultsOf('a')).toHaveLength(1);
    expect(agent.errors).toMatchObject([{ message_id, error: { code: 'invalid_input', retryable: false } }]);
  });

  test('D1: a failed call is remembered like any other: a retry needs a new call_id', () => {
    let open = false;
    const agent = new TestWorld([tool('door', { available: () => open || 'it is locked' })]).open();
    agent.call('door', {}, 'a');
    open = true;
    agent.call('door', {}, 'a');
    expect(agent.resultsOf('a').map((result) => result.ok)).toEqual([false, false]);
    expect(agent.output(agent.call('door', {}, 'b'))).toEqual({});
  });

  test("D1: one session's call_ids are not another's", () => {
    const world = new TestWorld([tool('wave')], { mira: { maxSessions: 2 } });
    const [one, two] = [world.open(), world.open()];
    one.call('wave', {}, 'a');
    expect(two.output(two.call('wave', {}, 'a'))).toEqual({});
  });

  test('D1: the last 1,024 finished calls are remembered, and one more is not', () => {
    let runs = 0;
    const agent = new TestWorld([tool('roll', { run: () => ({ runs: ++runs }) })]).open();
    for (let n = 0; n < 1_025; n++) agent.call('roll', {}, `call ${n}`);
    agent.call('roll', {}, 'call 1');
    expect(runs).toBe(1_025);
    agent.call('roll', {}, 'call 0');
    expect(runs).toBe(1_026);
  });

  test('D1: a pending call is remembered, however many have finished since', () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum, tool('roll')]).open();
    agent.call('hum', {}, 'pending');
    for (let n = 0; n < 1_100; n++) agent.call('roll');
    agent.call('hum', {}, 'pending');
    expect(runs).toHaveLength(1);
    expect(agent.errors).toEqual([]);
  });

  test('D1: an outcome that has left the store is an error, and nothing runs', () => {
    let runs = 0;
    const agent = new TestWorld([
      tool('shout', {
        run: () => {
          runs++;
          return { text: 'x'.repeat(1_000_000) };
        },
      }),
    ]).open();
    for (let n = 0; n < 9; n++) agent.call('shout', {}, `call ${n}`);
    const message_id = agent.send({ type: 'tool_call', call_id: 'call 0', tool: 'shout', input: {} });
    expect(runs).toBe(9);
    expect(agent.resultsOf('call 0')).toHaveLength(1);
    expect(agent.errors).toMatchObject([{ message_id, error: { code: 'execution_failed' } }]);
  });

  test('D1: a call_id may have 1,024 characters and no more', () => {
    const agent = new TestWorld([tool('wave')]).open();
    expect(agent.output(agent.call('wave', {}, 'x'.repeat(1_024)))).toEqual({});
    const message_id = agent.send({ type: 'tool_call', call_id: 'x'.repeat(1_025), tool: 'wave', input: {} });
    expect(agent.errors).toMatchObject([{ message_id, error: { code: 'invalid_input' } }]);
  });
});

describe('A7: malformed calls', () => {
  const refused = (more: object = {}) => ({ call_id: 'a', content: callContent('wave', undefined), error: '/input is missing', ...more });

  test('A7: one whose call_id could be read gets a result', () => {
    const agent = new TestWorld([tool('wave')]).open();
    agent.handler.refusedCall(refused());
    expect(agent.result('a')).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: '/input is missing', retryable: false },
    });
  });

  test('A7: its outcome is recorded, so the call_id is used up', () => {
    const agent = new TestWorld([tool('wave')]).open();
    agent.handler.refusedCall(refused());
    agent.call('wave', {}, 'a');
    expect(agent.resultsOf('a')).toHaveLength(1);
    expect(agent.errors).toMatchObject([{ error: { code: 'invalid_input' } }]);
  });

  test('A7: a call_id already seen gets an error with the message_id, and the call goes on', async () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum]).open();
    agent.call('hum', {}, 'a');
    const message_id = testId();
    agent.handler.refusedCall(refused({ message_id }));
    expect(agent.errors).toMatchObject([{ message_id, error: { code: 'invalid_input' } }]);
    runs[0]?.finish({});
    await settle();
    expect(agent.output('a')).toEqual({});
  });

  test('A7: the same malformed call twice gets its result, then an error', () => {
    const agent = new TestWorld([]).open();
    agent.handler.refusedCall(refused());
    agent.handler.refusedCall(refused());
    expect(agent.resultsOf('a')).toHaveLength(1);
    expect(agent.errors).toHaveLength(1);
  });

  test("A7: one of another session's gets an error, no result", () => {
    const agent = new TestWorld([]).open();
    agent.handler.refusedCall(refused({ session_id: testId() }));
    expect(agent.results).toEqual([]);
    expect(agent.errors).toHaveLength(1);
  });
});

describe('D2: tool_unknown', () => {
  test('D2: it names the closest id of the catalogue', () => {
    const agent = new TestWorld([tool('move_to'), tool('look_around')]).open();
    const { error } = agent.result(agent.call('moveto'));
    expect(error).toMatchObject({ code: 'tool_unknown', retryable: false });
    expect(error?.message).toContain("'move_to'");
  });

  test('D2: an id that begins with the wanted name is closer than one that is spelt alike', () => {
    const agent = new TestWorld([tool('talk'), tool('walk_to')]).open();
    expect(agent.result(agent.call('walk')).error?.message).toContain("'walk_to'");
  });

  test('D2: what the session may not see is not named', () => {
    const agent = new TestWorld([tool('shoot', { requiresCapability: 'combat' }), tool('wave')]).open({ capabilities: [] });
    expect(agent.result(agent.call('shoott')).error?.message).not.toContain("'shoot'");
  });

  test('D2: a tool that was taken away is unknown', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    world.mira.setTools([]);
    expect(agent.result(agent.call('wave')).error?.code).toBe('tool_unknown');
  });

  test('A2: an endless tool id is answered within a message', () => {
    const agent = new TestWorld([tool('wave')]).open();
    const { error } = agent.result(agent.call('x'.repeat(1_000_000)));
    expect(error?.code).toBe('tool_unknown');
    expect(error?.message.length).toBeLessThan(4_097);
    expect(error?.message).toContain("'wave'");
  });
});

describe('D3: requires_capability', () => {
  const shoot = tool('shoot', { requiresCapability: 'combat' });

  test('D3: such a tool is left out of the catalogue of a session without the capability, and calls name what is missing', () => {
    const agent = new TestWorld([shoot]).open({ capabilities: ['locomotion'] });
    expect(agent.init.tools.map((entry) => entry.id)).toEqual(['cancel_call']);
    const { error } = agent.result(agent.call('shoot'));
    expect(error).toMatchObject({ code: 'tool_unavailable', retryable: false });
    expect(error?.message).toContain("'combat'");
  });

  test('D3: who holds it sees and calls it', () => {
    const agent = new TestWorld([shoot]).open({ capabilities: ['combat'] });
    expect(agent.init.tools.map((entry) => entry.id)).toEqual(['shoot', 'cancel_call']);
    expect(agent.output(agent.call('shoot'))).toEqual({});
  });
});

describe('D4: contracts', () => {
  const policy = (more: Partial<Policy> = {}): Policy => ({ allows: () => true, needsApproval: () => false, ...more });

  test('D4: what the contract forbids is out of sight, and calls get its reason', () => {
    const world = new TestWorld([tool('shoot'), tool('wave')], {
      policyFor: () => policy({ allows: ({ id }) => id !== 'shoot' || 'no weapons here' }),
    });
    const agent = world.open();
    expect(agent.init.tools.map((entry) => entry.id)).toEqual(['wave', 'cancel_call']);
    expect(agent.result(agent.call('shoot')).error).toEqual({ code: 'tool_unavailable', message: 'no weapons here', retryable: false });
    expect(agent.output(agent.call('wave'))).toEqual({});
  });

  test('D4: the contract is asked about a tool by id, class and capability', () => {
    const asked: unknown[] = [];
    const world = new TestWorld([tool('shoot', { capability: 'combat' })], {
      policyFor: ({ principal }) =>
        policy({
          allows: ({ id, class: kind, capability }) => {
            asked.push([principal, id, kind, capability]);
            return true;
          },
        }),
    });
    world.open({ principal: 'alice' });
    expect(asked).toContainEqual(['alice', 'shoot', 'actuator', 'combat']);
  });

  test('D4: a contract that throws forbids', () => {
    const world = new TestWorld([tool('wave')], {
      policyFor: () =>
        policy({
          allows: () => {
            throw new Error('unreadable');
          },
        }),
    });
    const agent = world.open();
    expect(agent.result(agent.call('wave')).error).toMatchObject({ code: 'tool_unavailable', retryable: false });
  });

  test('B6: an in-page driver is under no contract', () => {
    const world = new TestWorld([tool('wave')], { policyFor: () => policy({ allows: () => 'never' }) });
    const driver = world.openYielding();
    expect(driver.output(driver.call('wave'))).toEqual({});
  });
});

describe('D5: not available now', () => {
  test('D5: available says why, and the catalogue stays', () => {
    const world = new TestWorld([tool('door', { available: () => 'it is locked; fetch the key' })]);
    const agent = world.open();
    expect(agent.init.tools[0]?.id).toBe('door');
    expect(agent.result(agent.call('door')).error).toEqual({
      code: 'tool_unavailable',
      message: 'it is locked; fetch the key',
      retryable: true,
    });
    world.clock.pass(5_000);
    expect(agent.heartbeats).toEqual([]);
  });

  test('D5: available is asked with the caller, each time', () => {
    const callers: string[] = [];
    const agent = new TestWorld([tool('door', { available: ({ session }) => callers.push(session.principal) > 0 })]).open({
      principal: 'alice',
    });
    agent.call('door');
    expect(new Set(callers)).toEqual(new Set(['alice']));
  });

  test.each([
    ['rejects later', { available: () => Promise.reject(new Error('later')) }],
    ['answers later', { available: () => Promise.resolve(true) }],
    ['answers nothing', { available: () => undefined }],
    ['says false', { available: () => false }],
    [
      'throws at once',
      {
        available: () => {
          throw new Error('no');
        },
      },
    ],
  ])('D5: an available that %s counts as a no', async (_what, more) => {
    const agent = new TestWorld([tool('door', more)]).open();
    const { error } = agent.result(agent.call('door'));
    expect(error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    expect(error?.message).toContain("'door'");
    await settle();
  });

  test('D5: an endless reason is cut to what an error may hold', () => {
    const agent = new TestWorld([tool('door', { available: () => 'x'.repeat(2_000_000) })]).open({ event_subscriptions: ['tick'] });
    expect(agent.result(agent.call('door')).error?.message).toHaveLength(4_096);
    expect(agent.events).toHaveLength(1);
  });
});

describe('D6: input', () => {
  test('D6: every failing pointer is named', () => {
    const input = {
      type: 'object',
      properties: {
        at: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x', 'y'] },
        speed: { type: 'number' },
      },
      required: ['at', 'speed'],
    };
    const agent = new TestWorld([tool('go', { input })]).open();
    const { error } = agent.result(agent.call('go', { at: { x: 'left' } }));
    expect(error).toMatchObject({ code: 'invalid_input', retryable: false });
    for (const pointer of ['/at/x', '/at/y', '/speed']) expect(error?.message).toContain(pointer);
  });

  test('D6: undeclared members are dropped before the handler', () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum]).open();
    agent.call('hum', { n: 1, loud: true });
    expect(runs[0]?.input).toEqual({ n: 1 });
  });

  test('D6: with strict_input they are refused at every depth, and named', () => {
    const input = { type: 'object', properties: { at: { type: 'object', properties: { x: { type: 'number' } } } } };
    const agent = new TestWorld([tool('go', { input, strictInput: true })]).open();
    const { error } = agent.result(agent.call('go', { at: { x: 1, z: 2 }, fast: true }));
    expect(error?.code).toBe('invalid_input');
    expect(error?.message).toContain('/at/z');
    expect(error?.message).toContain('/fast');
  });

  test('D6: an input with two thousand mistakes is answered within a message', () => {
    const agent = new TestWorld([tool('go', { input: { type: 'object', additionalProperties: { type: 'string' } } })]).open();
    const input = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`member${n}`.repeat(5), n]));
    expect(agent.result(agent.call('go', input)).error?.code).toBe('invalid_input');
  });
});

describe('D8: stale decisions', () => {
  async function at(tick: number, maxAgeTicks: number, more: object = {}) {
    const { tool: shoot, runs } = held('shoot', { maxAgeTicks, ...more });
    const world = new TestWorld([shoot]);
    const agent = world.open();
    for (let n = 0; n < tick; n++) await world.frame();
    return { agent, runs, world };
  }

  test('D8: observed_tick is required by the bridge and not shown to the handler', async () => {
    const { agent, runs } = await at(3, 2);
    expect(agent.init.tools[0]?.input_schema).toMatchObject({
      properties: { observed_tick: { type: 'integer' } },
      required: ['observed_tick'],
    });
    const { error } = agent.result(agent.call('shoot', { n: 1 }));
    expect(error?.code).toBe('invalid_input');
    expect(error?.message).toContain('/observed_tick');
    agent.call('shoot', { n: 1, observed_tick: 3 });
    expect(runs[0]?.input).toEqual({ n: 1 });
  });

  test('D8: as old as maxAgeTicks is good, one tick older is stale and retryable', async () => {
    const { agent, runs } = await at(5, 2);
    agent.call('shoot', { observed_tick: 3 });
    expect(runs).toHaveLength(1);
    const { error } = agent.result(agent.call('shoot', { observed_tick: 2 }));
    expect(error).toEqual({ code: 'tool_unavailable', message: 'stale', retryable: true });
    expect(runs).toHaveLength(1);
  });

  test('D8: it goes with strict_input too', async () => {
    const { agent, runs } = await at(1, 0, { strictInput: true });
    agent.call('shoot', { n: 1, observed_tick: 1 });
    expect(runs[0]?.input).toEqual({ n: 1 });
  });

  test('D8: it is a check on receipt: the tick that a call waits for in fixed mode does not make it stale', async () => {
    const { tool: shoot, runs } = held('shoot', { maxAgeTicks: 0 });
    const world = new TestWorld([shoot], { tickMode: 'fixed' });
    const agent = world.open();
    agent.call('shoot', { observed_tick: 0 });
    await world.frame();
    await world.frame();
    expect(runs).toHaveLength(1);
  });
});

describe('D9: approval', () => {
  function asking(approve?: (request: ApprovalRequest) => Promise<boolean>, tools = [tool('shoot', { input: number })]) {
    const requests: ApprovalRequest[] = [];
    const world = new TestWorld(tools, {
      policyFor: () => ({ allows: () => true, needsApproval: ({ id }) => id === 'shoot' }),
      ...(approve && {
        approve: (request: ApprovalRequest) => {
          requests.push(request);
          return approve(request);
        },
      }),
    });
    return { world, requests, agent: world.open({ principal: 'alice' }) };
  }

  test('D9: nobody there to ask: refused at once, not retryable', () => {
    const { agent } = asking();
    expect(agent.result(agent.call('shoot', { n: 1 })).error).toMatchObject({ code: 'tool_unavailable', retryable: false });
  });

  test('D9: the person is told who wants to do what, and a yes runs it', async () => {
    const { agent, requests } = asking(async () => true);
    const id = agent.call('shoot', { n: 1 });
    expect(agent.results).toEqual([]);
    await settle();
    expect(agent.output(id)).toEqual({});
    expect(requests[0]).toMatchObject({ character: 'mira', principal: 'alice', tool: 'shoot', input: { n: 1 } });
  });

  test('D9: a changed request does not change the call', async () => {
    let input: unknown;
    const { agent } = asking(
      async (request) => {
        request.input.n = 7;
        return true;
      },
      [
        tool('shoot', {
          input: number,
          run: (given) => {
            input = given;
          },
        }),
      ],
    );
    agent.call('shoot', { n: 1 });
    await settle();
    expect(input).toEqual({ n: 1 });
  });

  test.each([
    ['no', async () => false],
    ['a rejection', () => Promise.reject(new Error('window closed'))],
    ['something that is neither', async () => 'perhaps' as never],
    [
      'a throw',
      () => {
        throw new Error('no window');
      },
    ],
  ])('D9: %s refuses, not retryable', async (_what, approve) => {
    const { agent } = asking(approve);
    const id = agent.call('shoot', { n: 1 });
    await settle();
    expect(agent.result(id).error).toMatchObject({ code: 'tool_unavailable', retryable: false });
  });

  test('D9: after 60 s of wall time without an answer it is refused and the question is taken away', () => {
    const { world, agent, requests } = asking(() => new Promise(() => undefined));
    const id = agent.call('shoot', { n: 1 });
    world.clock.pass(59_999);
    expect(agent.results).toEqual([]);
    world.clock.pass(1);
    expect(agent.result(id).error).toMatchObject({ code: 'tool_unavailable', retryable: false });
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  test('D9: a yes that comes too late runs nothing', async () => {
    let answer: (yes: boolean) => void = () => undefined;
    const { tool: shoot, runs } = held('shoot');
    const { world, agent } = asking(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      [shoot],
    );
    const id = agent.call('shoot', {});
    world.clock.pass(60_000);
    answer(true);
    await settle();
    expect(runs).toEqual([]);
    expect(agent.result(id).ok).toBe(false);
  });

  test('D9: a yes holds, however soon before its end it came', async () => {
    let answer: (yes: boolean) => void = () => undefined;
    const world = new TestWorld([tool('shoot')], {
      tickMode: 'fixed',
      policyFor: () => ({ allows: () => true, needsApproval: () => true }),
      approve: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const agent = world.open();
    const id = agent.call('shoot');
    world.clock.pass(59_950);
    answer(true);
    await settle();
    await world.frame();
    await world.frame();
    expect(agent.output(id)).toEqual({});
  });

  test('D9: after it availability and age are checked again', async () => {
    let open = true;
    const answers: ((yes: boolean) => void)[] = [];
    const world = new TestWorld([tool('door', { available: () => open || 'locked' }), tool('shoot', { maxAgeTicks: 0 })], {
      policyFor: () => ({ allows: () => true, needsApproval: () => true }),
      approve: () => new Promise((resolve) => answers.push(resolve)),
    });
    const agent = world.open();
    const ids = [agent.call('door'), agent.call('shoot', { observed_tick: 0 })];
    open = false;
    await world.frame();
    for (const answer of answers) answer(true);
    await settle();
    expect(ids.map((id) => agent.result(id).error?.message)).toEqual(['locked', 'stale']);
  });

  test('D9, D17: a cancelled question is taken away', () => {
    const { agent, requests } = asking(() => new Promise(() => undefined));
    const id = agent.call('shoot', { n: 1 });
    expect(agent.output(agent.call('cancel_call', { call_id: id }))).toEqual({ cancelled: true });
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  test('D9: a contract that throws when asked about approval asks for it', () => {
    const world = new TestWorld([tool('shoot')], {
      policyFor: () => ({
        allows: () => true,
        needsApproval: () => {
          throw new Error('unreadable');
        },
      }),
    });
    const agent = world.open();
    expect(agent.result(agent.call('shoot')).error).toMatchObject({ code: 'tool_unavailable', retryable: false });
  });
});

describe('the order of checks', () => {
  const busy = () => 'not now';

  test('D2 before D3, D3 before D4, D4 before D5, D5 before D6, D6 before D7, D7 before D8', async () => {
    const world = new TestWorld(
      [
        tool('three', { requiresCapability: 'combat', available: busy, input: number }),
        tool('four', { available: busy, input: number }),
        tool('five', { available: busy, input: number }),
        tool('six', { input: number, limits: { calls_per_session: 1 } }),
        tool('seven', { limits: { calls_per_session: 1 }, maxAgeTicks: 0 }),
      ],
      {
        policyFor: () => ({
          allows: ({ id }) => id === 'five' || id === 'six' || id === 'seven' || `contract against ${id}`,
          needsApproval: () => false,
        }),
      },
    );
    const agent = world.open({ capabilities: [] });
    await world.frame();
    const said = (id: string, input = {}) => agent.result(agent.call(id, input)).error?.message;
    expect(said('three')).toContain("'combat'");
    expect(said('four')).toBe('contract against four');
    expect(said('five')).toBe('not now');
    agent.call('six', { n: 1 });
    expect(said('six')).toContain('/n');
    expect(said('seven', { observed_tick: 0 })).toBe('stale');
    expect(said('seven', { observed_tick: 0 })).toContain('session');
  });

  test('D8 before D9: a stale call asks nobody', async () => {
    let asked = 0;
    const world = new TestWorld([tool('shoot', { maxAgeTicks: 0 })], {
      policyFor: () => ({ allows: () => true, needsApproval: () => true }),
      approve: async () => ++asked > 0,
    });
    const agent = world.open();
    await world.frame();
    expect(agent.result(agent.call('shoot', { observed_tick: 0 })).error?.message).toBe('stale');
    expect(asked).toBe(0);
  });

  test('D16: calls are checked in the order received, and results may overtake', async () => {
    const { tool: slow, runs } = held('slow');
    const agent = new TestWorld([slow, tool('fast')]).open();
    const first = agent.call('slow');
    const second = agent.call('fast');
    runs[0]?.finish({});
    await settle();
    expect(agent.results.map((result) => result.call_id)).toEqual([second, first]);
  });
});
