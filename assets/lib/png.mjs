/** Writes an RGBA picture as an indexed PNG (our palette is small), or as RGBA where it has more than 256 colours. */
import { deflateSync } from 'node:zlib';

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = crcTable[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), body.length + 4);
  return out;
}

function scanlines(width, height, bytesPerPixel, write) {
  const raw = Buffer.alloc((width * bytesPerPixel + 1) * height);
  for (let y = 0; y < height; y++) write(raw, y * (width * bytesPerPixel + 1) + 1, y);
  return deflateSync(raw, { level: 9 });
}

export function encodePng({ width, height, data }) {
  const colours = new Map();
  for (let i = 0; i < data.length && colours.size <= 256; i++) if (!colours.has(data[i])) colours.set(data[i], colours.size);
  const indexed = colours.size <= 256;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, indexed ? 3 : 6, 0, 0, 0], 8);
  const parts = [Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', header)];
  if (indexed) {
    const list = [...colours.keys()];
    parts.push(chunk('PLTE', Buffer.from(list.flatMap((c) => [(c >>> 24) & 255, (c >>> 16) & 255, (c >>> 8) & 255]))));
    parts.push(chunk('tRNS', Buffer.from(list.map((c) => c & 255))));
    const lines = scanlines(width, height, 1, (raw, at, y) => {
      for (let x = 0; x < width; x++) raw[at + x] = colours.get(data[y * width + x]);
    });
    parts.push(chunk('IDAT', lines));
  } else {
    const lines = scanlines(width, height, 4, (raw, at, y) => {
      for (let x = 0; x < width; x++) raw.writeUInt32BE(data[y * width + x] >>> 0, at + x * 4);
    });
    parts.push(chunk('IDAT', lines));
  }
  parts.push(chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat(parts);
}
