import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aiccOf } from 'phaser-aicc';
import type { Session } from 'phaser-aicc/agent';
import { moveTo, vision } from 'phaser-aicc/kit';
import { afterEach, describe, expect, test } from 'vitest';
import type { Headless } from '../../src/headless/index.ts';
import { agentOf, play, playUntil, someone, turn } from './play.ts';

let headless: Headless | undefined;
let session: Session | undefined;
afterEach(async () => {
  await session?.close();
  headless?.destroy();
  headless = undefined;
});

/** 0 is floor, 1 rock, 2 a bush; the hero begins at (24, 24), and the far room is at (88, 24). */
const TILES = [
  [1, 1, 1, 1, 1, 1, 1],
  [1, 0, 0, 1, 0, 0, 1],
  [1, 0, 0, 1, 0, 2, 1],
  [1, 0, 0, 0, 0, 0, 1],
  [1, 1, 1, 1, 1, 1, 1],
];
const FAR = { x: 72, y: 24 };

type Layer = Phaser.Tilemaps.TilemapLayer;
type Prepare = (layer: Layer, scene: Phaser.Scene) => void;

async function onLayer(prepare: Prepare, { after = () => undefined, data = TILES }: { after?: Prepare; data?: number[][] } = {}) {
  let layer!: Layer;
  let hero!: Phaser.GameObjects.Zone;
  headless = await play((scene) => {
    const ai = aiccOf(scene);
    const map = scene.make.tilemap({ data, tileWidth: 16, tileHeight: 16 });
    layer = map.createLayer(0, map.addTilesetImage('tiles', '__DEFAULT', 16, 16)!, 0, 0) as Layer;
    prepare(layer, scene);
    ai.map(layer);
    after(layer, scene);
    hero = scene.add.zone(24, 24, 10, 10);
    ai.entities(scene.add.zone(FAR.x, FAR.y, 8, 8), { kind: 'coin' });
    ai.character('hero', hero, { ...someone, tools: [moveTo(), vision()] });
  });
  session = await agentOf(headless);
  return { layer, hero };
}

const seen = async () => ((await session!.call('vision')) as { entities: { id: string }[] }).entities.map(({ id }) => id);
const walk = (x: number, y: number) => playUntil(headless!, session!.call('move_to', { x, y }), 20_000);
const unreachable = { message: expect.stringMatching(/^unreachable: /), reason: 'unreachable' };

describe('the walls of a layer are the tiles that collide', () => {
  const eachTile = (layer: Layer, index: number, visit: (tile: Phaser.Tilemaps.Tile) => void) =>
    layer.forEachTile((tile) => tile.index === index && visit(tile));
  const ways: [string, Prepare][] = [
    ['setCollision([ids])', (layer) => layer.setCollision([1])],
    ['setCollisionByExclusion', (layer) => layer.setCollisionByExclusion([0, 2])],
    ['tile.setCollision(true)', (layer) => eachTile(layer, 1, (tile) => tile.setCollision(true))],
    [
      'setCollisionByProperty',
      (layer) => {
        eachTile(layer, 1, (tile) => {
          tile.properties = { solid: true };
        });
        layer.setCollisionByProperty({ solid: true });
      },
    ],
    [
      'setCollisionFromCollisionGroup',
      (layer) => {
        const group = { objects: [{ x: 0, y: 0, width: 16, height: 16 }] };
        layer.forEachTile((tile) => {
          tile.getCollisionGroup = () => (tile.index === 1 ? group : null);
        });
        layer.setCollisionFromCollisionGroup();
      },
    ],
  ];
  for (const [name, prepare] of ways) {
    test(`${name}, before or after ai.map`, async () => {
      for (const after of [false, true]) {
        const { hero } = await onLayer(after ? () => undefined : prepare, after ? { after: prepare } : {});
        expect(await seen()).toEqual([]);
        await walk(88, 40);
        expect([hero.x, hero.y]).toEqual([expect.closeTo(88, 0), expect.closeTo(40, 0)]);
        expect(await seen()).toEqual(['coin_1']);
        await expect(walk(56, 24)).rejects.toMatchObject(unreachable);
        await session!.close();
        headless!.destroy();
      }
    });
  }

  test('all tiles are walls while the layer never had a collision set; one that had and has none any more is open', async () => {
    await onLayer(() => undefined);
    await expect(walk(40, 24)).rejects.toMatchObject(unreachable);
    await session!.close();
    headless!.destroy();
    const { layer } = await onLayer((made) => made.setCollision([1]));
    layer.setCollision([1], false);
    await walk(FAR.x, FAR.y);
  });

  test('tiles that are put and removed count from then on', async () => {
    const { layer } = await onLayer((made) => made.setCollision([1]));
    layer.putTileAt(1, 3, 3);
    await expect(walk(FAR.x, FAR.y)).rejects.toMatchObject(unreachable);
    layer.removeTileAt(3, 1);
    await walk(FAR.x, FAR.y);
  });

  test('a tile that stops bodies from one side is passed from the others', async () => {
    // Closed but for a ledge at (3, 3), which lets pass to the right only.
    const prepare: Prepare = (layer) => {
      layer.setCollision([1]);
      layer.getTileAt(3, 3).setCollision(false, true, false, false);
    };
    await onLayer(prepare);
    await walk(FAR.x, FAR.y);
    await expect(walk(24, 24)).rejects.toMatchObject(unreachable);
  });

  test('a layer that the game destroys is no wall any more, and stops no tool', async () => {
    const { layer } = await onLayer((made) => made.setCollision([1]));
    layer.destroy();
    headless!.step();
    expect(await seen()).toEqual(['coin_1']);
    await walk(FAR.x, FAR.y);
  });

  test('a scaled and moved layer is where the game shows it', async () => {
    const { hero } = await onLayer((layer) => layer.setCollision([1]).setScale(2).setPosition(100, 50));
    hero.setPosition(148, 98);
    await walk(244, 98);
    expect([hero.x, hero.y]).toEqual([expect.closeTo(244, 0), expect.closeTo(98, 0)]);
    await expect(walk(100 + 7 * 16, 50 + 3 * 16)).rejects.toMatchObject(unreachable);
  });

  test('a layer that scrolls otherwise than the world is where physics has it', async () => {
    const { hero } = await onLayer((layer, scene) => {
      layer.setCollision([1]).setScrollFactor(0);
      scene.cameras.main.setScroll(200, 0);
    });
    hero.setPosition(224, 24);
    await walk(272, 24);
    await expect(walk(72, 24)).rejects.toMatchObject(unreachable);
  });

  test('a layer whose tiles are no rectangles in rows is refused in words', async () => {
    const thrown: unknown[] = [];
    await onLayer((layer, scene) => {
      layer.setCollision([1]);
      for (const orientation of [1, 2, 3]) {
        const other = scene.make.tilemap({ data: TILES, tileWidth: 16, tileHeight: 8 });
        const made = other.createLayer(0, other.addTilesetImage('tiles', '__DEFAULT', 16, 8)!, 0, 0) as Layer;
        made.layer.orientation = orientation as never;
        try {
          aiccOf(scene).map(made);
        } catch (error) {
          thrown.push(error);
        }
      }
    });
    expect(thrown.map(String)).toEqual(Array(3).fill(expect.stringMatching(/^TypeError: map\(layer\): .*isometric.*function instead/)));
    await turn();
  });
});
