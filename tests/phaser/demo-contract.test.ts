import { wallClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { uuid } from '../../src/base/uuid.ts';
import '../../src/headless/install.ts';
import { connect, type Session } from 'phaser-aicc/agent';
import { afterEach, expect, test } from 'vitest';
import { CONTRACT } from '../../demo-game/contract/arguments.mjs';
import { playerTyped } from '../../demo-game/input/typed.ts';
import { nightMs } from '../../demo-game/rules/night-rules.ts';
import { findWorld } from '../../plugin/world.ts';
import { memoryPair, openDoor } from '../../src/transport/index.ts';
import { type Played, playNight } from './demo-night.ts';
import { agentOf, playUntil } from './play.ts';

let played: Played | undefined;
afterEach(() => played?.headless.destroy());

/** What the relay tells the game of an offer of the demo's contract. */
const { purpose: _, humanApprovalRequirements: approvals, ...rest } = CONTRACT;
const terms = (): JsonObject => ({
  ...rest,
  version: 1,
  interactionId: 'i1',
  contractHash: 'h1',
  approvals,
  endsAt: Date.now() + 3_600_000,
  endsBy: 'deadline',
  capabilities: [],
});

/** Drives Mira under it. */
async function underContract(seed: string): Promise<Played & { mira: Session }> {
  played = await playNight(seed, false);
  const { headless } = played;
  const bridge = findWorld(headless.game)!.bridge!;
  const [mine, theirs] = memoryPair();
  openDoor(theirs, {
    opener: { open: (request, port) => bridge.open(port, request), onChange: (listener) => bridge.onChange(listener) },
    authenticate: () => ({ name: 'driver-one', contract: terms() }),
    tokenRequired: false,
    clock: wallClock,
    newId: uuid,
  });
  return { ...played, mira: await playUntil(headless, connect({ channel: mine, character: 'mira', observe: true })) };
}

test('T10: what the player notes is for the player and whom the game trusts: an agent under the contract never gets it', async () => {
  const { headless, mira, night } = await underContract('1');
  playerTyped(night, '# a secret');
  expect(night.bubbles.words('player')).toBe('(a secret)');
  expect(await playUntil(headless, mira.call('player'))).toEqual({ carrying: '' });
  expect(mira.snapshot?.sensors).toMatchObject({ player: { carrying: '' } });
  expect(JSON.stringify([mira.snapshot, mira.tools])).not.toMatch(/secret|notes/);
  await playUntil(headless, mira.close());
  // Without a contract nothing is kept back, and the next night has the same notebook.
  night.scene.restart();
  await headless.runAsync(100);
  const other = await playUntil(headless, agentOf(headless, { character: 'mira' }));
  expect(await playUntil(headless, other.call('player'))).toEqual({ carrying: '', notes: ['a secret'] });
});

test('a note is heard by nobody, and the companion reads it back when it is asked', async () => {
  played = await playNight('2');
  const { headless, night } = played;
  await headless.runAsync(3_000);
  const heard: string[] = [];
  const { onSpeech } = night;
  night.onSpeech = (who, text) => {
    heard.push(`${who}: ${text}`);
    onSpeech(who, text);
  };
  playerTyped(night, '# wait here');
  playerTyped(night, 'What did I note?');
  await headless.runAsync(5_000, () => heard.includes('mira: You noted: wait here'));
  expect(heard.filter((line) => line.startsWith('player'))).toEqual(['player: What did I note?']);
  expect(heard).toContain('mira: You noted: wait here');
});

test('T9, D9: Mira may move, look and speak; the lanterns are not hers, and where nobody can be asked nothing is given away', async () => {
  const { headless, mira, night } = await underContract('3');
  const { mira: person } = night.people;
  const flask = night.rules.nearestFlask(person)!;
  night.rules.pickUp('mira', flask, flask.id);
  await playUntil(headless, mira.call('move_to', { x: person.x, y: person.y + 30 }));
  await playUntil(headless, mira.call('say', { text: 'Here I am.' }));
  expect(((await playUntil(headless, mira.call('vision'))) as { entities: unknown[] }).entities.length).toBeGreaterThan(0);
  for (const tool of ['light_lantern', 'put_down'])
    await expect(playUntil(headless, mira.call(tool, { target: 'lantern_1' }))).rejects.toMatchObject({
      code: 'tool_unavailable',
      retryable: false,
    });
  await expect(playUntil(headless, mira.call('give', { target: 'player' }))).rejects.toMatchObject({
    code: 'tool_unavailable',
    message: expect.stringContaining('nobody is here'),
  });
});

test('T13: the contract is for one night: its end, won or lost, ends the session', async () => {
  const won = await underContract('4');
  for (const lantern of won.night.rules.lanterns) {
    const flask = won.night.rules.flasks.find(({ where }) => where === 'ground')!;
    won.night.rules.pickUp('player', flask, flask.id);
    Object.assign(won.night.people.player, { x: lantern.x, y: lantern.y });
    won.night.light('player', lantern.id);
  }
  expect(await playUntil(won.headless, won.mira.closed)).toMatchObject({ reason: 'completed: all_lanterns_lit' });
  won.headless.destroy();

  const lost = await underContract('4');
  lost.night.rules.advance(nightMs - 100);
  expect(await playUntil(lost.headless, lost.mira.closed)).toMatchObject({ reason: 'cancelled: dawn' });
});
