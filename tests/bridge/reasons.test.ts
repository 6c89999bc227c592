import { describe, expect, test } from 'vitest';
import { type Policy, ToolError } from '../../src/bridge/index.ts';
import { LIMITS } from '../../src/protocol/index.ts';
import { held, type LooseSpec, tool } from '../fixtures/bridge-tools.ts';
import { settle, type TestAgent, TestWorld } from '../fixtures/bridge-world.ts';

const legs = { lane: 'legs' };
const reasonOf = (agent: TestAgent, callId: string) => agent.result(callId).meta?.reason;

/** Calls a tool that ends at once. */
async function reasonFor(more: LooseSpec, input = {}, options: ConstructorParameters<typeof TestWorld>[1] = {}): Promise<unknown> {
  const agent = new TestWorld([tool('act', more)], options).open();
  const callId = agent.call('act', input);
  await settle();
  return reasonOf(agent, callId);
}

describe('D15: a failed result says in one word why', () => {
  test('D15: a success has no reason', async () => {
    expect(await reasonFor({})).toBeUndefined();
  });

  test.each<[string, LooseSpec, object?]>([
    ['invalid_input', { input: { type: 'object', properties: { n: { type: 'integer' } } } }, { n: 'x' }],
    ['internal_error', { run: () => 7 }],
    ['internal_error', { run: () => ({ text: 'x'.repeat(LIMITS.messageBytes) }) }],
    ['execution_failed', { run: () => Promise.reject(new Error('no')) }],
    ['unavailable', { available: () => 'too dark' }],
    ['unverified', { verify: () => 'the lantern is dark still' }],
  ])('D15: %s', async (reason, more, input = {}) => {
    expect(await reasonFor(more, input)).toBe(reason);
  });

  test('D3, D4, D9: a capability that is not held, a contract that forbids, an approval that nobody gives', async () => {
    const world = new TestWorld([tool('act', { requiresCapability: 'magic' })]);
    const agent = world.open({ capabilities: [] });
    expect(reasonOf(agent, agent.call('act'))).toBe('no_capability');
    const policy = (more: Partial<Policy>) => () => ({ allows: () => true as const, needsApproval: () => false, ...more });
    expect(await reasonFor({}, {}, { policyFor: policy({ allows: () => 'not in the contract' }) })).toBe('forbidden');
    expect(await reasonFor({}, {}, { policyFor: policy({ needsApproval: () => true }) })).toBe('unapproved');
  });

  test('D2, D7, D8: an unknown tool, used up limits, an old decision', async () => {
    const world = new TestWorld([
      tool('act', { maxAgeTicks: 0 }),
      tool('once', { limits: { calls_per_session: 1 } }),
      tool('seldom', { limits: { calls_per_minute: 1 } }),
    ]);
    const agent = world.open();
    expect(reasonOf(agent, agent.call('acts'))).toBe('tool_unknown');
    for (const limited of ['once', 'seldom']) {
      agent.call(limited);
      expect(reasonOf(agent, agent.call(limited))).toBe('limit');
    }
    await world.frame();
    expect(reasonOf(agent, agent.call('act', { observed_tick: 0 }))).toBe('stale');
  });

  test('D10, D17: preempted, busy, a full queue, cancelled', () => {
    const walk = held('walk', legs);
    const agent = new TestWorld([
      walk.tool,
      held('sit', { ...legs, onBusy: 'reject' }).tool,
      held('hop', { ...legs, onBusy: 'queue' }).tool,
    ]).open();
    const first = agent.call('walk');
    const second = agent.call('walk');
    expect(reasonOf(agent, first)).toBe('preempted');
    expect(reasonOf(agent, agent.call('sit'))).toBe('busy');
    const hops = Array.from({ length: LIMITS.laneQueue + 1 }, () => agent.call('hop'));
    expect(reasonOf(agent, hops.at(-1) as string)).toBe('queue_full');
    agent.call('cancel_call', { call_id: second });
    expect(reasonOf(agent, second)).toBe('cancelled');
  });

  test('D12, C7, C8, E6: a timeout, the end of the session, of the body, a paused world', async () => {
    const { tool: walk } = held('walk', { ...legs, timeoutMs: 50 });
    const world = new TestWorld([walk]);
    const agent = world.open();
    const late = agent.call('walk');
    await world.frame();
    expect(reasonOf(agent, late)).toBe('timeout');
    world.mira.setPaused(true);
    expect(reasonOf(agent, agent.call('walk'))).toBe('paused');
    world.mira.setPaused(false);
    const running = agent.call('walk');
    world.mira.unbind();
    expect(reasonOf(agent, running)).toBe('gone');
    expect(reasonOf(agent, agent.call('walk'))).toBe('gone');
    world.add('mira', [walk]);
    const last = agent.call('walk');
    agent.send({ type: 'session_close' });
    expect(reasonOf(agent, last)).toBe('closed');
  });

  test('B6: a driver that has lost control', () => {
    const world = new TestWorld([tool('act')]);
    const driver = world.openYielding();
    world.open();
    expect(reasonOf(driver, driver.call('act'))).toBe('control_lost');
  });
});

describe('D13, D15: a tool chooses its reason', () => {
  const fails = (reason?: string) => ({
    run: () => {
      throw new ToolError('execution_failed', 'the door is locked', true, reason);
    },
  });

  test('D15: a ToolError carries it, beside code, sentence and retryable', async () => {
    const agent = new TestWorld([tool('open', fails('locked'))]).open();
    const { error, meta } = agent.result(agent.call('open'));
    expect(error).toEqual({ code: 'execution_failed', message: 'the door is locked', retryable: true });
    expect(meta).toMatchObject({ reason: 'locked' });
  });

  test('D15: a ToolError without one gives its code', async () => {
    expect(await reasonFor(fails())).toBe('execution_failed');
  });

  test.each(['', 'Locked', 'the door is locked', 'x'.repeat(65), 7, null, {}])('D15: %o is no reason', (reason) => {
    expect(() => new ToolError('execution_failed', 'no', true, reason as string)).toThrow(
      /^ToolError: reason must be a lowercase word like "locked"/,
    );
  });

  test.each([
    ['locked', 'execution_failed'],
    ['blocked', 'blocked'],
  ])("T10: a sensitive tool's reason '%s' reaches the agent as '%s': words of its own are kept back", async (reason, told) => {
    const policyFor = () => ({ allows: () => true as const, needsApproval: () => false, isSensitive: () => true });
    expect(await reasonFor(fails(reason), {}, { policyFor })).toBe(told);
  });
});
