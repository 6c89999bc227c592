import * as Phaser from 'phaser';
import font from '../../assets/data/font.json';
import pictures from '../../assets/data/pictures.json';
import sounds from '../../assets/data/sounds.json';
import { mapData, mapKey } from './village-map.ts';

export type Ink = 'cream' | 'dark' | 'gold' | 'dim';
const inks: readonly Ink[] = ['cream', 'dark', 'gold', 'dim'];

/** Asks the loader for every picture and sound. */
export function loadArt(scene: Phaser.Scene): void {
  for (const [key, { frame }] of Object.entries(pictures)) {
    scene.load.spritesheet(key, `pictures/${key}.png`, { frameWidth: frame[0] ?? 1, frameHeight: frame[1] ?? 1 });
  }
  for (const key of sounds) scene.load.audio(key, `sounds/${key}.wav`);
}

/** Makes sure that scenes can be built: on a machine without a screen every picture is an empty one of the right size. */
export function readyArt(scene: Phaser.Scene): void {
  if (!scene.textures.exists('ground')) blankArt(scene);
  if (!scene.cache.tilemap.exists(mapKey)) {
    scene.cache.tilemap.add(mapKey, { format: Phaser.Tilemaps.Formats.TILED_JSON, data: mapData });
  }
  for (const ink of inks) if (!scene.cache.bitmapFont.exists(ink)) addFont(scene, ink);
  if (!scene.anims.exists('flame')) addAnimations(scene.anims);
}

function blankArt(scene: Phaser.Scene): void {
  for (const [key, { width, height, frame }] of Object.entries(pictures)) {
    const texture = scene.textures.createCanvas(key, width, height);
    const [frameWidth = width, frameHeight = height] = frame;
    let count = 0;
    for (let y = 0; y + frameHeight <= height; y += frameHeight) {
      for (let x = 0; x + frameWidth <= width; x += frameWidth) texture?.add(count++, 0, x, y, frameWidth, frameHeight);
    }
  }
}

/** Phaser's retro fonts are of fixed width; ours is not, so the advances are put in afterwards. */
function addFont(scene: Phaser.Scene, ink: Ink): void {
  const entry = Phaser.GameObjects.RetroFont.Parse(scene, {
    image: `font-${ink}`,
    width: font.cellWidth,
    height: font.cellHeight,
    chars: Phaser.GameObjects.RetroFont.TEXT_SET1,
    charsPerRow: font.columns,
    'offset.x': 0,
    'offset.y': 0,
    'spacing.x': 0,
    'spacing.y': 0,
    lineSpacing: 0,
  });
  const chars = (entry as unknown as { data: { chars: Record<string, { xAdvance: number }> } }).data.chars;
  for (const [code, advance] of Object.entries(font.widths)) {
    const glyph = chars[code];
    if (glyph) glyph.xAdvance = advance;
  }
  scene.cache.bitmapFont.add(ink, entry);
}

export type Who = 'player' | 'mira' | 'old_tam';
const rowOf: Record<Who, number> = { player: 0, mira: 1, old_tam: 2 };
const columns = 36;

/** The frame of somebody's face towards us. */
export const faceFrame = (who: Who): number => rowOf[who] * columns;

export type Look = 'down' | 'side' | 'up';

/** `mira-walk-side`, with `-carry` where the arms are up. */
export const animationKey = (who: Who, doing: 'idle' | 'walk', look: Look, carry: boolean): string =>
  `${who}-${doing}-${look}${carry ? '-carry' : ''}`;

function addAnimations(anims: Phaser.Animations.AnimationManager): void {
  const make = (key: string, texture: string, frames: number[], frameRate: number) =>
    anims.create({ key, frames: frames.map((frame) => ({ key: texture, frame })), frameRate, repeat: -1 });
  for (const who of ['player', 'mira', 'old_tam'] as const) {
    for (const carry of [false, true]) {
      for (const [n, look] of (['down', 'side', 'up'] as const).entries()) {
        const first = rowOf[who] * columns + (carry ? 18 : 0) + n * 6;
        make(animationKey(who, 'idle', look, carry), 'characters', [first, first, first + 1, first + 1], 3);
        make(animationKey(who, 'walk', look, carry), 'characters', [first + 2, first + 3, first + 4, first + 5], 9);
      }
    }
  }
  make('flame', 'lantern', [1, 2, 3, 4, 2, 3], 9);
  make('glint', 'items', [0, 0, 0, 0, 0, 1, 0, 1], 5);
}
