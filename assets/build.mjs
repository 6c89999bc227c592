/**
 * Makes every picture, sound and map of Lantern Night: `npm run build:assets`. The results are committed; the same script gives the same bytes.
 * Pictures and sounds go to `public/` (copied beside the built demo), the map and the type's widths to `data/` (imported by the game's code).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { paintCharacters } from './art/characters.mjs';
import { paintFonts } from './art/font.mjs';
import { layOut } from './art/layout.mjs';
import { paintLowThings, paintTrees } from './art/nature.mjs';
import { cutTiles, paintGround, paintWater } from './art/terrain.mjs';
import * as things from './art/things.mjs';
import { paintHouses, paintLantern, paintWell } from './art/village.mjs';
import { encodePng } from './lib/png.mjs';
import { encodeWav } from './lib/wav.mjs';
import { sounds } from './sound/sounds.mjs';

/** Sheets of equal frames, [width, height] of one; the other pictures are one piece. */
const frames = {
  ground: [16, 16],
  water: [16, 16],
  trees: [32, 48],
  houses: [88, 80],
  lantern: [16, 32],
  characters: [16, 24],
  items: [16, 16],
  icons: [16, 16],
  keys: [16, 16],
  panels: [8, 8],
  particles: [8, 8],
};

const target = (path) => new URL(path, import.meta.url);
for (const folder of ['public/pictures/', 'public/sounds/', 'data/']) mkdirSync(target(folder), { recursive: true });

const groundPicture = paintGround();
paintLowThings(groundPicture);
const ground = cutTiles(groundPicture);
const fonts = paintFonts();
const touch = things.paintTouch();

const pictures = {
  ground: ground.sheet,
  water: paintWater(),
  trees: paintTrees(),
  houses: paintHouses(),
  well: paintWell(),
  lantern: paintLantern(),
  characters: paintCharacters(),
  items: things.paintItems(),
  icons: things.paintIcons(),
  keys: things.paintKeys(),
  panels: things.paintPanels(),
  tail: things.paintTail(),
  shadow: things.paintShadow(),
  particles: things.paintParticles(),
  light: things.paintLight(),
  frame: things.paintFrame(),
  icon: things.paintPageIcon(),
  'touch-ring': touch.ring,
  'touch-knob': touch.knob,
  'touch-button': touch.button,
};
for (const [name, sheet] of Object.entries(fonts.sheets)) pictures[`font-${name}`] = sheet;

for (const [name, picture] of Object.entries(pictures)) writeFileSync(target(`public/pictures/${name}.png`), encodePng(picture));
for (const [name, make] of Object.entries(sounds)) writeFileSync(target(`public/sounds/${name}.wav`), encodeWav(make()));
const sizes = Object.fromEntries(
  Object.entries(pictures).map(([name, { width, height }]) => [name, { width, height, frame: frames[name] ?? [width, height] }]),
);
writeFileSync(target('data/pictures.json'), `${JSON.stringify(sizes)}\n`);
writeFileSync(target('data/sounds.json'), `${JSON.stringify(Object.keys(sounds))}\n`);
writeFileSync(target('data/map.json'), `${JSON.stringify(layOut(ground))}\n`);
writeFileSync(target('data/font.json'), `${JSON.stringify({ cellWidth: 8, cellHeight: 11, columns: 16, widths: fonts.widths })}\n`);
