/** Houses, the well and the lantern posts. */
import { hash, Picture } from '../lib/picture.mjs';
import { houses } from './map.mjs';
import { colour } from './palette.mjs';

const frameWidth = 88;
const frameHeight = 80;

function roof(picture, x, y, w, h, ramp) {
  for (let j = 0; j < h; j++) {
    const inset = j < 3 ? 3 - j : 0;
    for (let i = inset; i < w - inset; i++) {
      const row = Math.floor(j / 5);
      const seam = j % 5 === 4 || (i + (row % 2) * 4) % 8 === 0;
      const shade = j < 2 ? 4 : seam ? 1 : hash(Math.floor((i + (row % 2) * 4) / 8), row, w) > 0.7 ? 2 : j < h * 0.55 ? 3 : 2;
      picture.set(x + i, y + j, ramp[shade]);
    }
  }
  picture.rect(x, y + h, w, 2, ramp[0]);
}

function windowAt(picture, x, y) {
  const w = colour.wood;
  picture
    .rect(x, y, 11, 10, w[0])
    .rect(x + 1, y + 1, 9, 8, colour.flame[2])
    .rect(x + 2, y + 2, 7, 4, colour.flame[3])
    .rect(x + 5, y + 1, 1, 8, w[1])
    .rect(x + 1, y + 5, 9, 1, w[1]);
  picture.rect(x - 1, y + 10, 13, 2, w[3]);
}

function house({ w, kind }) {
  const picture = new Picture(frameWidth, frameHeight);
  const width = w * 16;
  const left = (frameWidth - width) / 2;
  const ramp = [colour.roof, colour.slate, colour.amber][kind];
  const wallTop = frameHeight - 27;
  picture.rect(left + 3, wallTop, width - 6, 26, colour.wall[2]);
  for (let y = wallTop; y < frameHeight - 1; y++)
    for (let x = left + 3; x < left + width - 3; x++) if (hash(x >> 2, y >> 1, kind + 3) > 0.86) picture.set(x, y, colour.wall[1]);
  picture.rect(left + 3, wallTop, width - 6, 4, colour.wall[0]);
  for (const x of [left + 3, left + width - 6, left + Math.floor(width / 3), left + Math.floor((width * 2) / 3)])
    picture.rect(x, wallTop, 3, 26, colour.wood[1]);
  picture.rect(left + 2, frameHeight - 5, width - 4, 4, colour.stone[2]);
  for (let x = left + 2; x < left + width - 2; x += 5) picture.rect(x, frameHeight - 5, 1, 4, colour.stone[1]);
  const door = left + Math.floor(width / 2) - 7;
  picture
    .rect(door - 1, frameHeight - 21, 15, 20, colour.wood[0])
    .rect(door, frameHeight - 20, 13, 19, colour.wood[2])
    .rect(door + 4, frameHeight - 20, 1, 19, colour.wood[1])
    .rect(door + 8, frameHeight - 20, 1, 19, colour.wood[1])
    .rect(door + 10, frameHeight - 11, 2, 2, colour.flame[3]);
  windowAt(picture, left + 8, frameHeight - 19);
  windowAt(picture, left + width - 19, frameHeight - 19);
  picture
    .rect(left + width - 20, 4, 9, 18, colour.stone[2])
    .rect(left + width - 20, 4, 2, 18, colour.stone[3])
    .rect(left + width - 21, 3, 11, 3, colour.stone[1]);
  roof(picture, left - 2, 12, width + 4, frameHeight - 27 - 12, ramp);
  return picture.outline(colour.ink);
}

export function paintHouses() {
  const sheet = new Picture(frameWidth * houses.length, frameHeight);
  houses.forEach((one, n) => {
    sheet.blit(house(one), n * frameWidth, 0);
  });
  return sheet;
}

/** 24×32, its foot at the bottom. */
export function paintWell() {
  const picture = new Picture(24, 32);
  const s = colour.stone;
  picture.rect(4, 8, 2, 14, colour.wood[2]).rect(18, 8, 2, 14, colour.wood[1]);
  picture.disc(12, 22, 9, 4, s[4]).disc(12, 22, 6.5, 2.6, colour.water[0]).disc(12, 22.6, 5, 1.6, colour.water[2]);
  for (let y = 23; y < 30; y++)
    for (let x = 3; x < 21; x++) {
      const curve = 26 + Math.sqrt(Math.max(0, 1 - ((x - 11.5) / 9) ** 2)) * 4;
      if (y < curve && picture.get(x, y) === 0)
        picture.set(x, y, (x + (y > 26 ? 3 : 0)) % 6 === 0 || y === 26 ? s[1] : x < 9 ? s[3] : s[2]);
    }
  for (let y = 0; y < 9; y++)
    for (let x = 12 - y - 3; x < 12 + y + 3; x++) picture.set(x, y + 1, colour.roof[(x + y) % 5 === 0 ? 1 : x < 12 ? 3 : 2]);
  picture.rect(11, 10, 1, 9, colour.earth[4]).rect(10, 17, 4, 4, colour.wood[3]);
  return picture.outline(colour.ink);
}

/** Frames of 16×32: unlit, then four of a burning flame. The foot is at the bottom. */
export function paintLantern() {
  const sheet = new Picture(16 * 5, 32);
  const post = [
    '......oo........',
    '.....oyyo.......',
    '....oIIIIo......',
    '...oIIiiIIo.....',
    '..oIIIIIIIIo....',
    '...oggggggo.....',
    '...oggggggo.....',
    '...oggggggo.....',
    '...oggggggo.....',
    '...oggggggo.....',
    '...oggggggo.....',
    '..oIIIIIIIIo....',
    '...oIIIIIIo.....',
    '....ooIIoo......',
    '.....oIio.......',
    '.....oIio.......',
    '.....oIio.......',
    '.....oIio.......',
    '....oIIIio......',
    '.....oIio.......',
    '.....oIio.......',
    '.....oIio.......',
    '....oIIIio......',
    '...osSSSSso.....',
    '..ossSSSSSso....',
    '..oooooooooo....',
  ];
  const flames = [
    ['..kk..', '..kk..', '......', '......', '..dd..', '..dd..'],
    ['..fe..', '..fh..', '.fhhe.', '.fhhf.', 'efwwfe', '.effe.'],
    ['..e...', '..fe..', '.ehf..', '.fhhe.', 'efwhfe', '.effe.'],
    ['...e..', '..ff..', '..fhe.', '.ehhf.', 'efwwfe', '.effe.'],
    ['..ee..', '.efhe.', '.fhhf.', '.fwhf.', 'efwwfe', '.effe.'],
  ];
  const f = colour.flame;
  flames.forEach((flame, n) => {
    const lit = n > 0;
    const glass = lit ? f[4] : colour.slate[1];
    sheet.ascii(n * 16 + 2, 6, post, {
      o: colour.ink,
      I: colour.stone[1],
      i: colour.stone[3],
      y: lit ? f[3] : colour.stone[3],
      g: lit ? f[3] : glass,
      s: colour.stone[3],
      S: colour.stone[2],
    });
    sheet.ascii(n * 16 + 6, 11, flame, { k: colour.slate[3], d: colour.wood[1], e: f[1], f: f[2], h: f[3], w: f[4] });
    if (lit) for (const x of [5, 12]) sheet.rect(n * 16 + x, 11, 1, 6, f[2]);
  });
  return sheet;
}
