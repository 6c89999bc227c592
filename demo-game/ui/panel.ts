import type * as Phaser from 'phaser';

/** Which of the frames: a dark panel, a key cap, a button, a pressed button, speech of the player, of Mira, of Old Tam. */
const panelKind = { dark: 0, key: 1, button: 2, pressed: 3, player: 4, mira: 5, old_tam: 6 } as const;
export type PanelKind = keyof typeof panelKind;

const corner = 8;
const whole = corner * 3;

/** A frame of any size (Phaser's own NineSlice needs WebGL), drawn once for each size. Its origin is the upper left corner. */
export function addPanel(
  scene: Phaser.Scene,
  x: number,
  y: number,
  width: number,
  height: number,
  kind: PanelKind,
): Phaser.GameObjects.Image {
  const key = `panel-${kind}-${width}x${height}`;
  if (!scene.textures.exists(key)) drawPanel(scene, key, width, height, panelKind[kind] * whole);
  return scene.add.image(x, y, key).setOrigin(0);
}

/** One frame in its own size, for the page around the game: the address of a picture whose corners are a third of it. */
export function panelPicture(textures: Phaser.Textures.TextureManager, kind: PanelKind): string {
  const canvas = document.createElement('canvas');
  canvas.width = whole;
  canvas.height = whole;
  const source = textures.get('panels').getSourceImage() as HTMLImageElement;
  canvas.getContext('2d')?.drawImage(source, panelKind[kind] * whole, 0, whole, whole, 0, 0, whole, whole);
  return canvas.toDataURL();
}

function drawPanel(scene: Phaser.Scene, key: string, width: number, height: number, left: number): void {
  const texture = scene.textures.createCanvas(key, width, height);
  if (texture === null) return;
  const source = scene.textures.get('panels').getSourceImage() as HTMLImageElement;
  texture.context.imageSmoothingEnabled = false;
  const columns = [0, corner, width - corner, width];
  const rows = [0, corner, height - corner, height];
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      const [toX = 0, endX = 0] = columns.slice(column);
      const [toY = 0, endY = 0] = rows.slice(row);
      texture.context.drawImage(source, left + column * corner, row * corner, corner, corner, toX, toY, endX - toX, endY - toY);
    }
  }
  // A machine without a screen has no renderer to tell.
  if (scene.game.renderer) texture.refresh();
}
