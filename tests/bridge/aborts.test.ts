import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolContext } from '../../src/bridge/index.ts';
import { held, tool } from '../fixtures/bridge-tools.ts';
import { settle, TestWorld } from '../fixtures/bridge-world.ts';

/** What would end a Node process. */
const escaped: unknown[] = [];
const note = (error: unknown) => escaped.push(error);
beforeEach(() => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  escaped.length = 0;
});

/** A call that runs until it is cancelled, in the hands of the test. */
function running() {
  const { tool: act, runs } = held('act');
  const told: unknown[] = [];
  const world = new TestWorld([act], { mira: { mistake: (thrown) => told.push(thrown) } });
  const agent = world.open();
  const id = agent.call('act');
  const { context } = runs[0]!;
  const cancel = async () => {
    agent.call('cancel_call', { call_id: id });
    await settle();
    await settle();
    expect(agent.result(id).error?.message).toBe('cancelled');
  };
  return { world, context, cancel, told };
}

describe('D12, D13: who hears of an abort and throws', () => {
  const boom = new Error('boom');
  const fail = () => {
    throw boom;
  };
  test.each<[string, (signal: AbortSignal) => void]>([
    ['a listener', (signal) => signal.addEventListener('abort', fail)],
    ['a listener that rejects', (signal) => signal.addEventListener('abort', async () => fail())],
    ['an object that listens', (signal) => signal.addEventListener('abort', { handleEvent: fail }, { once: true })],
    [
      'onabort',
      (signal) => {
        signal.onabort = fail;
      },
    ],
  ])('%s costs nobody anything, and is told', async (_what, listen) => {
    const { context, cancel, told } = running();
    const heard: unknown[] = [];
    listen(context.signal);
    context.signal.addEventListener('abort', (event) => heard.push(event.type));
    await cancel();
    expect(escaped).toEqual([]);
    expect(told).toEqual([boom]);
    expect(heard).toEqual(['abort']);
  });

  test('D9: so is who was asked for approval and hears that it is no longer wanted', async () => {
    const told: unknown[] = [];
    const world = new TestWorld([tool('act')], {
      policyFor: () => ({ allows: () => true, needsApproval: () => true }),
      mira: { mistake: (thrown) => told.push(thrown) },
      approve: ({ signal }) => {
        signal.addEventListener('abort', fail);
        return new Promise(() => undefined);
      },
    });
    const agent = world.open();
    agent.call('cancel_call', { call_id: agent.call('act') });
    await settle();
    await settle();
    expect(escaped).toEqual([]);
    expect(told).toEqual([boom]);
  });

  test('the signal is the usual one in all else', async () => {
    const { context, cancel, told } = running();
    const { signal } = context;
    const heard: string[] = [];
    const twice = function (this: AbortSignal) {
      heard.push(this === signal ? 'twice' : 'somebody else');
    };
    const gone = () => heard.push('gone');
    signal.addEventListener('abort', twice);
    signal.addEventListener('abort', twice);
    signal.addEventListener('abort', gone);
    signal.removeEventListener('abort', gone);
    signal.onabort = gone;
    const last = () => heard.push('last');
    signal.onabort = last;
    expect(signal.onabort).toBe(last);
    const any = AbortSignal.any([signal]);
    expect(signal).toBeInstanceOf(AbortSignal);
    await cancel();
    expect(heard).toEqual(['twice', 'last']);
    expect(signal.reason).toMatchObject({ message: 'cancelled' });
    expect(any.aborted).toBe(true);
    expect(told).toEqual([]);
    signal.onabort = null;
    expect(signal.onabort).toBeNull();
  });
});

describe('D12: what a handler began and no longer waits for', () => {
  test.each<[string, (context: ToolContext) => unknown]>([
    ['sleep', (context) => context.sleep(1_000)],
    ['sleep and then', (context) => context.sleep(1_000).then(() => 1)],
    [
      'a chain',
      (context) =>
        context
          .until(() => false)
          .then(() => 1)
          .finally(() => 2)
          .then(() => 3),
    ],
    ['external', (context) => context.external(new Promise(() => undefined)).then(() => 1)],
  ])('ends with its call, unheard: %s', async (_what, begin) => {
    const { context, cancel } = running();
    void begin(context);
    await cancel();
    expect(escaped).toEqual([]);
  });

  test('is heard by who listens, and an own mistake is not hushed up', async () => {
    const { world, context, cancel } = running();
    const heard: string[] = [];
    void context
      .sleep(1_000)
      .then(() => heard.push('slept'))
      .catch((error: Error) => heard.push(error.message));
    void context.sleep(1_000).then(
      () => undefined,
      (error: Error) => heard.push(error.message),
    );
    void context.sleep(50).then(() => {
      throw new Error('a mistake of its own');
    });
    await world.frame();
    await settle();
    expect(escaped).toEqual([new Error('a mistake of its own')]);
    await cancel();
    expect(heard.sort()).toEqual(['cancelled', 'cancelled']);
    expect(escaped).toHaveLength(1);
  });
});
