import '../../src/headless/install.ts';
import * as Phaser from 'phaser';
import { aiccOf, defineTool } from 'phaser-aicc';
import { afterEach, describe, expect, test } from 'vitest';
import { createHeadless, type Headless } from '../../src/headless/index.ts';
import { agentAt, playBySeed, type Yard, yardPlugin, yardScene } from '../fixtures/event-game.ts';
import { agentOf, playScene, playUntil, sceneOf, someone, turn } from './play.ts';

const games: Headless[] = [];
const keep = <T extends Headless>(headless: T): T => {
  games.push(headless);
  return headless;
};
afterEach(() => {
  for (const game of games.splice(0)) game.destroy();
});

let worlds = 0;
async function playYard(options: Parameters<typeof yardPlugin>[1] = {}, more: Phaser.Scene[] = []) {
  let yard!: Yard;
  const headless = keep(
    await createHeadless({
      scene: [yardScene(Phaser, (made) => (yard = made)), ...more],
      physics: { default: 'arcade' },
      seed: ['yard'],
      plugins: { global: [yardPlugin(`yard_${++worlds}`, options)] },
    }),
  );
  headless.step();
  return { headless, yard };
}

const seen = ({ scene, ball, spawned, tweened, animated }: Yard) =>
  [scene.time.now, ball.x, ball.y, spawned(), tweened(), animated()].join(' ');

describe('E2: event mode', () => {
  test('physics, timers, tweens and animations of a bound scene stand still; another scene runs on, and the bound one is drawn', async () => {
    let updates = 0;
    class Free extends Phaser.Scene {
      override update() {
        updates++;
      }
    }
    const { headless, yard } = await playYard({}, [new Free({ key: 'free', active: true })]);
    const before = seen(yard);
    await headless.runAsync(3_000);
    expect(seen(yard)).toBe(before);
    expect(updates).toBeGreaterThan(170);
    expect(headless.game.scene.isActive('free')).toBe(true);
  });

  test('an acting call moves everything for as long as it runs, in whole ticks of fixed steps; a sensor moves nothing', async () => {
    const { headless, yard } = await playYard();
    const session = await agentAt(headless.game);
    const { x } = yard.ball;
    expect(await session.call('where')).toEqual({ x: 50, y: 50 });
    expect(yard.ball.x).toBe(x);
    const resting = session.call('rest', { ms: 970 });
    // Frames of any length: the steps are the same.
    for (let frame = 0; frame < 200; frame++) {
      headless.step(frame % 3 === 0 ? 40 : 11);
      await turn();
    }
    expect(await resting).toMatchObject({ tick: 19 });
    // 59 steps of the call, and on to the tick's end: one second.
    expect(yard.scene.time.now).toBeCloseTo(1_000);
    expect(yard.spawned()).toBe(1);
    expect(yard.tweened()).toBeGreaterThan(0);
    expect(yard.tweened()).toBeLessThan(100);
    expect(yard.animated()).toBeGreaterThan(15);
    const after = seen(yard);
    await headless.runAsync(1_000);
    expect(seen(yard)).toBe(after);
  });

  test('an instant call and a trigger move the world by one tick each; the agents are told of the trigger', async () => {
    const { headless, yard } = await playYard();
    const session = await agentAt(headless.game, { subscribe: ['tick', 'state_change'] });
    const told: unknown[] = [];
    session.on('state_change', ({ kind }) => told.push(kind));
    await session.call('shove', { x: 10, y: 0 });
    await headless.runAsync(1_000);
    expect(yard.scene.time.now).toBeCloseTo(50);
    aiccOf(yard.scene).trigger('dawn');
    await headless.runAsync(1_000);
    expect(yard.scene.time.now).toBeCloseTo(100);
    expect(session.snapshot).toBeDefined();
    expect(told).toEqual(['dawn']);
    expect(() => aiccOf(yard.scene).trigger('')).toThrow(/kind/);
  });

  test('nothing moves while a handler waits for the world outside', async () => {
    let answer!: (value: string) => void;
    let yard!: Phaser.Scene;
    const ask = defineTool({
      id: 'ask_player',
      class: 'actuator',
      description: 'Ask the player.',
      run: async (_input, context) => ({ said: await context.external(new Promise<string>((resolve) => (answer = resolve))) }),
    });
    const scene = sceneOf((made) => {
      yard = made;
      aiccOf(made).character('hero', null, { ...someone, tools: [ask] });
    });
    const headless = keep(await playScene(scene, { tickMode: 'event' }));
    const session = await agentOf(headless);
    const asked = session.call('ask_player');
    await turn();
    await headless.runAsync(1_000);
    expect(yard.time.now).toBe(0);
    answer('yes');
    await expect(playUntil(headless, asked, 1_000)).resolves.toEqual({ said: 'yes' });
    await headless.runAsync(1_000);
    expect(yard.time.now).toBeCloseTo(100);
  });

  test('freeze: false – the scene runs on, and only calls and ticks keep to the rule', async () => {
    const { headless, yard } = await playYard({ freeze: false });
    const session = await agentAt(headless.game, { subscribe: ['tick'] });
    let ticks = 0;
    session.on('tick', () => ticks++);
    const { x } = yard.ball;
    await headless.runAsync(1_000);
    expect(yard.ball.x).not.toBe(x);
    // The first one comes with the session.
    expect(ticks).toBe(1);
    await expect(playUntil(headless, session.call('rest', { ms: 300 }), 400)).resolves.toMatchObject({ tick: 6 });
  });

  test('barrier: all – the world waits for every agent', async () => {
    const rest = defineTool({ id: 'rest', class: 'actuator', description: 'Rest.', run: async (_input, context) => context.sleep(1) });
    const scene = sceneOf((made) => {
      for (const id of ['a', 'b']) aiccOf(made).character(id, null, { description: id, tools: [rest] });
    });
    const headless = keep(await playScene(scene, { tickMode: 'event', barrier: 'all' }));
    const [a, b] = [await agentOf(headless, { character: 'a' }), await agentOf(headless, { character: 'b' })];
    const first = a.call('rest');
    await headless.runAsync(1_000);
    expect(scene.time.now).toBe(0);
    const second = b.call('rest');
    await turn();
    await playUntil(headless, Promise.all([first, second]), 1_000);
    await headless.runAsync(1_000);
    expect(scene.time.now).toBeCloseTo(100);
  });

  test('advanceOn – sensors can be made to move the world', async () => {
    const { headless, yard } = await playYard({ advanceOn: ['sensor'] });
    const session = await agentAt(headless.game);
    await session.call('where');
    await headless.runAsync(500);
    expect(yard.scene.time.now).toBeCloseTo(50);
  });

  test('a person can still click in a scene that stands still, and what it loads comes in', async () => {
    let button!: Phaser.GameObjects.Zone;
    let loads = 0;
    class Table extends Phaser.Scene {
      preload() {
        aiccOf(this).character('dealer', null, { ...someone, tools: [] });
        const { update } = this.load;
        this.load.update = () => {
          loads++;
          update.call(this.load);
        };
      }
      create() {
        button = this.add.zone(50, 50, 20, 20).setInteractive(new Phaser.Geom.Rectangle(0, 0, 20, 20), Phaser.Geom.Rectangle.Contains);
      }
    }
    const headless = keep(await playScene(new Table('table'), { tickMode: 'event' }));
    headless.run(100);
    const { scene } = button;
    expect((scene.input as unknown as { _list: unknown[] })._list).toEqual([button]);
    expect(loads).toBeGreaterThan(3);
    expect(scene.time.now).toBe(0);
  });

  test('a scene that ends is free again, and one that was bound late keeps its time', async () => {
    const scene = sceneOf(() => undefined);
    const headless = keep(await playScene(scene, { tickMode: 'event' }));
    await headless.runAsync(500);
    const { now } = scene.time;
    expect(now).toBeGreaterThan(0);
    aiccOf(scene).character('hero', null, { ...someone, tools: [] });
    await headless.runAsync(500);
    expect(scene.time.now).toBe(now);
    aiccOf(scene).trigger('go');
    headless.step();
    headless.step();
    expect(scene.time.now).toBeGreaterThan(now);
    expect(scene.time.now - now).toBeLessThanOrEqual(100);
    scene.scene.restart();
    await headless.runAsync(500);
    expect(scene.time.now).toBeGreaterThan(now + 100);
  });

  test('the same seed and calls give the same outcomes and events over 1,000 ticks, whatever the frames', async () => {
    const runs: string[] = [];
    for (const frame of [() => 1000 / 60, (index: number) => 5 + ((index * 7) % 40)]) {
      const { headless } = await playYard();
      const session = await agentAt(headless.game, { subscribe: ['tick', 'collision', 'state_change'] });
      const playing = playBySeed(session, 'a seed', 1_000);
      let done = false;
      void playing.finally(() => (done = true));
      for (let index = 0; !done; index++) {
        headless.step(frame(index));
        await turn();
      }
      const told = await playing;
      expect(told.filter((line) => line.startsWith('collision')).length).toBeGreaterThan(10);
      expect(told.length).toBeGreaterThan(1_200);
      runs.push(told.join('\n'));
      headless.destroy();
    }
    expect(runs[1]).toBe(runs[0]);
  });
});
