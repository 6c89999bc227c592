import '../../src/headless/install.ts';
import * as Phaser from 'phaser';
import { aiccOf, type Character } from 'phaser-aicc';
import { body, moveTo, stop } from 'phaser-aicc/kit';
import { afterEach, expect, test } from 'vitest';
import { createHeadless, type Headless } from '../../src/headless/index.ts';
import { agentAt, yardPlugin } from '../fixtures/event-game.ts';
import { playUntil, someone, turn } from './play.ts';

const games: Headless[] = [];
afterEach(() => {
  for (const game of games.splice(0)) game.destroy();
});

let worlds = 0;
async function playMatter(tickMode: 'hybrid' | 'event') {
  let hero!: Character;
  let sprite!: Phaser.Physics.Matter.Sprite;
  class Field extends Phaser.Scene {
    create() {
      sprite = this.matter.add.sprite(50, 50, '__WHITE', undefined, { shape: { type: 'rectangle', width: 10, height: 20 } });
      sprite.setFrictionAir(0.2);
      hero = aiccOf(this).character('hero', sprite, { ...someone, tools: [moveTo({ speed: 100 }), stop(), body()] });
    }
  }
  const headless = await createHeadless({
    scene: Field,
    physics: { default: 'matter', matter: { gravity: { x: 0, y: 0 } } },
    plugins: { global: [yardPlugin(`matter_${++worlds}`, { tickMode })] },
  });
  games.push(headless);
  headless.step();
  return { headless, sprite, hero };
}

test('a Matter body walks, tells where it is and how it moves, and stops', async () => {
  const { headless, sprite, hero } = await playMatter('hybrid');
  const session = await agentAt(headless.game);
  expect(hero.body?.bounds?.()).toEqual({ x: 45, y: 40, width: 10, height: 20 });
  const walking = session.call('move_to', { x: 150, y: 50 });
  await headless.runAsync(500);
  // At full speed, whatever the friction.
  expect(await session.call('body')).toMatchObject({ velocity: { x: expect.closeTo(100, -1) }, facing: 0 });
  expect(await playUntil(headless, walking, 2_000)).toMatchObject({ position: { x: expect.closeTo(150, 0), y: 50 } });
  await headless.runAsync(200);
  expect(sprite.x).toBeCloseTo(150, 0);
  expect(hero.body?.velocity?.().x).toBeCloseTo(0);
  hero.body?.move?.(30, 0);
  sprite.destroy();
  hero.body?.move?.(30, 0);
  hero.body?.stop?.();
  await headless.runAsync(100);
  await session.close();
});

test('E2: in event mode Matter stands still, and moves by the same steps whatever the frames', async () => {
  const courses: unknown[] = [];
  for (const frame of [1000 / 60, 37]) {
    const { headless, sprite } = await playMatter('event');
    const session = await agentAt(headless.game);
    await headless.runAsync(500);
    expect(sprite.x).toBe(50);
    let done = false;
    const walking = session.call('move_to', { x: 100, y: 90 }).finally(() => (done = true));
    while (!done) {
      headless.step(frame);
      await turn();
    }
    courses.push([await walking, sprite.x, sprite.y]);
    headless.destroy();
  }
  expect(courses[1]).toEqual(courses[0]);
});
