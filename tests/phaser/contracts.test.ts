import '../../src/headless/install.ts';
import { aiccOf, type Character, defineTool, type JsonObject } from 'phaser-aicc';
import { policyFor } from 'phaser-aicc/contract';
import { afterEach, expect, test } from 'vitest';
import { findWorld } from '../../plugin/world.ts';
import type { AgentHandler, Refusal } from '../../src/bridge/index.ts';
import type { Headless } from '../../src/headless/index.ts';
import { play, someone } from './play.ts';

const games: Headless[] = [];
afterEach(() => {
  for (const game of games.splice(0)) game.destroy();
});

const step = defineTool({ id: 'step', class: 'actuator', description: 'Step.', run: () => undefined });
const strike = defineTool({ id: 'strike', class: 'actuator', description: 'Strike.', run: () => undefined });

const TERMS = {
  version: 1,
  interactionId: 'i-1',
  contractHash: 'a'.repeat(64),
  allowedActions: ['step'],
  prohibitedActions: ['strike'],
  allowedData: ['public'],
  prohibitedData: [],
  approvals: [],
  endsAt: Date.now() + 60_000,
  endsBy: 'deadline',
  completionConditions: ['quest_done'],
  cancellationConditions: [],
  retentionDays: 0,
  capabilities: [],
};

async function playUnder(world: Parameters<typeof play>[1] = {}) {
  let hero!: Character;
  const headless = await play((scene) => {
    hero = aiccOf(scene).character('hero', null, { ...someone, tools: [step, strike] });
  }, world);
  games.push(headless);
  const sent: JsonObject[] = [];
  const bridge = findWorld(headless.game)!.bridge!;
  const open = (contract?: JsonObject): AgentHandler | Refusal =>
    bridge.open(
      { send: (text) => sent.push(JSON.parse(text)), close: () => undefined },
      { principal: 'guest', ...(contract && { contract }) },
    );
  return { scene: headless.game.scene.scenes[0]!, hero, open, sent };
}

test('T9: contracts: policyFor rules what a session under a contract sees, and no other', async () => {
  const { open, sent } = await playUnder({ contracts: policyFor });
  const handler = open(TERMS) as AgentHandler;
  const ids = ({ tools }: JsonObject) => (tools as { id: string }[]).map(({ id }) => id);
  expect(ids(sent[0]!)).toEqual(['step', 'cancel_call']);
  handler.closed(true);
  sent.length = 0;
  open();
  expect(ids(sent[0]!)).toEqual(['step', 'strike', 'cancel_call']);
});

test('T0: a game that takes no offers refuses them, and one that cannot read them does not open', async () => {
  expect((await playUnder()).open(TERMS)).toMatchObject({ error: { code: 'tool_unavailable' }, absent: false });
  expect((await playUnder({ contracts: policyFor })).open({ version: 9 })).toMatchObject({ error: { code: 'internal_error' } });
});

test('T10, T13: emit tells what a contract allows; a condition that holds ends its session', async () => {
  const { scene, hero, open, sent } = await playUnder({ contracts: policyFor });
  open(TERMS);
  hero.emit('state_change', { kind: 'bell' }, { dataClass: 'public' });
  hero.emit('state_change', { kind: 'secret' }, { dataClass: 'medical' });
  expect(sent.slice(1).map(({ payload }) => payload)).toEqual([{ kind: 'bell' }]);
  aiccOf(scene).condition('something_else');
  expect(sent.at(-1)).not.toMatchObject({ type: 'session_close' });
  aiccOf(scene).condition('quest_done');
  expect(sent.at(-1)).toMatchObject({ type: 'session_close', reason: expect.stringContaining('quest_done') });
  expect(() => aiccOf(scene).condition('')).toThrow(/name/);
});
