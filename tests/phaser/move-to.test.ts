import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aiccOf, type SceneAicc } from 'phaser-aicc';
import type { Session } from 'phaser-aicc/agent';
import { body, moveTo, stop } from 'phaser-aicc/kit';
import { afterEach, describe, expect, test } from 'vitest';
import type { Headless } from '../../src/headless/index.ts';
import { AsciiMap } from './ascii.ts';
import { agentOf, play, playUntil, someone, turn } from './play.ts';

interface Field {
  headless: Headless;
  session: Session;
  hero: Phaser.Physics.Arcade.Sprite;
  map: AsciiMap;
}

let field: Field | undefined;
afterEach(async () => {
  await field?.session.close();
  field?.headless.destroy();
  field = undefined;
});

/** A solid hero of `size` pixels at H in a solid world. */
async function walkIn(
  drawing: string,
  more: (scene: Phaser.Scene, ai: SceneAicc, hero: Phaser.Physics.Arcade.Sprite, map: AsciiMap) => void = () => undefined,
  size = 12,
): Promise<Field> {
  const map = new AsciiMap(drawing);
  let hero!: Phaser.Physics.Arcade.Sprite;
  const headless = await play((scene) => {
    const ai = aiccOf(scene);
    const walls = map.build(scene, ai);
    hero = scene.physics.add.sprite(map.at('H').x, map.at('H').y, 'none');
    hero.body!.setSize(size, size);
    scene.physics.add.collider(hero, walls);
    more(scene, ai, hero, map);
    ai.character('hero', hero, { ...someone, tools: [moveTo(), stop(), body()] });
  });
  field = { headless, session: await agentOf(headless), hero, map };
  return field;
}

const MAZE = `
  ##########
  #H..#....#
  #.#.#.##.#
  #.#...#..#
  #.#####.##
  #......E.#
  ##########`;

describe('move_to', () => {
  test('walks around corners to the very place, and tells its progress', async () => {
    const { headless, session, hero, map } = await walkIn(MAZE);
    const left: unknown[] = [];
    session.on('state_change', (payload) => payload.kind === 'progress' && left.push(payload.left));
    const { x, y } = map.at('E');
    const output = await playUntil(headless, session.call('move_to', { x, y }), 10_000);
    expect(output).toEqual({ position: { x: expect.closeTo(x, 0), y: expect.closeTo(y, 0) }, distance: expect.closeTo(0, 0) });
    expect([hero.x, hero.y]).toEqual([expect.closeTo(x, 0), expect.closeTo(y, 0)]);
    expect(hero.body!.velocity).toMatchObject({ x: 0, y: 0 });
    expect(left.length).toBeGreaterThan(1);
    expect(left).toEqual([...left].sort((a, b) => Number(b) - Number(a)));
  });

  test('a body that exactly fits a passage goes through it', async () => {
    const { headless, session, map } = await walkIn(MAZE, undefined, 16);
    await expect(playUntil(headless, session.call('move_to', { ...map.at('E') }), 15_000)).resolves.toBeDefined();
  });

  test('a body wider than a cell goes where two cells are free, and only there', async () => {
    const drawing = `
      ############
      #...#......#
      #.H.....E..#
      #..........#
      ####.#######
      ####F#######
      ############`;
    const { headless, session, map } = await walkIn(drawing, undefined, 28);
    await expect(playUntil(headless, session.call('move_to', { ...map.at('E') }), 10_000)).resolves.toBeDefined();
    await expect(playUntil(headless, session.call('move_to', { ...map.at('F') }), 10_000)).rejects.toMatchObject({
      message: expect.stringContaining('unreachable'),
    });
  });

  test('does not cut corners', async () => {
    const drawing = `
      #####
      #H#E#
      #.#.#
      #...#
      #####`;
    const { headless, session, hero, map } = await walkIn(drawing, undefined, 14);
    let touched = 0;
    hero.scene.events.on('postupdate', () => {
      if (!hero.body!.blocked.none || !hero.body!.touching.none) touched++;
    });
    await playUntil(headless, session.call('move_to', { ...map.at('E') }), 10_000);
    expect(touched).toBe(0);
  });

  test('no way: unreachable, naming the nearest place that can be reached', async () => {
    const drawing = `
      #########
      #H..#...#
      #...#.E.#
      #...#...#
      #########`;
    const { headless, session, map } = await walkIn(drawing);
    const { x, y } = map.at('E');
    await expect(session.call('move_to', { x, y })).rejects.toMatchObject({
      code: 'execution_failed',
      retryable: false,
      message: `unreachable: no way leads to (${x}, ${y}); the nearest place you can reach is (56, 40)`,
    });
    await expect(session.call('move_to', { x: 1, y: 1 })).rejects.toMatchObject({ message: expect.stringContaining('unreachable') });
    await expect(session.call('move_to', { x: -500, y: 9000 })).rejects.toMatchObject({ message: expect.stringContaining('unreachable') });
    headless.step();
  });

  test('goes beside a target that stands in a wall, from where it can be reached', async () => {
    const drawing = `
      #########
      #H..#...#
      #...T...#
      #...#...#
      #########`;
    const { headless, session, map, hero } = await walkIn(drawing, (scene, ai, _hero, drawn) => {
      const lantern = scene.add.rectangle(drawn.at('T').x, drawn.at('T').y, 12, 12);
      const post = scene.physics.add.staticImage(drawn.at('T').x, drawn.at('T').y, 'none');
      post.body.setSize(16, 16);
      scene.physics.add.collider(_hero, post);
      ai.map((x, y) => Math.abs(x - lantern.x) < 8 && Math.abs(y - lantern.y) < 8, { bounds: { x: 0, y: 0, width: 144, height: 80 } });
      ai.entities(lantern, { kind: 'lantern' });
    });
    const output = await playUntil(headless, session.call('move_to', { target: 'lantern_1' }), 10_000);
    expect(output.distance).toBeLessThan(24);
    expect(hero.x).toBeLessThan(map.at('T').x);
  });

  test('follows a target that moves, and stops beside it', async () => {
    const drawing = `
      ####################
      #H......T..........#
      #..................#
      ####################`;
    let prey!: Phaser.Physics.Arcade.Sprite;
    const { headless, session, hero } = await walkIn(drawing, (scene, ai, _hero, drawn) => {
      prey = scene.physics.add.sprite(drawn.at('T').x, drawn.at('T').y, 'none');
      prey.body!.setSize(12, 12);
      prey.setVelocity(60, 10);
      scene.time.delayedCall(1_500, () => prey.setVelocity(0, 0));
      ai.entities(prey, { kind: 'prey' });
    });
    await playUntil(headless, session.call('move_to', { target: 'prey_1' }), 20_000);
    expect(Math.hypot(prey.x - hero.x, prey.y - hero.y)).toBeLessThan(24);
  });

  test('a target that vanishes on the way: gone', async () => {
    const { headless, session } = await walkIn(MAZE, (scene, ai, _hero, drawn) => {
      const coin = scene.add.zone(drawn.at('E').x, drawn.at('E').y, 8, 8);
      ai.entities(coin, { kind: 'coin' });
      scene.time.delayedCall(300, () => coin.destroy());
    });
    await expect(playUntil(headless, session.call('move_to', { target: 'coin_1' }), 10_000)).rejects.toMatchObject({
      code: 'tool_unavailable',
      retryable: false,
      message: "gone: 'coin_1' is no longer there",
    });
    await expect(session.call('move_to', { target: 'coin_7' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('something that no map tells stands in the only way: blocked, never hanging', async () => {
    const drawing = `
      ##########
      #H...B..E#
      ##########`;
    const { headless, session, hero } = await walkIn(drawing, (scene, _ai, solid, drawn) => {
      const rock = scene.physics.add.staticImage(drawn.at('B').x, drawn.at('B').y, 'none');
      rock.body.setSize(16, 16);
      scene.physics.add.collider(solid, rock);
    });
    await expect(playUntil(headless, session.call('move_to', { x: 136, y: 24 }), 20_000)).rejects.toMatchObject({
      code: 'execution_failed',
      retryable: true,
      message: expect.stringMatching(/^blocked: /),
    });
    expect(hero.body!.velocity.x).toBe(0);
  });

  test('walks around something that no map tells where there is room', async () => {
    const drawing = `
      ##########
      #........#
      #H...B..E#
      #........#
      ##########`;
    const { headless, session, map } = await walkIn(drawing, (scene, _ai, solid, drawn) => {
      const rock = scene.physics.add.staticImage(drawn.at('B').x, drawn.at('B').y, 'none');
      rock.body.setSize(16, 16);
      scene.physics.add.collider(solid, rock);
    });
    await expect(playUntil(headless, session.call('move_to', { ...map.at('E') }), 20_000)).resolves.toBeDefined();
  });

  test('D10: another move_to preempts it, stop halts it', async () => {
    const { headless, session, hero, map } = await walkIn(MAZE);
    const first = session.call('move_to', { ...map.at('E') });
    const preempted = expect(first).rejects.toMatchObject({ code: 'execution_failed', retryable: true, message: 'preempted' });
    await headless.runAsync(400);
    expect(await session.call('body')).toMatchObject({
      doing: expect.stringContaining('walking to (120, 88)'),
      velocity: { x: expect.any(Number) },
    });
    const start = { x: hero.x, y: hero.y };
    const second = session.call('move_to', { ...map.at('H') });
    await preempted;
    await headless.runAsync(100);
    expect(hero.body!.velocity.length()).toBeGreaterThan(0);
    const stopped = expect(second).rejects.toMatchObject({ message: 'preempted' });
    const { position } = await session.call('stop');
    await stopped;
    expect(hero.body!.velocity.length()).toBe(0);
    expect(position).not.toEqual(start);
    expect(await session.call('body')).toMatchObject({ doing: 'idle' });
  });

  test('D17: a cancelled walk, and one whose agent has left, stands still at once', async () => {
    const { headless, session, hero, map } = await walkIn(MAZE);
    const giveUp = new AbortController();
    const walking = session.call('move_to', { ...map.at('E') }, { signal: giveUp.signal });
    const cancelled = expect(walking).rejects.toBeDefined();
    await headless.runAsync(200);
    expect(hero.body!.velocity.length()).toBeGreaterThan(0);
    giveUp.abort();
    await cancelled;
    await turn();
    expect(hero.body!.velocity.length()).toBe(0);
    const left = expect(session.call('move_to', { ...map.at('E') })).rejects.toBeDefined();
    await headless.runAsync(200);
    expect(hero.body!.velocity.length()).toBeGreaterThan(0);
    await session.close();
    await left;
    expect(hero.body!.velocity.length()).toBe(0);
  });

  test('C8: a sprite destroyed on its way ends the call', async () => {
    const { headless, session, hero, map } = await walkIn(MAZE);
    const walking = session.call('move_to', { ...map.at('E') });
    await headless.runAsync(300);
    hero.destroy();
    await expect(walking).rejects.toMatchObject({ code: 'tool_unavailable', message: 'gone' });
    await headless.runAsync(100);
    await expect(session.call('move_to', { ...map.at('E') })).rejects.toMatchObject({ code: 'tool_unavailable', retryable: true });
  });

  test('wants a place or a target, not both or neither', async () => {
    const { session } = await walkIn(MAZE);
    for (const input of [{}, { x: 1 }, { x: 1, y: 2, target: 'hero' }]) {
      await expect(session.call('move_to', input)).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'give either {x, y} or {target}',
      });
    }
    await expect(session.call('move_to', { target: 'hero' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('you'),
    });
    await turn();
  });

  test('an Arcade body in a moved container is where the world sees it, and walks there', async () => {
    const map = new AsciiMap(MAZE);
    let hero!: Phaser.Physics.Arcade.Sprite;
    const headless = await play((scene) => {
      const ai = aiccOf(scene);
      map.build(scene, ai);
      hero = scene.physics.add.sprite(-100, -50, 'none');
      hero.body!.setSize(12, 12);
      scene.add.container(map.at('H').x + 100, map.at('H').y + 50, [hero]);
      ai.character('hero', hero, { ...someone, tools: [moveTo(), body()] });
    });
    headless.step();
    field = { headless, session: await agentOf(headless), hero, map };
    expect(await field.session.call('body')).toMatchObject({ position: map.at('H') });
    const { x, y } = map.at('E');
    await playUntil(headless, field.session.call('move_to', { x, y }), 10_000);
    expect(await field.session.call('body')).toMatchObject({ position: { x: expect.closeTo(x, 0), y: expect.closeTo(y, 0) } });
    expect(hero.x).toBeCloseTo(x - map.at('H').x - 100, 0);
  });

  test('a tilemap layer is a map too: its colliding tiles are walls', async () => {
    const map = new AsciiMap(MAZE);
    let hero!: Phaser.Physics.Arcade.Sprite;
    const headless = await play((scene) => {
      const ai = aiccOf(scene);
      const data = MAZE.trim()
        .split('\n')
        .map((row) => [...row.trim()].map((mark) => (mark === '#' ? 1 : 0)));
      const tilemap = scene.make.tilemap({ data, tileWidth: 16, tileHeight: 16 });
      const layer = tilemap.createLayer(0, tilemap.addTilesetImage('tiles', '__DEFAULT', 16, 16)!, 0, 0) as Phaser.Tilemaps.TilemapLayer;
      layer.setCollision(1);
      hero = scene.physics.add.sprite(map.at('H').x, map.at('H').y, 'none');
      hero.body!.setSize(12, 12);
      scene.physics.add.collider(hero, layer);
      ai.map(layer);
      ai.character('hero', hero, { ...someone, tools: [moveTo()] });
    });
    field = { headless, session: await agentOf(headless), hero, map };
    const { x, y } = map.at('E');
    await playUntil(headless, field.session.call('move_to', { x, y }), 10_000);
    expect([hero.x, hero.y]).toEqual([expect.closeTo(x, 0), expect.closeTo(y, 0)]);
    await expect(field.session.call('move_to', { x: 8, y: 8 })).rejects.toMatchObject({ message: expect.stringContaining('unreachable') });
    await expect(field.session.call('move_to', { x: 8, y: 800 })).rejects.toMatchObject({
      message: expect.stringContaining('unreachable'),
    });
  });

  test('without a map it goes straight', async () => {
    let hero!: Phaser.Physics.Arcade.Sprite;
    const headless = await play((scene) => {
      hero = scene.physics.add.sprite(10, 10, 'none');
      aiccOf(scene).character('hero', hero, { ...someone, tools: [moveTo({ speed: 200 })] });
    });
    field = { headless, session: await agentOf(headless), hero, map: undefined as never };
    await playUntil(headless, field.session.call('move_to', { x: -300, y: 410 }), 3_000);
    expect([hero.x, hero.y]).toEqual([expect.closeTo(-300, 0), expect.closeTo(410, 0)]);
  });

  test('a plain object walks too, also inside a moved and scaled container', async () => {
    const map = new AsciiMap(MAZE);
    let hero!: Phaser.GameObjects.Rectangle;
    const headless = await play((scene) => {
      const ai = aiccOf(scene);
      map.build(scene, ai);
      hero = scene.add.rectangle(0, 0, 4, 4);
      const box = scene.add.container(map.at('H').x, map.at('H').y, [hero]);
      box.setScale(2);
      ai.character('hero', hero, { ...someone, tools: [moveTo(), stop(), body()] });
    });
    field = { headless, session: await agentOf(headless), hero: undefined as never, map };
    const { x, y } = map.at('E');
    const { position } = await playUntil(headless, field.session.call('move_to', { x, y }), 10_000);
    expect(position).toEqual({ x: expect.closeTo(x, 0), y: expect.closeTo(y, 0) });
    expect(hero.x).toBeCloseTo((x - map.at('H').x) / 2, 0);
  });
});
