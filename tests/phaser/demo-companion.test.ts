import '../../src/headless/install.ts';
import { afterEach, expect, test } from 'vitest';
import { type Played, playNight, playOut, walkPlayer } from './demo-night.ts';
import { agentOf, playUntil } from './play.ts';

let played: Played | undefined;
afterEach(() => played?.headless.destroy());

async function night(seed: string, companion = true): Promise<Played> {
  played = await playNight(seed, companion);
  return played;
}

const moved = (from: { x: number; y: number }, to: { x: number; y: number }) => Math.hypot(from.x - to.x, from.y - to.y);
const placeOf = ({ x, y }: { x: number; y: number }) => ({ x, y });

test('two win better: a player who lights two lanterns saves a good part of the night', async () => {
  const alone = await playOut(await night('7'));
  played?.headless.destroy();
  const game = await night('7');
  const take = () => game.night.act();
  const lantern = (id: string) => game.night.rules.lanterns.find((one) => one.id === id)!;
  const oil = game.night.rules.nearestFlask(lantern('lantern_3'))!;
  await walkPlayer(game, [
    [152, 430],
    [190, 450],
    [oil.x, oil.y],
  ]);
  take();
  await walkPlayer(game, [[lantern('lantern_3').x + 20, lantern('lantern_3').y]]);
  take();
  expect(lantern('lantern_3').lit).toBe(true);
  const next = game.night.rules.nearestFlask(lantern('lantern_5'))!;
  await walkPlayer(game, [
    [300, 456],
    [580, 456],
    [next.x, next.y],
  ]);
  take();
  await walkPlayer(game, [[lantern('lantern_5').x, lantern('lantern_5').y + 20]]);
  take();
  expect(lantern('lantern_5').lit).toBe(true);
  const together = await playOut(game);
  expect(game.night.rules.ending).toBe('won');
  expect(alone - together).toBeGreaterThan(20_000);
});

test('B6: an outside agent takes Mira, the built-in mind steps back, and takes her back when the agent leaves', async () => {
  const game = await night('3');
  const { headless } = game;
  const { mira } = game.night.people;
  expect(game.night.driverOf('mira')).toEqual({ driver: 'builtin', mind: 'behaviour tree' });

  const session = await playUntil(headless, agentOf(headless, { character: 'mira', model: 'cloud_large' }));
  expect(game.night.driverOf('mira')).toEqual({ driver: 'agent', mind: 'cloud_large' });
  await headless.runAsync(1_000);
  const before = placeOf(mira);
  await headless.runAsync(5_000);
  expect(moved(before, mira)).toBe(0);

  await playUntil(headless, session.call('move_to', { x: before.x, y: before.y + 60 }));
  expect(moved(before, mira)).toBeGreaterThan(50);
  await playUntil(headless, session.call('say', { text: 'An agent speaks.' }));
  expect(game.night.bubbles.words('mira')).toBe('An agent speaks.');

  await playUntil(headless, session.close());
  expect(game.night.driverOf('mira')).toEqual({ driver: 'builtin', mind: 'behaviour tree' });
  const left = placeOf(mira);
  await headless.runAsync(8_000);
  expect(moved(left, mira)).toBeGreaterThan(40);
});

test('the companion does as it is told: it waits, follows, and brings oil to the player', async () => {
  const game = await night('5');
  const { headless } = game;
  const { mira, player } = game.night.people;
  await headless.runAsync(4_000);
  game.night.say('player', 'Please wait here');
  await headless.runAsync(2_000);
  expect(game.night.bubbles.words('mira')).toBe('I will wait here.');
  const there = placeOf(mira);
  await headless.runAsync(4_000);
  expect(moved(there, mira)).toBe(0);

  await walkPlayer(game, [[152, 180]]);
  game.night.say('player', 'Follow me!');
  await headless.runAsync(6_000);
  expect(moved(mira, player)).toBeLessThan(60);

  game.night.say('player', 'fetch oil');
  await headless.runAsync(40_000, () => game.night.rules.carried('mira') !== undefined);
  game.night.say('player', 'give it to me');
  await headless.runAsync(40_000, () => game.night.rules.carried('player') !== undefined);
  expect(game.night.rules.carried('player')).toBeDefined();
});

test('with driver=none nobody drives Mira, and she stays where she is', async () => {
  const game = await night('1', false);
  const there = placeOf(game.night.people.mira);
  await game.headless.runAsync(3_000);
  expect(game.night.driverOf('mira')).toEqual({ driver: 'none', mind: '' });
  expect(moved(there, game.night.people.mira)).toBe(0);
});
