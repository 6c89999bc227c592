import { describe, expect, test } from 'vitest';
import { ToolError } from '../../src/bridge/index.ts';
import { type LooseSpec, tool } from '../fixtures/bridge-tools.ts';
import { settle, TestWorld, type TestWorldOptions } from '../fixtures/bridge-world.ts';

/** A world with one tool, `act`, an agent of it, and what the game's log was told. */
function worldWith(spec: LooseSpec, options: TestWorldOptions = {}) {
  const told: string[] = [];
  const world = new TestWorld([tool('act', spec)], { log: (message) => void told.push(message), ...options });
  return { world, agent: world.open({ event_subscriptions: ['tick'] }), told };
}

const slip = () => {
  throw new TypeError('the gate is undefined');
};

describe('D13, D14: mistakes in a game’s code are told to its log', () => {
  test.each<[string, LooseSpec, string]>([
    ['throws', { run: slip }, "aicc: the tool 'act' of 'mira' threw: TypeError: the gate is undefined\n    at "],
    ['rejects', { run: async () => slip() }, "aicc: the tool 'act' of 'mira' rejected: TypeError: the gate is undefined\n    at "],
    ['throws no error', { run: () => Promise.reject('a word') }, "aicc: the tool 'act' of 'mira' rejected: a word"],
    ['returns no object', { run: () => 3 }, "aicc: character 'mira': tool 'act' returned a wrong output: it is not an object"],
    [
      'misses its output schema',
      { output: { type: 'object', properties: { n: { type: 'integer' } } }, run: () => ({ n: 'one' }) },
      "aicc: character 'mira': tool 'act' returned a wrong output: /n ",
    ],
    [
      'throws from available',
      { available: slip },
      "aicc: available of the tool 'act' of 'mira' threw: TypeError: the gate is undefined\n    at ",
    ],
    [
      'answers nonsense from available',
      { available: () => 0 },
      "aicc: character 'mira': 'act' cannot tell whether it is available: it must ",
    ],
    ['throws from verify', { verify: slip }, "aicc: the tool 'act' of 'mira' threw from verify: TypeError: the gate is undefined\n    at "],
    ['answers nonsense from verify', { verify: () => undefined }, "aicc: verify of 'act': it must answer true or say what did not happen"],
    [
      'is a snapshot sensor that throws',
      { class: 'sensor', snapshot: true, run: slip },
      "aicc: the tool 'act' of 'mira' threw: TypeError: the gate is undefined\n    at ",
    ],
    [
      'is a snapshot sensor that answers later',
      { class: 'sensor', snapshot: true, run: async () => ({}) },
      "aicc: character 'mira': tool 'act' returned a wrong output: it is a Promise",
    ],
  ])('a tool that %s: once, with where it was', async (_what, spec, beginning) => {
    const { agent, told, world } = worldWith(spec);
    for (let n = 0; n < 3; n++) {
      agent.call('act');
      await world.frame();
    }
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(beginning);
    expect(told[0]?.startsWith(beginning)).toBe(true);
  });

  test('a ToolError, a verify that says no and what ends with its call are no mistakes', async () => {
    const { agent, told } = worldWith({
      input: { type: 'object', properties: { how: { type: 'string' } } },
      run: async ({ how }, context) => {
        if (how === 'choose') throw new ToolError('execution_failed', 'the gate is locked');
        if (how === 'sleep') await context.sleep(1_000);
      },
      verify: ({ how }) => (how === 'verify' ? 'the gate did not open' : true),
    });
    agent.call('act', { how: 'choose' });
    agent.call('act', { how: 'verify' });
    agent.call('cancel_call', { call_id: agent.call('act', { how: 'sleep' }) });
    await settle();
    expect(agent.results.map(({ error }) => error?.message)).toEqual(
      expect.arrayContaining(['the gate is locked', 'the gate did not open', 'cancelled']),
    );
    expect(told).toEqual([]);
  });

  test('another place and another text are another kind, a number in the text is not, and each tool has ten kinds', () => {
    let n = 0;
    const { agent, told } = worldWith({
      input: { type: 'object', properties: { word: { type: 'string' } } },
      run: ({ word }) => {
        throw new Error(`${word} ${n++}`);
      },
    });
    agent.call('act', { word: 'gate' });
    agent.call('act', { word: 'gate' });
    expect(told).toHaveLength(1);
    agent.call('act', { word: 'door' });
    expect(told).toHaveLength(2);
    for (let letter = 0; letter < 100; letter++) agent.call('act', { word: 'x'.repeat(letter + 1) });
    expect(told).toHaveLength(10);
  });

  test('an approval, a driver’s listener and a contract that throw are told too, and a log that throws harms nobody', () => {
    const allowing: TestWorldOptions = { policyFor: () => ({ allows: () => true, needsApproval: () => true }), approve: slip };
    const approval = worldWith({}, allowing);
    approval.agent.call('act');
    return settle().then(() => {
      expect(approval.told).toEqual([expect.stringMatching(/^aicc: approve threw: TypeError/)]);
      const contract = worldWith({}, { policyFor: slip });
      expect(contract.agent.refusal?.error.code).toBe('internal_error');
      expect(contract.told).toEqual([expect.stringMatching(/^aicc: the contract of a session could not be made: TypeError/)]);
      const listener = worldWith({});
      listener.world.mira.on('driver', slip);
      listener.world.mira.takeOver(true);
      expect(listener.told).toEqual([expect.stringMatching(/^aicc: a listener to the driver of 'mira' threw: TypeError/)]);
      const deaf = worldWith({ run: slip }, { log: slip });
      expect(deaf.agent.result(deaf.agent.call('act')).error?.code).toBe('execution_failed');
    });
  });
});
