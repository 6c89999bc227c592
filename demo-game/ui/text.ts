import type * as Phaser from 'phaser';
import type { Ink } from '../world/art.ts';

const lineHeight = 11;
const printable = /[^\n -~]/g;

/** Our typeface has the printable ASCII letters; anything else is shown as its nearest or as a question mark. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2013\u2014]/g, '-')
    .replace(/\u2026/g, '...')
    .replace(printable, '?');
}

/** A line or more of text, `size` times as big as drawn. */
export function addText(
  scene: Phaser.Scene,
  x: number,
  y: number,
  text: string,
  ink: Ink = 'cream',
  size = 1,
): Phaser.GameObjects.BitmapText {
  return scene.add.bitmapText(x, y, ink, plain(text), 8 * size);
}

/** Breaks at spaces so that no line has more than `letters`; a longer word is cut. */
export function wrap(text: string, letters: number): string {
  const lines: string[] = [];
  let line = '';
  for (let word of plain(text).split(/\s+/)) {
    while (word.length > letters) {
      if (line) lines.push(line);
      line = '';
      lines.push(word.slice(0, letters));
      word = word.slice(letters);
    }
    if (line.length + word.length + 1 > letters && line) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  if (line) lines.push(line);
  return lines.join('\n');
}

export const heightOf = (lines: number): number => lines * lineHeight;
