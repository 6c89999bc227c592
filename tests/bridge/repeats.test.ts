import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { tool } from '../fixtures/bridge-tools.ts';
import { type TestAgent, TestWorld } from '../fixtures/bridge-world.ts';

/** More than the portion that is sent at once. */
const LARGE = 'x'.repeat(900_000);

const shouting = (text = LARGE) => tool('shout', { run: () => ({ text }) });
const idsOf = (agent: TestAgent) => agent.results.map(({ call_id }) => call_id);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapMiB = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
};

describe('C2, C5, D1: what an agent asks for again costs the game no more than it can read', () => {
  test('C5: of 300 session_resume five a second are answered, and each result that waits is sent once', () => {
    const world = new TestWorld([shouting()]);
    const agent = world.open();
    for (let n = 0; n < 9; n++) agent.call('shout');
    agent.take();
    for (let n = 0; n < 300; n++) agent.send({ type: 'session_resume' });
    expect(agent.take().map(({ type }) => type)).toEqual([
      'session_init',
      'tool_result',
      ...Array.from({ length: 4 }, () => 'session_init'),
      ...Array.from({ length: 295 }, () => 'error'),
    ]);
    expect(agent.errors[0]?.error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    world.clock.pass(10_000);
    const again = agent.take().filter(({ type }) => type === 'tool_result');
    // The first was sent at once, and asked for once more while the others waited.
    expect(again.length).toBeLessThanOrEqual(10);
  });

  test('C2, F4: a connection that takes no more gets no manifest and no repeats', () => {
    const world = new TestWorld([shouting()]);
    const agent = world.open();
    const id = agent.call('shout');
    world.clock.pass(1_000);
    agent.handler.hold(true);
    agent.take();
    for (let n = 0; n < 1_000; n++) agent.call('shout', {}, id);
    agent.send({ type: 'manifest_request' });
    agent.send({ type: 'session_resume' });
    expect(agent.take().map(({ type }) => type)).toEqual(['error', 'error']);
    agent.handler.hold(false);
    world.clock.pass(10_000);
    expect(agent.take().filter(({ type }) => type === 'tool_result')).toHaveLength(1);
  });

  test('D1: 1,000 repeats of a call with a large result send it as often as its bytes have room', () => {
    const world = new TestWorld([shouting()]);
    const agent = world.open();
    const id = agent.call('shout');
    agent.take();
    for (let n = 0; n < 1_000; n++) agent.call('shout', {}, id);
    expect(agent.take()).toHaveLength(1);
    world.clock.pass(60_000);
    expect(agent.take().filter(({ type }) => type === 'tool_result')).toHaveLength(1);
    agent.call('shout', {}, id);
    expect(agent.take()).toHaveLength(1);
  });

  test('D1: while large results are repeated, the result of a new call comes at once', () => {
    const world = new TestWorld([shouting(), tool('wave')]);
    const agent = world.open();
    const ids = Array.from({ length: 5 }, () => agent.call('shout'));
    for (const id of ids) agent.call('shout', {}, id);
    const waved = agent.call('wave');
    expect(agent.output(waved)).toEqual({});
    world.clock.pass(5_000);
    for (const id of ids) expect(agent.resultsOf(id)).toHaveLength(2);
  });

  test('C5: five connections a second may take over one session; the next is asked to try again', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.call('wave');
    for (let n = 0; n < 5; n++) expect(world.resume(agent).refusal).toBeUndefined();
    expect(world.resume(agent).refusal?.error).toMatchObject({ code: 'tool_unavailable', retryable: true });
    world.clock.pass(1_000);
    expect(world.resume(agent).refusal).toBeUndefined();
  });
});

describe('C5, F4: a resume goes at the pace of its connection', () => {
  /** An agent that lost its connection with so many large results to come. */
  function lostWith(results: number) {
    const world = new TestWorld([shouting()]);
    const agent = world.open();
    const ids = Array.from({ length: results }, () => agent.call('shout'));
    agent.handler.closed(false);
    return { world, agent, ids };
  }

  test('C5: what is repeated comes in portions, and stops while the connection is held', () => {
    const { world, agent, ids } = lostWith(8);
    const again = world.resume(agent, { last_seq: 0 });
    expect(idsOf(again)).toEqual(ids.slice(0, 1));
    world.clock.pass(1_000);
    const before = idsOf(again).length;
    expect(before).toBeGreaterThan(1);
    expect(before).toBeLessThan(8);
    again.handler.hold(true);
    world.clock.pass(60_000);
    expect(idsOf(again)).toHaveLength(before);
    again.handler.hold(false);
    world.clock.pass(10_000);
    expect(idsOf(again)).toEqual(ids);
  });

  test('C5: cut again and again it goes on where it was, until everything has arrived once', () => {
    const { world, agent, ids } = lostWith(8);
    const arrived: string[] = [];
    let lastSeq = 0;
    for (let connection = 0; connection < 8; connection++) {
      const again = world.resume(agent, { last_seq: lastSeq });
      arrived.push(...idsOf(again));
      lastSeq = again.results.at(-1)?.meta?.seq ?? lastSeq;
      again.handler.closed(false);
      world.clock.pass(1_000);
    }
    expect(arrived).toEqual(ids);
  });

  test('C5: what is new comes after what is repeated, so that seq only grows on a connection', () => {
    const { world, agent } = lostWith(4);
    const again = world.resume(agent, { last_seq: 0 });
    world.mira.emit('audio', { n: 1 });
    again.call('shout');
    world.mira.emit('audio', { n: 2 });
    world.clock.pass(10_000);
    const seqs = [...again.results, ...again.events].map(({ meta }) => meta?.seq as number);
    expect(again.messages.flatMap((message) => ('meta' in message ? [message.meta?.seq] : []))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(seqs).toHaveLength(7);
  });

  test('C7: a session that is closed while it catches up answers its running calls first', () => {
    const { world, agent } = lostWith(4);
    const again = world.resume(agent, { last_seq: 0 });
    const late = again.call('shout');
    again.send({ type: 'session_close' });
    expect(again.result(late).ok).toBe(true);
    expect(again.messages.at(-1)?.type).toBe('session_close');
    world.clock.pass(60_000);
    expect(again.messages.at(-1)?.type).toBe('session_close');
  });
});

describe('C5, D1: what a session remembers is bounded in bytes', () => {
  test('C5: 8 MiB of results are all that is kept of 256 that hold 0.7 MB each', () => {
    const lines = () => Array.from({ length: 700 }, (_, n) => `${n}`.padEnd(1_000));
    const world = new TestWorld([tool('count', { run: () => ({ lines: lines() }) })]);
    const agent = world.open();
    const port = { sent: 0 };
    agent.port.send = () => void port.sent++;
    const before = heapMiB();
    for (let n = 0; n < 256; n++) agent.call('count');
    expect(port.sent).toBe(256);
    expect(heapMiB() - before).toBeLessThan(48);
  });

  test('C5: of results that wait for a lost agent the oldest lose what they said, and each call is still answered', () => {
    const finish: (() => void)[] = [];
    const slow = tool('slow', { run: () => new Promise((resolve) => finish.push(() => resolve({ text: LARGE }))) });
    const world = new TestWorld([slow]);
    const agent = world.open();
    const ids = Array.from({ length: 20 }, () => agent.call('slow'));
    agent.handler.closed(false);
    for (const each of finish) each();
    return Promise.resolve().then(() => {
      const again = world.resume(agent);
      world.clock.pass(30_000);
      expect(idsOf(again)).toEqual(ids);
      const kept = again.results.map(({ ok }) => ok);
      expect(kept.filter(Boolean)).toHaveLength(9);
      expect(kept.lastIndexOf(false)).toBe(10);
      expect(again.results[0]?.error).toMatchObject({ code: 'execution_failed', message: expect.stringContaining('no longer kept') });
    });
  });

  test('C5, F3: events that wait for a lost agent are bounded in bytes too, and the next one tells of the gap', () => {
    const world = new TestWorld([tool('wave')]);
    const agent = world.open();
    agent.call('wave');
    agent.handler.closed(false);
    for (let n = 0; n < 20; n++) world.mira.emit('audio', { n, text: LARGE });
    const again = world.resume(agent, { last_seq: 1 });
    world.clock.pass(30_000);
    expect(again.heard('audio').map(({ n }) => n)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(again.events[0]?.meta).toMatchObject({ dropped: 11 });
  });

  test('D7: the pending calls of a session hold 8 MiB of input at most', () => {
    const world = new TestWorld([
      tool('dig', { input: { type: 'object', properties: { text: { type: 'string' } } }, run: () => new Promise(() => undefined) }),
    ]);
    const agent = world.open();
    const ids = Array.from({ length: 12 }, () => agent.call('dig', { text: LARGE }));
    const refused = ids.filter((id) => agent.resultsOf(id).length > 0);
    expect(refused).toHaveLength(3);
    expect(agent.result(refused[0] as string).error).toMatchObject({ code: 'tool_unavailable', retryable: true });
  });
});
