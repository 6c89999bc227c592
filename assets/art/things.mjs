/** Oil, emotes, icons, frames of panels and bubbles, particles, light, touch controls. */
import { dither, Picture } from '../lib/picture.mjs';
import { colour, fade } from './palette.mjs';

const c = colour;
const key = {
  o: c.ink,
  w: c.cream,
  W: c.white,
  y: c.flame[3],
  Y: c.flame[2],
  e: c.flame[1],
  E: c.flame[0],
  r: c.red,
  R: c.redDark,
  p: c.pink,
  g: c.grass[3],
  G: c.grass[1],
  b: c.water[3],
  B: c.water[1],
  s: c.stone[3],
  S: c.stone[1],
  d: c.wood[3],
  D: c.wood[1],
  v: c.violet,
  l: c.flame[4],
  m: c.slate[4],
  M: c.slate[2],
  t: c.teal,
};

function strip(size, drawings) {
  const sheet = new Picture(size * drawings.length, size);
  drawings.forEach((rows, n) => {
    const cell = new Picture(size, size);
    const left = Math.floor((size - Math.max(...rows.map((row) => row.length))) / 2);
    cell.ascii(left, Math.floor((size - rows.length) / 2), rows, key);
    sheet.blit(cell, n * size, 0);
  });
  return sheet;
}

const flask = (glint) => [
  '...oooo...',
  '...oddo...',
  '...oooo...',
  '....oso...',
  '...ossso..',
  '..oyYYYeo.',
  `.oy${glint ? 'W' : 'l'}YYYYeo`,
  `.oy${glint ? 'WW' : 'lY'}YYYeo`,
  '.oYYYYYYeo',
  '.oYYYYYeeo',
  '..oeeeeeo.',
  '...ooooo..',
];

/** 16×16: oil, oil glinting, then emotes: !, ?, heart, note, dots, flame, hand. */
export function paintItems() {
  return strip(16, [
    flask(false),
    flask(true),
    ['.oooo.', '.owwo.', '.owwo.', '.owwo.', '.owwo.', '.oooo.', '.owwo.', '.oooo.'],
    ['.ooooo.', 'owwwwwo', 'owwowwo', 'ooowwo.', '..owwo.', '..oooo.', '..owwo.', '..oooo.'],
    ['.oo..oo.', 'orroorro', 'orprrrro', 'orrrrrro', '.orrrro.', '..orro..', '...oo...'],
    ['...oooo', '...owwo', '...owoo', '...owo.', '.ooowo.', 'owwwwo.', 'owwwo..', '.ooo...'],
    ['ooooooooo', 'owwowwoww', 'owwowwoww', 'ooooooooo'],
    ['...o....', '..oeo...', '..oyeo..', '.oyYYeo.', '.oylyYo.', '.oyllYo.', '..oyyo..', '...oo...'],
    ['..oooo..', '.owwwwo.', 'oowwwwwo', 'owwwwwwo', 'owwwwwo.', '.oooooo.'],
  ]);
}

/** 16×16 icons: lantern unlit, lit, oil slot, moon, sun, pause, play, restart, sound, mute, chat, hand, star empty, star, home, keys. */
export function paintIcons() {
  const lamp = (g, h) => [
    '...oo...',
    '..ossSo.',
    '.osssSSo',
    `.o${g}${g}${g}${g}${g}o`,
    `.o${g}${h}${h}${g}${g}o`,
    `.o${g}${h}${h}${h}${g}o`,
    `.o${g}${h}${h}${g}${g}o`,
    '.oSSSSSo',
    '..ooooo.',
  ];
  return strip(16, [
    lamp('M', 'M'),
    lamp('Y', 'l'),
    ['.oooo.', '.oMMo.', '..oo..', '.oMMo.', 'oM..Mo', 'oM..Mo', 'oMMMMo', '.oooo.'],
    ['..oooo..', '.ommooo.', 'ommo....', 'ommo....', 'ommmo.oo', '.ommmmmo', '..ommmo.', '...ooo..'],
    ['o...o...o', '.o.ooo.o.', '..oyyyo..', '.oyylyyo.', 'ooylllyoo', '.oyylyyo.', '..oyyyo..', '.o.ooo.o.', 'o...o...o'],
    ['ooooooo', 'owwowwo', 'owwowwo', 'owwowwo', 'owwowwo', 'owwowwo', 'ooooooo'],
    ['oo.....', 'owoo...', 'owwwoo.', 'owwwwwo', 'owwwoo.', 'owoo...', 'oo.....'],
    ['..oooooo', '.owwwowo', 'owwoowwo', 'owo.owwo', 'owo.oooo', 'owwoowo.', '.owwwo..', '..ooo...'],
    ['...oo....', '..owo.o..', 'ooowo.wo.', 'owwwoowoo', 'owwwoowoo', 'ooowo.wo.', '..owo.o..', '...oo....'],
    ['...oo....', '..owo....', 'ooowo.o.o', 'owwwo.ror', 'owwwo..r.', 'ooowo.ror', '..owo.o.o', '...oo....'],
    ['.ooooooo.', 'owwwwwwwo', 'owowowowo', 'owwwwwwwo', '.oowwooo.', '..owo....', '...o.....'],
    ['...oo.oo.', '..owwoww', '..owwowwo', 'oowwwwwwo', 'owwwwwwwo', 'owwwwwwwo', '.owwwwwo.', '..oooooo.'],
    ['....oo....', '...oSSo...', 'oooSSSSooo', 'oSSSSSSSSo', '.oSSSSSSo.', '.oSSSSSSo.', 'oSSSooSSSo', 'oSoo..ooSo', 'oo......oo'],
    ['....oo....', '...oyyo...', 'oooylyyooo', 'oyyllyyyYo', '.oyyyyyYo.', '.oyyyyYYo.', 'oyyYooYYYo', 'oYoo..ooYo', 'oo......oo'],
    ['....oo....', '...owwo...', '..owwwwo..', '.owwwwwwo.', 'oowwwwwwoo', '.owwoowwo.', '.owwoowwo.', '.oooooooo.'],
  ]);
}

/** 16×16 key caps with arrows: up, left, down, right, then a wide space and enter as pairs. */
export function paintKeys() {
  const cap = (art) => {
    const picture = new Picture(16, 16);
    picture.rect(1, 0, 14, 15, c.stone[2]).rect(0, 1, 16, 13, c.stone[2]).rect(1, 1, 14, 11, c.cream).rect(2, 12, 12, 1, c.stone[4]);
    picture.ascii(4, 3, art, { x: c.plum });
    return picture.outline(c.ink);
  };
  const arts = [
    ['...xx...', '..xxxx..', '.xxxxxx.', '...xx...', '...xx...', '...xx...'],
    ['..x.....', '.xx.....', 'xxxxxxxx', 'xxxxxxxx', '.xx.....', '..x.....'],
    ['...xx...', '...xx...', '...xx...', '.xxxxxx.', '..xxxx..', '...xx...'],
    ['.....x..', '.....xx.', 'xxxxxxxx', 'xxxxxxxx', '.....xx.', '.....x..'],
  ];
  const sheet = new Picture(64, 16);
  arts.forEach((art, n) => {
    sheet.blit(cap(art), n * 16, 0);
  });
  return sheet;
}

function nine(paint) {
  const picture = new Picture(24, 24);
  paint(picture);
  return picture;
}

/** 24×24, corners of 8: a dark panel, a key cap, a wooden button, the same pressed. */
export function paintPanels() {
  const rounded = (picture, rim, edge, fill) => {
    picture.rect(2, 0, 20, 24, rim).rect(0, 2, 24, 20, rim).rect(1, 1, 22, 22, rim);
    picture.rect(2, 1, 20, 22, edge).rect(1, 2, 22, 20, edge).rect(2, 2, 20, 20, fill);
    return picture;
  };
  const panels = [
    nine((p) => rounded(p, c.ink, c.dusk, fade(c.ink, 0.82))),
    nine((p) => rounded(p, c.ink, c.stone[2], c.cream).rect(2, 19, 20, 3, c.stone[4])),
    nine((p) => rounded(p, c.ink, c.wood[4], c.wood[2]).rect(2, 19, 20, 3, c.wood[1])),
    nine((p) => rounded(p, c.ink, c.flame[3], c.wood[3]).rect(2, 19, 20, 3, c.wood[2])),
    nine((p) => rounded(p, c.ink, c.white, c.cream)),
    nine((p) => rounded(p, c.ink, c.teal, c.cream)),
    nine((p) => rounded(p, c.ink, c.amber[3], c.cream)),
  ];
  const sheet = new Picture(24 * panels.length, 24);
  panels.forEach((panel, n) => {
    sheet.blit(panel, n * 24, 0);
  });
  return sheet;
}

/** The bubble's tail, 8×6, and in the same sheet a dot of shadow for feet, 16×6. */
export function paintTail() {
  return new Picture(8, 6).ascii(0, 0, ['wwwwwww.', 'owwwwwo.', '.owwwo..', '..owo...', '...o....'], { w: c.cream, o: c.ink });
}
export function paintShadow() {
  return new Picture(16, 6).disc(8, 3, 7, 3, fade(c.ink, 0.45));
}

/** 8×8 particles: spark, ember, dust, leaf, firefly, ring, star, smoke. */
export function paintParticles() {
  return strip(8, [
    ['..y..', '..l..', 'ylWly', '..l..', '..y..'],
    ['.e.', 'eYe', '.e.'],
    ['.ss.', 'ssss', '.ss.'],
    ['..YY', '.YeY', 'Yee.', 'e...'],
    ['.g.', 'gWg', '.g.'],
    ['.yyyy.', 'y....y', 'y....y', 'y....y', 'y....y', '.yyyy.'],
    ['..W..', '.WlW.', 'WlylW', '.WlW.', '..W..'],
    ['.SS.', 'SSsS', 'SsSS', '.SS.'],
  ]);
}

/** A pool of light in stepped, dithered rings, white in the middle to nothing: opacity is brightness. */
export function paintLight(size = 160) {
  const picture = new Picture(size, size);
  const half = size / 2;
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const far = Math.hypot(x + 0.5 - half, y + 0.5 - half) / half;
      if (far >= 1) continue;
      const strength = (1 - far * far) ** 1.25 * 9;
      const step = Math.min(9, Math.floor(strength + dither(x, y) * 0.9));
      if (step > 0) picture.set(x, y, fade(c.white, step / 9));
    }
  return picture;
}

/** Touch controls: a 56×56 ring, a 28×28 knob, a 40×40 round button. */
export function paintTouch() {
  const ring = new Picture(56, 56).disc(28, 28, 27, 27, (_x, _y, dx, dy) => fade(c.cream, dx * dx + dy * dy > 0.86 ? 0.55 : 0.14));
  const knob = new Picture(28, 28).disc(14, 14, 13, 13, (_x, _y, dx, dy) =>
    fade(c.cream, dx * dx + dy * dy > 0.78 ? 0.9 : dy < -0.1 ? 0.7 : 0.55),
  );
  const button = new Picture(40, 40).disc(20, 20, 19, 19, (_x, _y, dx, dy) =>
    dx * dx + dy * dy > 0.84 ? fade(c.flame[3], 0.9) : fade(c.wood[2], 0.75),
  );
  return { ring, knob, button };
}

/** 16×16 faces for badges are cut from the characters; this is the frame behind them, 20×20. */
export function paintFrame() {
  return new Picture(20, 20)
    .rect(1, 0, 18, 20, c.ink)
    .rect(0, 1, 20, 18, c.ink)
    .rect(2, 1, 16, 18, c.wood[4])
    .rect(1, 2, 18, 16, c.wood[4])
    .rect(2, 2, 16, 16, c.slate[1]);
}

/** The page's icon: a flame on the night, 32×32. */
export function paintPageIcon() {
  const picture = new Picture(32, 32).rect(2, 0, 28, 32, c.plum).rect(0, 2, 32, 28, c.plum);
  const flame = strip(16, [['...o....', '..oeo...', '..oyeo..', '.oyYYeo.', '.oylyYo.', '.oyllYo.', '..oyyo..', '...oo...']]);
  for (let y = 0; y < 32; y++)
    for (let x = 0; x < 32; x++) {
      const pixel = flame.get(Math.floor(x / 3 + 2.6), Math.floor(y / 3 + 2.6));
      if (pixel & 255) picture.set(x, y, pixel);
    }
  return picture;
}
