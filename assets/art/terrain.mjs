/** Paints the whole ground pixel by pixel from the letters, and cuts it into the unique tiles of a tileset. */
import { dither, hash, noise, Picture } from '../lib/picture.mjs';
import { pathLetters, rows, tileSize, waterLetters } from './map.mjs';
import { colour } from './palette.mjs';

const width = rows[0].length;
const height = rows.length;
const letter = (x, y) => rows[Math.min(height - 1, Math.max(0, y))][Math.min(width - 1, Math.max(0, x))];

/** How much of a kind of ground there is around a pixel: 0 to 1, smooth, so that its edge can be drawn round. */
function field(letters, px, py, wobble) {
  const fx = px / tileSize - 0.5 + (noise(px / 7, py / 7, 5) - 0.5) * wobble;
  const fy = py / tileSize - 0.5 + (noise(px / 7, py / 7, 6) - 0.5) * wobble;
  const ix = Math.floor(fx);
  const iy = Math.floor(fy);
  const at = (x, y) => (letters.includes(letter(x, y)) ? 1 : 0);
  const ax = fx - ix;
  const ay = fy - iy;
  return (at(ix, iy) * (1 - ax) + at(ix + 1, iy) * ax) * (1 - ay) + (at(ix, iy + 1) * (1 - ax) + at(ix + 1, iy + 1) * ax) * ay;
}

function grass(px, py) {
  const patch = noise(px / 34, py / 34, 1) * 0.7 + noise(px / 11, py / 11, 2) * 0.3;
  const shade = patch * 3.2 + (dither(px, py) - 0.5) * 0.55;
  return colour.grass[shade < 1.05 ? 1 : shade < 2.15 ? 2 : 3];
}

function path(px, py, edge) {
  if (edge < 0.57) return colour.earth[1];
  const shade = noise(px / 9, py / 9, 3) + (dither(px, py) - 0.5) * 0.3;
  return colour.earth[shade < 0.42 ? 2 : shade < 0.82 ? 3 : 4];
}

function ground(px, py) {
  const wet = field(`${waterLetters}=`, px, py, 0.5);
  if (wet > 0.52) return wet < 0.58 ? colour.water[4] : wet < 0.63 && dither(px, py) > 0.5 ? colour.water[3] : 0;
  if (wet > 0.44) return colour.earth[0];
  if (wet > 0.34) return dither(px, py) > 0.4 ? colour.earth[2] : colour.earth[1];
  const trodden = field(`${pathLetters}=`, px, py, 0.55);
  if (trodden > 0.5) return path(px, py, trodden);
  if (trodden > 0.42) return colour.grass[1];
  return grass(px, py);
}

/** Little things that make a field a meadow. */
function tufts(picture) {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const kind = letter(x, y);
      if (!'.,TPAbrshg'.includes(kind)) continue;
      for (let n = 0; n < 3; n++) {
        const px = x * tileSize + Math.floor(hash(x, y, 10 + n) * 13) + 1;
        const py = y * tileSize + Math.floor(hash(x, y, 20 + n) * 12) + 2;
        if (![1, 2, 3].some((shade) => colour.grass[shade] === picture.get(px + 1, py + 2))) continue;
        const pick = hash(x, y, 30 + n);
        if (kind === ',') flower(picture, px, py, pick);
        else if (pick < 0.4) picture.ascii(px, py, ['a.a', '.a.'], { a: colour.grass[pick < 0.2 ? 4 : 0] });
        else if (pick < 0.47) picture.ascii(px, py, ['a.', 'ba'], { a: colour.stone[3], b: colour.stone[1] });
      }
    }
}

function flower(picture, px, py, pick) {
  const petals = [colour.cream, colour.pink, colour.violet, colour.flame[3]][Math.floor(pick * 4)];
  picture.ascii(px, py, ['.p.', 'pcp', '.p.', '.g.'], { p: petals, c: colour.flame[2], g: colour.grass[0] });
}

function bridges(picture) {
  const w = colour.wood;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (letter(x, y) !== '=') continue;
      const upright = letter(x, y - 1) === '=' || letter(x, y + 1) === '=';
      for (let j = 0; j < 16; j++)
        for (let i = 0; i < 16; i++) {
          const along = upright ? y * 16 + j : x * 16 + i;
          const across = upright ? i : j;
          let c = along % 4 === 0 ? w[1] : hash(Math.floor(along / 4), 7, 8) > 0.5 ? w[3] : w[4];
          if (c !== w[1] && hash(along, across, 9) > 0.88) c = w[2];
          if (across < 2 || across > 13) c = along % 8 < 2 ? w[0] : across === 0 || across === 15 ? w[1] : w[2];
          picture.set(x * 16 + i, y * 16 + j, c);
        }
    }
}

/** Soft ground shadows below what stands there. */
function shadows(picture) {
  const darker = new Map([colour.grass, colour.earth].flatMap((ramp) => ramp.map((c, n) => [c, ramp[Math.max(0, n - 2)]])));
  const shade = (x, y) => darker.get(picture.get(x, y)) ?? picture.get(x, y);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const kind = letter(x, y);
      const size = { T: 11, P: 10, A: 11, b: 8, r: 8, h: 9, s: 7, w: 9, B: 7 }[kind];
      if (size)
        picture.disc(x * 16 + 8, y * 16 + 13, size, size * 0.42, (px, py, dx, dy) =>
          dx * dx + dy * dy > 0.75 && dither(px, py) > 0.5 ? picture.get(px, py) : shade(px, py),
        );
    }
}

export function paintGround() {
  const picture = new Picture(width * tileSize, height * tileSize);
  for (let y = 0; y < picture.height; y++) for (let x = 0; x < picture.width; x++) picture.set(x, y, ground(x, y));
  tufts(picture);
  bridges(picture);
  shadows(picture);
  return picture;
}

/** Four frames of a 2×2-tile water pattern that repeats without a seam. */
export function paintWater() {
  const sheet = new Picture(32 * 4, 32);
  const turn = (Math.PI * 2) / 32;
  for (let frame = 0; frame < 4; frame++)
    for (let y = 0; y < 32; y++)
      for (let x = 0; x < 32; x++) {
        const phase = (frame * Math.PI) / 2;
        const swell = Math.sin(x * turn * 2 + Math.sin(y * turn + phase) * 1.4) + Math.sin(y * turn * 4 + x * turn + phase) * 0.8;
        const glint =
          Math.sin(y * turn * 5 + Math.sin(x * turn * 2 + phase) * 2 + 1) > 0.93 && Math.sin(x * turn * 3 + phase + y * turn * 2) > 0.35;
        const base = swell + (dither(x, y) - 0.5) * 0.5;
        sheet.set(
          frame * 32 + x,
          y,
          glint ? colour.water[3] : base > 0.55 ? colour.water[2] : base > -0.9 ? colour.water[1] : colour.water[0],
        );
      }
  return sheet;
}

/** The unique tiles of a picture as a tileset (first tile empty), and which tile lies where. */
export function cutTiles(picture, columns = 32) {
  const seen = new Map();
  const tiles = [new Picture(tileSize, tileSize)];
  const indices = [];
  for (let y = 0; y < picture.height; y += tileSize)
    for (let x = 0; x < picture.width; x += tileSize) {
      const tile = new Picture(tileSize, tileSize);
      for (let j = 0; j < tileSize; j++) for (let i = 0; i < tileSize; i++) tile.set(i, j, picture.get(x + i, y + j));
      const key = tile.data.join();
      if (!seen.has(key)) seen.set(key, tiles.push(tile) - 1);
      indices.push(seen.get(key));
    }
  const sheet = new Picture(columns * tileSize, Math.ceil(tiles.length / columns) * tileSize);
  tiles.forEach((tile, n) => {
    sheet.blit(tile, (n % columns) * tileSize, Math.floor(n / columns) * tileSize);
  });
  return { sheet, indices, count: tiles.length };
}
