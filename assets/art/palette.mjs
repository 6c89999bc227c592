/** One limited palette for everything: warm lights on a cool night. */
const hex = (text) => ((Number.parseInt(text, 16) << 8) | 255) >>> 0;

export const colour = {
  ink: hex('1b1428'),
  plum: hex('33244a'),
  dusk: hex('55406b'),
  grass: ['2c5a4c', '387052', '4a8757', '69a35f', '98c36c'].map(hex),
  leaf: ['1d3f43', '2a5a4b', '3b7650', '5b9657', '8cb964'].map(hex),
  pine: ['1b3546', '254f52', '33695a', '4c8a63', '79ac70'].map(hex),
  amber: ['5c2f3a', '8a4538', 'b9653c', 'dc9148', 'f4c063'].map(hex),
  earth: ['5a4044', '7d5b4f', 'a07d5f', 'bf9f74', 'd9c08e'].map(hex),
  water: ['1e3d66', '29568a', '3b78a6', '67a9c2', 'b5e0da'].map(hex),
  wood: ['3a2430', '5e3b38', '855640', 'ae7a4c', 'd3a566'].map(hex),
  roof: ['572438', '833545', 'b04d4a', 'd47452', 'ec9f63'].map(hex),
  slate: ['2b2b4e', '414370', '5c6392', '8089b0', 'aab6cc'].map(hex),
  stone: ['3e3a52', '5a566b', '807c8a', 'aaa5a8', 'd2cdc4'].map(hex),
  wall: ['8d6f63', 'b8977c', 'dcc09a', 'f1dfba'].map(hex),
  skin: ['a96450', 'd7946d', 'f3c59a'].map(hex),
  flame: ['b4392f', 'e8692f', 'ffa63e', 'ffd970', 'fff6cf'].map(hex),
  cream: hex('fbf0d2'),
  white: hex('ffffff'),
  red: hex('cf4452'),
  redDark: hex('8d2c48'),
  pink: hex('ef8f8f'),
  teal: hex('3fb3a2'),
  tealDark: hex('267a80'),
  violet: hex('9a6fc0'),
  blue: hex('5a86d6'),
};

/** The same colour with another opacity, 0 to 1. */
export const fade = (value, alpha) => ((value & 0xffffff00) | Math.round(alpha * 255)) >>> 0;
