/** Trees and the low things of the meadow. */
import { dither, hash, noise, Picture } from '../lib/picture.mjs';
import { rows } from './map.mjs';
import { colour } from './palette.mjs';

function crown(picture, blobs, ramp, salt) {
  const canopy = new Picture(picture.width, picture.height);
  for (const [cx, cy, rx, ry] of blobs) canopy.disc(cx, cy, rx, ry, ramp[1]);
  for (const [cx, cy, rx, ry] of blobs)
    canopy.disc(cx, cy, rx, ry, (x, y, dx, dy) => {
      const light = -dx * 0.55 - dy * 0.8 + (noise(x / 2.6, y / 2.6, salt) - 0.5) * 1.15 + (dither(x, y) - 0.5) * 0.2;
      if (dx * dx + dy * dy > 0.93 && light < 0.2) return ramp[0];
      return ramp[light > 0.72 ? 4 : light > 0.2 ? 3 : light > -0.42 ? 2 : 1];
    });
  canopy.outline(ramp[0]);
  picture.blit(canopy, 0, 0);
}

function trunk(picture, x, top, bottom, half) {
  const w = colour.wood;
  for (let y = top; y < bottom; y++)
    for (let i = -half; i < half; i++)
      picture.set(x + i, y, i === -half || i === half - 1 ? w[0] : i < 0 ? w[2] : hash(i, y, 3) > 0.6 ? w[0] : w[1]);
  picture.set(x - half - 1, bottom - 1, w[0]);
  picture.set(x + half, bottom - 1, w[0]);
}

function pine(picture, salt) {
  const ramp = colour.pine;
  trunk(picture, 16, 36, 46, 2);
  for (const [top, bottom, half] of [
    [20, 40, 14],
    [11, 30, 11],
    [3, 20, 8],
  ]) {
    for (let y = top; y < bottom; y++) {
      const grow = (y - top) / (bottom - top);
      const reach = Math.max(1, half * grow ** 0.9 + Math.sin(y * 2.2 + salt) * 0.8);
      for (let x = Math.round(16 - reach); x <= 16 + reach; x++) {
        const side = (x - 16) / (reach + 0.01);
        const light = 0.75 - grow * 1.15 - side * 0.55 + (noise(x / 1.8, y / 1.8, salt) - 0.5) * 0.8;
        picture.set(
          x,
          y,
          Math.abs(side) > 0.94 || y === bottom - 1 ? ramp[0] : ramp[light > 0.62 ? 4 : light > 0.2 ? 3 : light > -0.3 ? 2 : 1],
        );
      }
    }
  }
}

/** 32×48 frames, the trunk's foot at the middle of the bottom: oak, oak, amber, birch-like amber, pine, pine. */
export function paintTrees() {
  const frames = [];
  const leafy = (ramp, blobs, salt) => {
    const picture = new Picture(32, 48);
    trunk(picture, 16, 35, 46, 3);
    crown(picture, blobs, ramp, salt);
    frames.push(picture);
  };
  const round = [
    [10, 29, 9, 8],
    [22, 29, 9, 8],
    [16, 19, 11, 10],
    [16, 30, 10, 8],
  ];
  const tall = [
    [11, 31, 8, 7],
    [21, 30, 8, 8],
    [15, 21, 10, 9],
    [17, 14, 8, 8],
  ];
  leafy(colour.leaf, round, 41);
  leafy(colour.leaf, tall, 42);
  leafy(colour.amber, round, 43);
  leafy(colour.amber, tall, 44);
  for (const salt of [45, 49]) {
    const picture = new Picture(32, 48);
    pine(picture, salt);
    frames.push(picture.outline(colour.pine[0]));
  }
  const sheet = new Picture(32 * frames.length, 48);
  frames.forEach((frame, n) => {
    sheet.blit(frame, n * 32, 0);
  });
  return sheet;
}

const small = {
  b: (picture, salt) => {
    crown(
      picture,
      [
        [5, 10, 4.5, 4],
        [11, 10, 4.5, 4],
        [8, 7, 5, 5],
      ],
      colour.leaf,
      salt,
    );
    for (const [x, y] of [
      [4, 9],
      [9, 6],
      [11, 11],
      [7, 11],
    ])
      picture.set(x, y, colour.red);
  },
  r: (picture) => {
    const s = colour.stone;
    picture.disc(8, 9, 7, 5.5, (_x, _y, dx, dy) => s[dx * 0.6 + dy > 0.45 ? 1 : dx * 0.6 + dy > -0.25 ? 2 : dy < -0.55 ? 4 : 3]);
    picture.outline(s[0]);
    picture.ascii(4, 7, ['.m', 'mm'], { m: colour.grass[2] });
  },
  s: (picture) => {
    const w = colour.wood;
    picture.rect(3, 8, 10, 6, w[2]).rect(4, 14, 8, 1, w[1]).rect(8, 9, 1, 5, w[1]).rect(11, 8, 2, 6, w[1]);
    picture.disc(8, 7, 5.5, 3, (_x, _y, dx, dy) => (dx * dx + dy * dy > 0.6 ? w[3] : dx * dx + dy * dy > 0.25 ? w[4] : w[3]));
    picture.outline(w[0]);
  },
  h: (picture) => {
    picture.disc(
      8,
      9,
      7,
      6,
      (x, y, _dx, dy) =>
        [colour.amber[3], colour.amber[4], colour.earth[4], colour.amber[2]][dy > 0.5 ? 3 : Math.floor(hash(x, y >> 1, 4) * 3)],
    );
    picture.outline(colour.wood[1]);
  },
  B: (picture) => {
    const w = colour.wood;
    picture
      .rect(3, 3, 10, 12, w[3])
      .rect(3, 3, 2, 12, w[4])
      .rect(10, 3, 3, 12, w[2])
      .rect(3, 5, 10, 1, w[0])
      .rect(3, 12, 10, 1, w[0])
      .rect(4, 2, 8, 2, w[2]);
    picture.outline(w[0]);
  },
};

/** Bushes, rocks, stumps, hay, barrels, reeds and fences: low enough to lie on the ground picture. */
export function paintLowThings(ground) {
  rows.forEach((row, y) => {
    [...row].forEach((kind, x) => {
      if (small[kind]) {
        const picture = new Picture(16, 16);
        small[kind](picture, x * 7 + y);
        ground.blit(picture, x * 16, y * 16);
      } else if (kind === '*') reeds(ground, x * 16, y * 16);
      else if (kind === 'f') fence(ground, x, y);
    });
  });
}

function reeds(ground, x, y) {
  for (let n = 0; n < 7; n++) {
    const px = x + 1 + n * 2;
    const top = y + 2 + Math.floor(hash(px, y, 2) * 6);
    for (let py = top; py < y + 15; py++) ground.set(px, py, colour.leaf[n % 2 ? 3 : 2]);
    if (n % 3 === 0) ground.rect(px, top - 2, 1, 4, colour.wood[2]);
  }
}

function fence(ground, x, y) {
  const w = colour.wood;
  const is = (i, j) => rows[j]?.[i] === 'f';
  const px = x * 16;
  const py = y * 16;
  if (is(x, y - 1) && !is(x + 1, y) && !is(x - 1, y)) ground.rect(px + 7, py - 2, 3, 16, w[2]).rect(px + 9, py - 2, 1, 16, w[0]);
  for (const [there, from, size] of [
    [is(x + 1, y), 8, 8],
    [is(x - 1, y), 0, 8],
  ])
    if (there) for (const row of [5, 9]) ground.rect(px + from, py + row, size, 2, w[3]).rect(px + from, py + row + 2, size, 1, w[0]);
  ground
    .rect(px + 6, py + 2, 5, 12, w[0])
    .rect(px + 7, py + 3, 3, 10, w[3])
    .rect(px + 7, py + 3, 1, 10, w[4]);
}
