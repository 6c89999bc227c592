import { describe, expect, test } from 'vitest';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { settle, TestWorld } from '../fixtures/bridge-world.ts';

const perMinute = (n: number) => ({ limits: { calls_per_minute: n } });

describe('D7: calls_per_minute', () => {
  test('D7: one over it is tool_unavailable, retryable, and says when there is room', () => {
    const world = new TestWorld([tool('shout', perMinute(2))]);
    const agent = world.open();
    agent.output(agent.call('shout'));
    world.clock.pass(20_000);
    agent.output(agent.call('shout'));
    world.clock.pass(1_500);
    const { error, meta } = agent.result(agent.call('shout'));
    expect(error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    expect(meta).toMatchObject({ retry_after_ms: 38_500, source: 'bridge' });
  });

  test('D7: after retry_after_ms there is room, and a millisecond before there is not', () => {
    const world = new TestWorld([tool('shout', perMinute(1))]);
    const agent = world.open();
    agent.call('shout');
    const wait = Number(agent.result(agent.call('shout')).meta?.retry_after_ms);
    world.clock.pass(wait - 1);
    expect(agent.result(agent.call('shout')).ok).toBe(false);
    world.clock.pass(1);
    expect(agent.result(agent.call('shout')).ok).toBe(true);
  });

  test('D7: the window slides: each call leaves it 60 s after it came', () => {
    const world = new TestWorld([tool('shout', perMinute(2))]);
    const agent = world.open();
    agent.call('shout');
    world.clock.pass(30_000);
    agent.call('shout');
    world.clock.pass(30_000);
    expect(agent.result(agent.call('shout')).ok).toBe(true);
    expect(agent.result(agent.call('shout')).ok).toBe(false);
  });

  test('D7: it is wall time: a world that stands still gives no room and a fast one no more', () => {
    const world = new TestWorld([tool('shout', perMinute(1))]);
    const agent = world.open();
    agent.call('shout');
    world.bridge.advance(120_000);
    expect(agent.result(agent.call('shout')).ok).toBe(false);
  });

  test('D7: it counts per character and principal: a new session of the same one has no more room, others have their own', () => {
    const world = new TestWorld([tool('shout', perMinute(1))], { mira: { maxSessions: 3 } });
    world.add('tam', [tool('shout', perMinute(1))]);
    const alice = world.open({ principal: 'alice' });
    alice.call('shout');
    alice.send({ type: 'session_close' });
    const again = world.open({ principal: 'alice' });
    expect(again.result(again.call('shout')).ok).toBe(false);
    const bob = world.open({ principal: 'bob' });
    expect(bob.result(bob.call('shout')).ok).toBe(true);
    const elsewhere = world.open({ principal: 'alice', character: 'tam' });
    expect(elsewhere.result(elsewhere.call('shout')).ok).toBe(true);
  });

  test('D7: each tool has its own', () => {
    const agent = new TestWorld([tool('shout', perMinute(1)), tool('whisper', perMinute(1))]).open();
    expect(agent.result(agent.call('shout')).ok).toBe(true);
    expect(agent.result(agent.call('whisper')).ok).toBe(true);
  });

  test('D7, C8: a new body brings no new room, and a changed limit holds at once', () => {
    const world = new TestWorld([tool('shout', perMinute(2))]);
    const agent = world.open();
    agent.call('shout');
    agent.call('shout');
    world.add('mira', [tool('shout', perMinute(3))], { default: true });
    expect(agent.result(agent.call('shout')).ok).toBe(true);
    expect(agent.result(agent.call('shout')).ok).toBe(false);
    world.mira.setTools([tool('shout', perMinute(1))]);
    expect(agent.result(agent.call('shout')).ok).toBe(false);
  });
});

describe('D7: calls_per_session', () => {
  test('D7: one over it is tool_unavailable, not retryable', () => {
    const agent = new TestWorld([tool('wish', { limits: { calls_per_session: 3 } })]).open();
    for (let n = 0; n < 3; n++) expect(agent.result(agent.call('wish')).ok).toBe(true);
    const { error, meta } = agent.result(agent.call('wish'));
    expect(error).toMatchObject({ code: 'tool_unavailable', retryable: false });
    expect(meta).not.toHaveProperty('retry_after_ms');
  });

  test('D7: another session has its own, a resumed one goes on', () => {
    const world = new TestWorld([tool('wish', { limits: { calls_per_session: 1 } })], { mira: { maxSessions: 2 } });
    const agent = world.open();
    agent.call('wish');
    agent.handler.closed(false);
    const again = world.resume(agent, { last_seq: 1 });
    expect(again.result(again.call('wish')).ok).toBe(false);
    const other = world.open();
    expect(other.result(other.call('wish')).ok).toBe(true);
  });

  test('D7: failed calls count, calls refused by D1–D6 do not', () => {
    let open = false;
    const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const agent = new TestWorld([
      tool('wish', {
        input,
        limits: { calls_per_session: 1, calls_per_minute: 1 },
        available: () => open || 'not yet',
        run: () => Promise.reject('no'),
      }),
    ]).open();
    agent.call('wish', { n: 1 });
    open = true;
    agent.call('wish', {});
    agent.call('wish', { n: 1 }, 'counted');
    agent.call('wish', { n: 1 }, 'counted');
    expect(agent.resultsOf('counted')).toEqual([]);
    expect(agent.result(agent.call('wish', { n: 1 })).error?.code).toBe('tool_unavailable');
  });

  test('D7: a call over the minute does not use up the session', () => {
    const world = new TestWorld([tool('wish', { limits: { calls_per_session: 2, calls_per_minute: 1 } })]);
    const agent = world.open();
    agent.call('wish');
    agent.call('wish');
    world.clock.pass(60_000);
    expect(agent.result(agent.call('wish')).ok).toBe(true);
  });
});

describe('D7: pending calls', () => {
  test('D7: 1,024 may be pending; one more is tool_unavailable, retryable, until one has ended', async () => {
    const { tool: hum, runs } = held('hum');
    const agent = new TestWorld([hum]).open();
    for (let n = 0; n < 1_024; n++) agent.call('hum');
    expect(agent.results).toEqual([]);
    expect(agent.result(agent.call('hum')).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    runs[0]?.finish({});
    await settle();
    const next = agent.call('hum');
    expect(agent.resultsOf(next)).toEqual([]);
    expect(agent.result(agent.call('hum')).ok).toBe(false);
  });

  test('D17: cancel_call runs however many are pending', () => {
    const { tool: hum } = held('hum');
    const agent = new TestWorld([hum]).open();
    const ids = Array.from({ length: 1_024 }, () => agent.call('hum'));
    expect(agent.output(agent.call('cancel_call', { call_id: ids[0]! }))).toEqual({ cancelled: true });
  });
});
