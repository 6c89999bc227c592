import '../../src/headless/install.ts';
import type { Session } from 'phaser-aicc/agent';
import { afterEach, expect, test } from 'vitest';
import { nightMs } from '../../demo-game/rules/night-rules.ts';
import { type Played, playNight, walkPlayer } from './demo-night.ts';
import { agentOf, playUntil } from './play.ts';

let played: Played | undefined;
afterEach(() => played?.headless.destroy());

async function tamOf(seed: string): Promise<Played & { tam: Session; run(tool: string, input?: object): Promise<unknown> }> {
  played = await playNight(seed, false);
  const { headless } = played;
  const tam = await playUntil(headless, agentOf(headless, { character: 'old_tam' }));
  return { ...played, tam, run: (tool, input = {}) => playUntil(headless, tam.call(tool, input as never)) };
}

test('Old Tam senses the village: where lanterns are, where oil may be, who is near', async () => {
  const { run } = await tamOf('1');
  const village = (await run('village')) as { lanterns: { id: string; lit: boolean }[]; oil_spots: unknown[]; dawn_in_ms: number };
  expect(village.lanterns.map(({ id }) => id)).toEqual(['lantern_1', 'lantern_2', 'lantern_3', 'lantern_4', 'lantern_5']);
  expect(village.lanterns.some(({ lit }) => lit)).toBe(false);
  expect(village.oil_spots).toHaveLength(8);
  expect(village.dawn_in_ms).toBeGreaterThan(nightMs - 10_000);
  const { entities } = (await run('vision')) as { entities: { id: string; kind: string }[] };
  expect(entities).toContainEqual(expect.objectContaining({ id: 'lantern_1', kind: 'lantern', state: { lit: false } }));
  expect(entities).toContainEqual(expect.objectContaining({ id: 'player', kind: 'player' }));
  expect(entities).toContainEqual(expect.objectContaining({ id: 'mira', kind: 'villager' }));
});

test('D5, D13: hands are honest: no oil, too far, unknown, full and burning already are each told as they are', async () => {
  const { run, night } = await tamOf('2');
  await expect(run('light_lantern', { target: 'lantern_1' })).rejects.toMatchObject({
    code: 'tool_unavailable',
    retryable: true,
    message: expect.stringContaining('pick_up first'),
  });
  await expect(run('pick_up', { target: 'gold' })).rejects.toMatchObject({
    code: 'execution_failed',
    retryable: false,
    message: expect.stringContaining('no flask called gold'),
  });
  const [oil, other] = night.rules.flasks;
  await expect(run('pick_up', { target: oil?.id })).rejects.toMatchObject({
    code: 'execution_failed',
    retryable: true,
    message: expect.stringContaining('px away'),
  });

  await run('move_to', { x: oil?.x, y: oil?.y });
  await run('pick_up', { target: oil?.id });
  expect(night.people.old_tam.carrying || night.rules.carried('old_tam') !== undefined).toBe(true);
  await expect(run('pick_up', { target: other?.id })).rejects.toMatchObject({
    code: 'tool_unavailable',
    message: expect.stringContaining('hands are full'),
  });
  await run('move_to', { target: 'lantern_1' });
  expect(await run('light_lantern', { target: 'lantern_1' })).toEqual({ lit: 1 });
  expect(night.rules.carried('old_tam')).toBeUndefined();
});

test('oil goes from hand to hand between those who stand together', async () => {
  const game = await tamOf('4');
  const { run, night } = game;
  const oil = night.rules.nearestFlask(night.people.old_tam);
  await run('move_to', { x: oil?.x, y: oil?.y });
  await run('pick_up', { target: oil?.id });
  await expect(run('give', { target: 'player' })).rejects.toMatchObject({
    code: 'execution_failed',
    message: expect.stringContaining('stand beside'),
  });
  await run('move_to', { target: 'player' });
  expect(await run('give', { target: 'player' })).toEqual({ carrying: '' });
  expect(night.rules.carried('player')?.id).toBe(oil?.id);
});

test('the player walks with the stick, walls and water stop the feet', async () => {
  played = await playNight('1', false);
  const { player } = played.night.people;
  await walkPlayer(played, [[240, 344]]);
  // On the bridge: the water north of it is no ground.
  played.night.controls.stick.y = -1;
  await played.headless.runAsync(500);
  expect(player.y).toBeGreaterThan(330);
  played.night.controls.stick.y = 0;
  played.night.controls.stick.x = 1;
  await played.headless.runAsync(1_000);
  expect(player.x).toBeGreaterThan(300);
});

test('dawn before the fifth lantern is lost', async () => {
  played = await playNight('1', false);
  await played.headless.runAsync(nightMs + 1_000, () => played?.night.rules.ending !== 'running');
  expect(played.night.rules.ending).toBe('lost');
});

test('C8: one session lives through 20 restarts of the scene, each a new night', async () => {
  const { run, tam, night, headless } = await tamOf('6');
  for (let round = 1; round <= 20; round++) {
    night.scene.restart();
    await headless.runAsync(200);
    const body = (await run('body')) as { position: { x: number; y: number } };
    expect(body.position).toEqual({ x: 216, y: 216 });
    await run('move_to', { x: 230, y: 225 });
  }
  expect(tam.tools.map(({ id }) => id)).toContain('light_lantern');
});

test('the same seed gives the same night', async () => {
  const places = async (seed: string) => {
    const { night, headless } = await playNight(seed, false);
    const all = night.rules.flasks.map(({ id, x, y }) => `${id} ${x} ${y}`);
    headless.destroy();
    return all.join();
  };
  expect(await places('11')).toBe(await places('11'));
  const many = await Promise.all(['11', '12', '13', '14'].map(places));
  expect(new Set(many).size).toBeGreaterThan(1);
});
