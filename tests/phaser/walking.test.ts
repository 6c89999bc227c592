import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aiccOf, type SceneAicc } from 'phaser-aicc';
import type { Session } from 'phaser-aicc/agent';
import { body, moveTo, stop } from 'phaser-aicc/kit';
import { afterEach, describe, expect, test } from 'vitest';
import { PLACES_PER_FRAME } from '../../plugin/search-budget.ts';
import type { Headless } from '../../src/headless/index.ts';
import { agentOf, play, playUntil, someone, turn } from './play.ts';

let headless: Headless | undefined;
let session: Session | undefined;
afterEach(async () => {
  await session?.close();
  headless?.destroy();
  headless = undefined;
  session = undefined;
});

type Hero = Phaser.GameObjects.GameObject & { x: number; y: number };

async function walker<T extends Hero>(create: (scene: Phaser.Scene, ai: SceneAicc) => T, speed: number | (() => number) = 120): Promise<T> {
  let hero!: T;
  headless = await play((scene) => {
    const ai = aiccOf(scene);
    hero = create(scene, ai);
    ai.character('hero', hero, { ...someone, tools: [moveTo({ speed }), stop(), body()] });
  });
  session = await agentOf(headless);
  return hero;
}

const walk = (x: number, y: number, ms = 60_000) => playUntil(headless!, session!.call('move_to', { x, y }), ms);
const solid = (scene: Phaser.Scene, x: number, y: number) => {
  const hero = scene.physics.add.sprite(x, y, 'none');
  hero.body!.setSize(12, 12);
  return hero;
};

describe('no search holds a frame', () => {
  /** `size` by `size` cells; a wall down the middle with one gap at its lower end. Counts the places that were asked about. */
  const halves = (size: number, gap: boolean) => {
    const asked = { count: 0 };
    const wallAt = (x: number, y: number) => {
      asked.count++;
      return Math.floor(x / 16) === size / 2 && !(gap && y > (size - 1) * 16);
    };
    return { asked, wallAt, bounds: { x: 0, y: 0, width: size * 16, height: size * 16 } };
  };
  /** A place has at most nine points to ask for, eight neighbours that are seldom new, and lines to look along. */
  const MOST_ASKED = PLACES_PER_FRAME * 9 * 5;

  test('the far end of a world without a map', async () => {
    const hero = await walker((scene) => solid(scene, 0, 0));
    for (const x of [1e9, -1e9, 1e300]) {
      const call = session!.call('move_to', { x, y: 10 });
      call.catch(() => undefined);
      await headless!.runAsync(300);
      expect(Math.sign(hero.body!.velocity.x)).toBe(Math.sign(x));
      await session!.call('stop');
      await expect(call).rejects.toMatchObject({ message: 'preempted' });
    }
  });

  test('one who goes so far that no step changes the number of pixels left goes on, and is not told of obstacles', async () => {
    const hero = await walker((scene) => scene.add.zone(0, 0, 8, 8));
    for (const x of [1e308, -1e308, 1e20]) {
      hero.x = 0;
      const call = session!.call('move_to', { x, y: 10 });
      call.catch(() => undefined);
      await headless!.runAsync(15_000);
      expect(Math.abs(hero.x)).toBeGreaterThan(500);
      await session!.call('stop');
      await expect(call).rejects.toMatchObject({ reason: 'preempted' });
    }
  });

  test('a large map with one gap: the way is found, in slices', async () => {
    const { asked, wallAt, bounds } = halves(400, true);
    await walker((scene, ai) => {
      ai.map(wallAt, { bounds });
      return scene.add.zone(24, 24, 12, 12);
    });
    const call = session!.call('move_to', { x: 399 * 16, y: 24 });
    call.catch(() => undefined);
    let most = 0;
    let frames = 0;
    await turn();
    for (; (await session!.call('body')).velocity && frames < 400; frames++) {
      const before = asked.count;
      await headless!.runAsync(1000 / 60);
      most = Math.max(most, asked.count - before);
      if (((await session!.call('body')) as { velocity: { y: number } }).velocity.y > 0) break;
    }
    expect(frames).toBeGreaterThan(10);
    expect(frames).toBeLessThan(400);
    expect(most).toBeLessThan(MOST_ASKED);
    await session!.call('stop');
    await expect(call).rejects.toMatchObject({ reason: 'preempted' });
  });

  test('a hundred calls at once take no more of a frame than one, and preempted ones nothing', async () => {
    const { asked, wallAt, bounds } = halves(200, false);
    await walker((scene, ai) => {
      ai.map(wallAt, { bounds });
      return scene.add.zone(24, 24, 12, 12);
    });
    const calls = Array.from({ length: 100 }, (_, index) =>
      session!.call('move_to', { x: 150 * 16 + index, y: 24 }).catch((error) => error),
    );
    await turn();
    await headless!.runAsync(1000 / 60);
    // The budget of the frame before, and of this one.
    expect(asked.count).toBeLessThan(2 * MOST_ASKED);
    const ends = await playUntil(headless!, Promise.all(calls), 60_000);
    expect(ends.slice(0, -1).every(({ reason }) => ['preempted', 'limit', 'busy'].includes(reason))).toBe(true);
  });
});

describe('a map that changes under way', () => {
  const bounds = { x: 0, y: 0, width: 320, height: 96 };
  const heroes: [string, (scene: Phaser.Scene) => Hero][] = [
    ['a plain object', (scene) => scene.add.zone(24, 24, 12, 12)],
    ['a body without a collider', (scene) => solid(scene, 24, 24)],
  ];
  for (const [name, make] of heroes) {
    test(`${name} never walks through what became a wall: it goes around`, async () => {
      let shut = false;
      const isWall = (x: number, y: number) => shut && x >= 160 && x < 176 && y < 64;
      const hero = await walker((scene, ai) => {
        ai.map(isWall, { bounds });
        return make(scene);
      });
      const call = session!.call('move_to', { x: 300, y: 24 });
      await headless!.runAsync(500);
      shut = true;
      let touched = 0;
      const watching = () => {
        if (isWall(hero.x, hero.y)) touched++;
      };
      headless!.game.events.on('poststep', watching);
      await playUntil(headless!, call, 20_000);
      expect(touched).toBe(0);
      expect([hero.x, hero.y]).toEqual([expect.closeTo(300, 0), expect.closeTo(24, 0)]);
    });

    test(`${name} says unreachable when nothing is left open`, async () => {
      let shut = false;
      const hero = await walker((scene, ai) => {
        ai.map((x) => shut && x >= 160 && x < 176, { bounds });
        return make(scene);
      });
      const call = session!.call('move_to', { x: 300, y: 24 });
      call.catch(() => undefined);
      await headless!.runAsync(500);
      shut = true;
      await expect(playUntil(headless!, call, 20_000)).rejects.toMatchObject({ reason: 'unreachable' });
      expect(hero.x).toBeLessThan(156);
    });
  }
});

describe('honest reasons', () => {
  test('physics that stands still: paused', async () => {
    const hero = await walker((scene) => solid(scene, 24, 24));
    hero.scene.physics.pause();
    await expect(walk(200, 24)).rejects.toMatchObject({ code: 'tool_unavailable', reason: 'paused', retryable: true });
    hero.scene.physics.resume();
    await walk(200, 24);
  });

  test('slow motion takes long and arrives; quick motion does not overshoot', async () => {
    for (const timeScale of [40, 10, 0.1]) {
      const hero = await walker((scene) => solid(scene, 24, 24));
      hero.scene.physics.world.timeScale = timeScale;
      await walk(36, 24);
      expect(hero.x).toBeCloseTo(36, 0);
      expect(await session!.call('body')).toMatchObject({ facing: 0 });
      await session!.close();
      headless!.destroy();
    }
  });

  test('no speed, a body switched off and a fixed one: immovable', async () => {
    let speed = 0;
    const hero = await walker(
      (scene) => solid(scene, 24, 24),
      () => speed,
    );
    await expect(walk(200, 24)).rejects.toMatchObject({ reason: 'immovable', message: expect.stringContaining('speed is 0') });
    speed = 100;
    hero.body!.enable = false;
    await expect(walk(200, 24)).rejects.toMatchObject({ reason: 'immovable', message: expect.stringContaining('switched your body off') });
    hero.body!.enable = true;
    hero.body!.moves = false;
    await expect(walk(200, 24)).rejects.toMatchObject({ reason: 'immovable', message: expect.stringContaining('fixed your body') });
    hero.body!.moves = true;
    hero.setImmovable(true);
    await walk(200, 24);
  });

  test('facing is where it walked to, however many steps physics takes in a frame', async () => {
    for (const frameMs of [16, 17, 20, 25, 33]) {
      const hero = await walker((scene) => solid(scene, 24, 24));
      const call = session!.call('move_to', { x: 124.3, y: 24 });
      let done = false;
      call.then(() => {
        done = true;
      });
      let furthest = 0;
      let time = headless!.game.loop.time || 1_000;
      for (let i = 0; i < 400 && !done; i++) {
        time += frameMs;
        headless!.game.headlessStep(time, frameMs);
        furthest = Math.max(furthest, hero.x);
        await turn();
      }
      await call;
      expect(furthest).toBeLessThan(124.4);
      expect(await session!.call('body')).toMatchObject({ facing: 0 });
      await session!.close();
      headless!.destroy();
    }
  });

  test('a long frame carries a plain body no further than its way goes', async () => {
    const hero = await walker((scene, ai) => {
      ai.map((x) => x >= 96, { bounds: { x: 0, y: 0, width: 160, height: 48 } });
      return scene.add.zone(24, 24, 12, 12);
    });
    const call = session!.call('move_to', { x: 88, y: 24 });
    await headless!.runAsync(100);
    headless!.game.headlessStep((headless!.game.loop.time || 0) + 2_000, 2_000);
    expect(hero.x).toBeLessThan(88.5);
    await playUntil(headless!, call, 5_000);
    expect(hero.x).toBeCloseTo(88, 0);
  });
});

describe('under gravity', () => {
  const onFloor = (scene: Phaser.Scene) => {
    const hero = solid(scene, 24, 94);
    hero.setGravityY(600);
    const floor = scene.physics.add.staticImage(200, 108, 'none');
    floor.body.setSize(400, 16);
    scene.physics.add.collider(hero, floor);
    return hero;
  };

  test('it walks along the ground, and does not fly', async () => {
    const hero = await walker(onFloor);
    let top = 1_000;
    headless!.game.events.on('poststep', () => {
      top = Math.min(top, hero.y);
    });
    await walk(200, 90);
    expect(hero.x).toBeCloseTo(200, 0);
    await expect(walk(100, 20)).rejects.toMatchObject({ reason: 'unreachable', message: expect.stringContaining('gravity') });
    expect(top).toBeGreaterThan(85);
  });

  test('a wall in its way blocks it, and stop does not hold it in the air', async () => {
    const hero = await walker((scene) => {
      const made = onFloor(scene);
      const wall = scene.physics.add.staticImage(100, 80, 'none');
      wall.body.setSize(16, 80);
      scene.physics.add.collider(made, wall);
      return made;
    });
    await expect(walk(200, 90)).rejects.toMatchObject({ reason: 'blocked' });
    hero.setPosition(24, 0);
    await headless!.runAsync(200);
    const { velocity } = hero.body as Phaser.Physics.Arcade.Body;
    const before = velocity.y;
    await session!.call('stop');
    expect(velocity.y).toBe(before);
    expect(before).toBeGreaterThan(0);
  });
});
