import type * as Phaser from 'phaser';
import { mapKey, thingsOf } from './village-map.ts';

/** Depths: things that stand are sorted by their feet (0 to the map's height), the rest lies below or above them all. */
export const depth = { ground: -10, shadow: 1, dark: 5000, glow: 5100, bubble: 6000 } as const;

export interface Scenery {
  readonly walls: Phaser.Tilemaps.TilemapLayer;
  /** Moves the water and hides what the camera cannot see. */
  update(now: number, camera: Phaser.Cameras.Scene2D.Camera): void;
}

const waveMs = 260;
const frames = 4;

/** Ground, water, trees and houses. */
export function buildScenery(scene: Phaser.Scene): Scenery {
  const map = scene.make.tilemap({ key: mapKey });
  const sets = [map.addTilesetImage('water', 'water'), map.addTilesetImage('ground', 'ground')].filter((set) => set !== null);
  const layer = (name: string) => {
    const made = map.createLayer(name, sets);
    if (made === null) throw new Error(`The map has no layer "${name}": run npm run build:assets.`);
    return made as Phaser.Tilemaps.TilemapLayer;
  };
  const water = layer('water').setDepth(depth.ground - 1);
  layer('ground').setDepth(depth.ground);
  const walls = layer('solid').setVisible(false);
  walls.setCollisionByExclusion([-1]);

  const waves: { tile: Phaser.Tilemaps.Tile; first: number }[] = [];
  water.forEachTile((tile) => {
    if (tile.index > 0) waves.push({ tile, first: tile.index });
  });

  const standing: Phaser.GameObjects.Image[] = [];
  for (const kind of ['tree', 'house', 'well'] as const) {
    const texture = { tree: 'trees', house: 'houses', well: 'well' }[kind];
    for (const thing of thingsOf(kind))
      standing.push(
        scene.add
          .image(thing.x, thing.y, texture, thing.frame)
          .setOrigin(0.5, 1)
          .setDepth(thing.y - 2),
      );
  }

  let shown = -1;
  return {
    walls,
    update(now, camera) {
      const frame = Math.floor(now / waveMs) % frames;
      if (frame !== shown) for (const { tile, first } of waves) tile.index = first + frame * 2;
      shown = frame;
      const view = camera.worldView;
      for (const image of standing) {
        image.visible = image.x > view.x - 50 && image.x < view.right + 50 && image.y > view.y && image.y < view.bottom + 80;
      }
    },
  };
}
