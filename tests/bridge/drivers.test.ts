import { describe, expect, test } from 'vitest';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { settle, TestAgent, TestWorld } from '../fixtures/bridge-world.ts';

const kinds = (agent: TestAgent) => agent.heard('state_change').map((payload) => payload.kind);

describe('B6: yielding drivers', () => {
  test('B6: one does not count for maxSessions and does not show among the sessions', () => {
    const world = new TestWorld();
    world.openYielding();
    expect(world.open().refusal).toBeUndefined();
    expect(world.bridge.characters()[0]).toMatchObject({ sessions: 1, max_sessions: 1 });
  });

  test('B6: a character has at most one, and it must exist', () => {
    const world = new TestWorld();
    const first = world.openYielding();
    expect(world.openYielding().refusal?.error.code).toBe('tool_unavailable');
    first.handler.closed(true);
    expect(world.openYielding().refusal).toBeUndefined();
    const agent = new TestAgent();
    expect(agent.opened(world.bridge.openYielding(agent.port, 'nobody', 'tree')).refusal?.absent).toBe(true);
  });

  test('B6: when an agent attaches it is suspended: its calls end and get tool_unavailable, retryable', () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum]);
    const driver = world.openYielding();
    const running = driver.call('hum');
    world.open();
    expect(driver.result(running).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    expect(runs[0]?.context.signal.aborted).toBe(true);
    expect(driver.result(driver.call('hum')).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    expect(runs).toHaveLength(1);
    expect(kinds(driver)).toEqual(['control_lost']);
    expect(driver.closings).toEqual([]);
  });

  test.each([
    ['closes its session', (agent: TestAgent) => agent.send({ type: 'session_close' })],
    ['closes its connection', (agent: TestAgent) => agent.handler.closed(true)],
    [
      'is lost',
      (agent: TestAgent) => {
        agent.send({ type: 'heartbeat' });
        agent.handler.closed(false);
      },
    ],
  ])('B6: when the agent %s it is resumed', (_what, leave) => {
    const world = new TestWorld([tool('wave')]);
    const driver = world.openYielding();
    const agent = world.open();
    leave(agent);
    expect(kinds(driver)).toEqual(['control_lost', 'control_gained']);
    expect(driver.output(driver.call('wave'))).toEqual({});
  });

  test('B6: an agent that resumes suspends it again', () => {
    const world = new TestWorld([tool('wave')]);
    const driver = world.openYielding();
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    world.resume(agent);
    expect(kinds(driver)).toEqual(['control_lost', 'control_gained', 'control_lost']);
  });

  test('B6: a second agent changes nothing for it, nor does the first one leaving', () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    const driver = world.openYielding();
    const [one, two] = [world.open(), world.open()];
    one.handler.closed(true);
    expect(kinds(driver)).toEqual(['control_lost']);
    two.handler.closed(true);
    expect(kinds(driver)).toEqual(['control_lost', 'control_gained']);
  });

  test('B6: one that opens while an agent holds the character begins suspended', () => {
    const world = new TestWorld([tool('wave')]);
    world.open();
    const driver = world.openYielding();
    expect(driver.messages.map((message) => message.type)).toEqual(['session_init', 'event']);
    expect(kinds(driver)).toEqual(['control_lost']);
    expect(driver.result(driver.call('wave')).ok).toBe(false);
  });

  test('B6: a person who takes over suspends it, and gives it back', () => {
    const world = new TestWorld([tool('wave')]);
    const driver = world.openYielding();
    world.mira.takeOver(true);
    world.mira.takeOver(true);
    expect(driver.result(driver.call('wave')).error?.code).toBe('tool_unavailable');
    world.open().handler.closed(true);
    expect(kinds(driver)).toEqual(['control_lost']);
    world.mira.takeOver(false);
    expect(kinds(driver)).toEqual(['control_lost', 'control_gained']);
  });

  test('B6: an agent from outside is not suspended by a person', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    world.mira.takeOver(true);
    expect(agent.output(agent.call('wave'))).toEqual({});
  });

  test("B6: a yielding driver's call that waits for its tick does not start after control was lost", async () => {
    const { tool: hum, runs } = held('hum');
    const world = new TestWorld([hum], { tickMode: 'fixed' });
    const driver = world.openYielding();
    driver.call('hum');
    world.open();
    await world.frame();
    await world.frame();
    expect(runs).toEqual([]);
  });

  test('B6: its end ends it at once, detached it is never', () => {
    const world = new TestWorld([tool('wave')]);
    const driver = world.openYielding();
    driver.call('wave');
    driver.handler.closed(false);
    expect(world.clock.timers).toBe(0);
    expect(world.mira.driver).toBe('none');
  });
});

describe('who drives', () => {
  test('driver and mind follow whoever holds the character', () => {
    const world = new TestWorld();
    const seen: string[] = [];
    world.mira.on('driver', (driver) => seen.push(`${driver} ${world.mira.mind}`.trim()));
    const driver = world.openYielding({}, 'behaviour tree');
    const agent = world.open({ agent_model: { class: 'edge_medium' } });
    world.mira.takeOver(true);
    world.mira.takeOver(false);
    agent.handler.closed(true);
    driver.handler.closed(true);
    expect(seen).toEqual(['builtin behaviour tree', 'agent edge_medium', 'person', 'agent edge_medium', 'builtin behaviour tree', 'none']);
    expect(world.bridge.characters()[0]?.driver).toBe('none');
  });

  test('a listener is told once a change, can stop, and what it throws harms nobody', () => {
    const world = new TestWorld([], { mira: { maxSessions: 2 } });
    const seen: string[] = [];
    world.mira.on('driver', () => {
      throw new Error('badge');
    });
    const stop = world.mira.on('driver', (driver) => seen.push(driver));
    world.open();
    world.open();
    stop();
    world.mira.takeOver(true);
    expect(seen).toEqual(['agent']);
    expect(() => world.mira.on('mood' as never, () => undefined)).toThrow(TypeError);
  });

  test('in the listener the new state holds already', () => {
    const world = new TestWorld([tool('wave')]);
    const seen: unknown[] = [];
    world.mira.on('driver', () => seen.push([world.mira.driver, world.bridge.characters()[0]?.driver]));
    world.open();
    expect(seen).toEqual([['agent', 'agent']]);
  });

  test('a lost agent no longer drives', async () => {
    const world = new TestWorld();
    const agent = world.open();
    agent.send({ type: 'heartbeat' });
    agent.handler.closed(false);
    await settle();
    expect(world.mira.driver).toBe('none');
    world.resume(agent);
    expect(world.mira.driver).toBe('agent');
  });
});
