import * as Phaser from 'phaser';
import { mapKey, thingsOf, tileSize } from './village-map.ts';

/** Depths: things that stand are sorted by their feet (0 to the map's height), the rest lies below or above them all. */
export const depth = { ground: -10, shadow: 1, dark: 5000, glow: 5100, bubble: 6000 } as const;

export interface Scenery {
  readonly walls: Phaser.Tilemaps.TilemapLayer;
  /** Moves the water and hides what the camera cannot see. */
  update(now: number, camera: Phaser.Cameras.Scene2D.Camera): void;
}

const waveMs = 260;
const waves = 4;

/** Ground, water, trees and houses. */
export function buildScenery(scene: Phaser.Scene): Scenery {
  const map = scene.make.tilemap({ key: mapKey });
  const sets = [map.addTilesetImage('water', 'water'), map.addTilesetImage('ground', 'ground')].filter((set) => set !== null);
  const walls = map.createLayer('solid', sets) as Phaser.Tilemaps.TilemapLayer | null;
  if (walls === null) throw new Error('The map has no layer "solid": run npm run build:assets.');
  walls.setVisible(false).setCollisionByExclusion([-1]);
  if (!scene.textures.exists(groundKey(0)) && scene.game.config.renderType !== Phaser.HEADLESS) drawGround(scene, map);
  const ground = scene.add.image(0, 0, groundKey(0)).setOrigin(0).setDepth(depth.ground);

  const standing: Phaser.GameObjects.Image[] = [];
  for (const kind of ['tree', 'house', 'well'] as const) {
    const texture = { tree: 'trees', house: 'houses', well: 'well' }[kind];
    for (const thing of thingsOf(kind)) {
      standing.push(
        scene.add
          .image(thing.x, thing.y, texture, thing.frame)
          .setOrigin(0.5, 1)
          .setDepth(thing.y - 2),
      );
    }
  }

  let shown = 0;
  return {
    walls,
    update(now, camera) {
      const wave = Math.floor(now / waveMs) % waves;
      if (wave !== shown) ground.setTexture(groundKey(wave));
      shown = wave;
      const view = camera.worldView;
      for (const image of standing) {
        image.visible = image.x > view.x - 50 && image.x < view.right + 50 && image.y > view.y && image.y < view.bottom + 80;
      }
    },
  };
}

const groundKey = (wave: number): string => `village-${wave}`;

/** The tile layers as one picture for each state of the water: a thousand tiles are too many to draw in every frame without a graphics card. */
function drawGround(scene: Phaser.Scene, map: Phaser.Tilemaps.Tilemap): void {
  for (let wave = 0; wave < waves; wave++) {
    const texture = scene.textures.createCanvas(groundKey(wave), map.widthInPixels, map.heightInPixels);
    if (texture === null) return;
    for (const name of ['water', 'ground']) {
      for (const tile of map.getLayer(name)?.data.flat() ?? []) {
        if (tile.index < 1) continue;
        const set = map.tilesets.findLast(({ firstgid }) => firstgid <= tile.index);
        const from = set?.getTileTextureCoordinates(tile.index + (name === 'water' ? wave * 2 : 0)) as
          | { x: number; y: number }
          | null
          | undefined;
        if (!set?.image || !from) continue;
        const source = set.image.getSourceImage() as HTMLImageElement;
        texture.context.drawImage(source, from.x, from.y, tileSize, tileSize, tile.x * tileSize, tile.y * tileSize, tileSize, tileSize);
      }
    }
    texture.refresh();
  }
}
