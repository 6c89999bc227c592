/** A picture of RGBA pixels with the few drawing verbs that our art needs, and noise that is the same on every machine. */

export class Picture {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.data = new Uint32Array(width * height);
  }

  set(x, y, colour) {
    if (x >= 0 && y >= 0 && x < this.width && y < this.height) this.data[(y | 0) * this.width + (x | 0)] = colour;
  }

  get(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height ? this.data[(y | 0) * this.width + (x | 0)] : 0;
  }

  rect(x, y, w, h, colour) {
    for (let j = 0; j < h; j++) for (let i = 0; i < w; i++) this.set(x + i, y + j, colour);
    return this;
  }

  disc(cx, cy, rx, ry, colour) {
    for (let y = Math.floor(cy - ry); y <= cy + ry; y++)
      for (let x = Math.floor(cx - rx); x <= cx + rx; x++) {
        const dx = (x + 0.5 - cx) / rx;
        const dy = (y + 0.5 - cy) / ry;
        if (dx * dx + dy * dy <= 1) this.set(x, y, typeof colour === 'function' ? colour(x, y, dx, dy) : colour);
      }
    return this;
  }

  /** Rows of letters; `colours` maps a letter to a colour, anything else stays as it is. */
  ascii(x, y, rows, colours, flip = false) {
    rows.forEach((row, j) => {
      for (let i = 0; i < row.length; i++) {
        const colour = colours[row[flip ? row.length - 1 - i : i]];
        if (colour !== undefined) this.set(x + i, y + j, colour);
      }
    });
    return this;
  }

  blit(from, x, y) {
    for (let j = 0; j < from.height; j++)
      for (let i = 0; i < from.width; i++) {
        const colour = from.data[j * from.width + i];
        if (colour & 255) this.set(x + i, y + j, colour);
      }
    return this;
  }

  /** A one-pixel line around everything drawn so far. */
  outline(colour) {
    const before = this.data.slice();
    const solid = (x, y) => x >= 0 && y >= 0 && x < this.width && y < this.height && (before[y * this.width + x] & 255) > 0;
    for (let y = 0; y < this.height; y++)
      for (let x = 0; x < this.width; x++)
        if (!solid(x, y) && (solid(x - 1, y) || solid(x + 1, y) || solid(x, y - 1) || solid(x, y + 1))) this.set(x, y, colour);
    return this;
  }
}

/** 0 ≤ value < 1 for a point of the integer plane. */
export function hash(x, y, salt = 0) {
  let h = Math.imul(x | 0, 374761393) ^ Math.imul(y | 0, 668265263) ^ Math.imul(salt + 1, 2147483647);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  h = Math.imul(h ^ (h >>> 16), 2246822519);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

/** Smooth noise, 0 to 1. */
export function noise(x, y, salt = 0) {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const ease = (t) => t * t * (3 - 2 * t);
  const fx = ease(x - ix);
  const fy = ease(y - iy);
  const top = hash(ix, iy, salt) * (1 - fx) + hash(ix + 1, iy, salt) * fx;
  const low = hash(ix, iy + 1, salt) * (1 - fx) + hash(ix + 1, iy + 1, salt) * fx;
  return top * (1 - fy) + low * fy;
}

/** An ordered 4×4 dither threshold, 0 to 1. */
export function dither(x, y) {
  return ([0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5][(y & 3) * 4 + (x & 3)] + 0.5) / 16;
}
