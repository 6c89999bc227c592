import { policyFor } from 'phaser-aicc/contract';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { ApprovalRequest } from '../../src/bridge/index.ts';
import { defineTool, type Tool, ToolError } from '../../src/bridge/index.ts';
import { type ContractTerms, termsOf } from '../../src/contract/node.ts';
import type { OpenRequest } from '../../src/protocol/index.ts';
import { settle, TestWorld } from '../fixtures/bridge-world.ts';
import { AT, VECTORS } from './vectors.ts';

const SECRET = 'SECRET-9';
const terms = (more: Partial<ContractTerms> = {}) =>
  ({
    ...termsOf(VECTORS.offer, true),
    allowedActions: ['act', 'play', 'locomotion'],
    prohibitedActions: ['attack'],
    allowedData: ['public'],
    prohibitedData: ['private_notes'],
    approvals: [],
    ...more,
  }) as unknown as JsonObject;

type WorldOptions = ConstructorParameters<typeof TestWorld>[1];
const worldOf = (tools: Tool[], options: WorldOptions = {}) =>
  new TestWorld(tools, { policyFor: ({ contract }: OpenRequest) => contract && policyFor(contract, AT), ...options });

/** Everything that an agent ever got. */
const all = (agent: { messages: unknown[] }): string => JSON.stringify(agent.messages);

const OUTPUT = { type: 'object', properties: { n: { type: 'number' }, notes: { type: 'string', 'x-data-class': 'private_notes' } } };

describe('T10: what the code of a tool that handles forbidden data produced is kept back', () => {
  const failing: Record<string, Partial<Parameters<typeof defineTool>[0]>> = {
    'a wrong output': { run: () => ({ n: SECRET }) },
    'an output that is no object': { run: () => [SECRET] },
    'a getter that throws': {
      run: () => ({
        get notes() {
          throw new Error(SECRET);
        },
      }),
    },
    'a toJSON that throws': {
      run: () => ({
        notes: {
          toJSON() {
            throw new Error(SECRET);
          },
        },
      }),
    },
    'a member whose name tells': { run: () => ({ [SECRET]: () => 1 }) },
    'a throw': {
      run: () => {
        throw new Error(SECRET);
      },
    },
    'a rejection': { run: () => Promise.reject(new Error(SECRET)) },
    'a ToolError': {
      run: () => {
        throw new ToolError('tool_unavailable', SECRET, false);
      },
    },
    'a verify that says no': { run: () => ({}), verify: () => SECRET },
    'an available that says why': { run: () => ({}), available: () => SECRET },
    'progress without a class': { run: (_input, { progress }) => progress({ said: SECRET }) },
    'progress of its class': { run: (_input, { progress }) => progress({ said: SECRET }, { dataClass: 'private_notes' }) },
  };
  test.each(Object.entries(failing))('%s', async (_what, spec) => {
    const output = { ...OUTPUT, additionalProperties: false };
    const world = worldOf([defineTool({ id: 'act', class: 'actuator', description: 'acts', output, run: () => ({}), ...spec })]);
    const agent = world.open({ contract: terms(), event_subscriptions: ['tick', 'state_change'], observe: true });
    const plain = world.open({ character: 'mira' });
    expect(plain.refusal).toBeDefined();
    agent.call('act', {});
    agent.call('act', {});
    await settle();
    world.bridge.advance(1_000);
    expect(agent.messages.filter(({ type }) => type === 'tool_result')).toHaveLength(2);
    expect(all(agent)).not.toContain(SECRET);
  });

  test('whatever tools the character has by the time the call ends', async () => {
    let finish = (_output: object) => {};
    const slow = defineTool({
      id: 'act',
      class: 'actuator',
      description: 'acts',
      output: OUTPUT,
      run: () => new Promise((resolve) => (finish = resolve)),
    });
    const world = worldOf([slow]);
    const agent = world.open({ contract: terms() });
    const call = agent.call('act', {});
    world.mira.setTools([]);
    finish({ n: 1, notes: SECRET });
    await settle();
    expect(agent.output(call)).toEqual({ n: 1 });
    expect(all(agent)).not.toContain(SECRET);
  });
});

describe('D18, T9, T10: questions', () => {
  const tools = () => ['play', 'attack', 'pass'].map((id) => defineTool({ id, class: 'actuator', description: id, run: () => ({}) }));
  const question = { prompt: SECRET, state: { hand: SECRET }, deadlineMs: 5_000, fallback: { tool: 'pass', input: {} } };
  const asked = (agent: { heard(topic: 'state_change'): JsonObject[] }) =>
    agent.heard('state_change').filter(({ kind }) => kind === 'decision');

  test('name the tools that the contract allows, and no other', () => {
    const world = worldOf(tools());
    const agent = world.open({ contract: terms() });
    void world.mira.ask({ ...question, tools: ['attack', 'play', 'pass'] });
    expect(asked(agent)).toMatchObject([{ tools: ['play'] }]);
    const ask_id = String(asked(agent)[0]?.ask_id);
    expect(agent.result(agent.call('decide', { ask_id, tool: 'attack', input: {} })).error).toMatchObject({ code: 'tool_unavailable' });
    expect(agent.result(agent.call('decide', { ask_id, tool: 'dance', input: {} })).error?.message).not.toContain('attack');
    expect(agent.output(agent.call('decide', { ask_id, tool: 'play', input: {} }))).toEqual({});
  });

  test.each([
    ['of a class that it must not know', { dataClass: 'private_notes', tools: ['play'] }, {}],
    ['of none declared, where even public is prohibited', { tools: ['play'] }, { prohibitedData: ['public'] }],
    ['that it could answer by forbidden tools alone', { tools: ['attack', 'pass'] }, {}],
  ])('a session is not asked one %s: with nobody else there the fallback acts at once', async (_what, more, contract) => {
    const world = worldOf(tools());
    const agent = world.open({ contract: terms(contract) });
    const decided = world.mira.ask({ ...question, ...more });
    world.clock.pass(0);
    await expect(decided).resolves.toMatchObject({ by: 'fallback' });
    expect(asked(agent)).toEqual([]);
    expect(all(agent)).not.toContain(SECRET);
  });
});

describe('T11, E4: snapshots', () => {
  const diary = () => defineTool({ id: 'diary', class: 'sensor', description: 'diary', snapshot: true, run: () => ({ page: SECRET }) });

  test('a sensor that needs approval is left out of ticks and results until a person has allowed it', async () => {
    const world = worldOf([diary(), defineTool({ id: 'act', class: 'actuator', description: 'acts', run: () => ({}) })], {
      approve: async () => true,
    });
    const agent = world.open({ contract: terms({ approvals: ['diary'] }), event_subscriptions: ['tick'], observe: true });
    agent.call('act', {});
    world.bridge.advance(1_000);
    expect(all(agent)).not.toContain(SECRET);
    expect(agent.heard('tick').at(-1)).toMatchObject({ snapshot: { sensors: {}, omitted: ['diary'] } });
    const call = agent.call('diary', {});
    await settle();
    expect(agent.output(call)).toEqual({ page: SECRET });
    world.clock.pass(5_000);
    world.bridge.advance(1_000);
    expect(agent.heard('tick').at(-1)).toMatchObject({ snapshot: { sensors: { diary: { page: SECRET } } } });
  });

  test('D9: a person is asked about one of a squad by its name, and what one may the others may not', async () => {
    const asked: ApprovalRequest[] = [];
    const howl = defineTool({ id: 'act', class: 'actuator', description: 'howls', run: () => ({}) });
    const world = worldOf([howl, diary()], {
      mira: { units: () => ['wolf_1', 'wolf_2'] },
      approve: async (request: ApprovalRequest) => {
        asked.push(request);
        return true;
      },
    });
    const agent = world.open({ contract: terms({ approvals: ['act', 'diary'] }), event_subscriptions: ['tick'] });
    agent.call('act', { unit: 'wolf_2' });
    agent.call('diary', { unit: 'wolf_1' });
    await settle();
    expect(asked).toMatchObject([
      { tool: 'act', unit: 'wolf_2', input: {} },
      { tool: 'diary', unit: 'wolf_1', input: {} },
    ]);
    world.clock.pass(5_000);
    world.bridge.advance(1_000);
    expect(agent.heard('tick').at(-1)).toMatchObject({
      snapshot: { units: { wolf_1: { sensors: { diary: { page: SECRET } } }, wolf_2: { sensors: {}, omitted: ['diary'] } } },
    });
  });
});
