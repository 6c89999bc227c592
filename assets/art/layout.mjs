/** From the drawn map to a map file in Tiled's JSON format: tile layers `water`, `ground`, `solid` and an object layer `things`. */
import { hash } from '../lib/picture.mjs';
import { houses, rows, solidLetters, tileSize, waterLetters } from './map.mjs';

const width = rows[0].length;
const height = rows.length;
const cells = () => rows.flatMap((row, y) => [...row].map((kind, x) => ({ kind, x, y })));

function tileLayer(name, id, data, visible = true) {
  return { type: 'tilelayer', id, name, x: 0, y: 0, width, height, opacity: 1, visible, data };
}

/** Everything with a place of its own: x and y are the middle of its foot, in world pixels. */
function things() {
  const list = [];
  const add = (type, name, x, y, frame = 0) =>
    list.push({
      id: list.length + 1,
      type,
      name,
      x,
      y,
      width: 0,
      height: 0,
      rotation: 0,
      visible: true,
      point: true,
      properties: [{ name: 'frame', type: 'int', value: frame }],
    });
  const middle = ({ x, y }) => [x * tileSize + tileSize / 2, y * tileSize + tileSize / 2];
  const foot = ({ x, y }) => [x * tileSize + tileSize / 2, (y + 1) * tileSize];
  let oil = 0;
  for (const cell of cells()) {
    const { kind, x, y } = cell;
    const second = hash(x, y, 77) > 0.5 ? 1 : 0;
    if (kind === 'T') add('tree', '', ...foot(cell), second);
    else if (kind === 'A') add('tree', '', ...foot(cell), 2 + second);
    else if (kind === 'P') add('tree', '', ...foot(cell), 4 + second);
    else if (kind === 'w') add('well', '', ...foot(cell));
    else if (/[1-5]/.test(kind)) add('lantern', `lantern_${kind}`, ...middle(cell));
    else if (kind === 'o') add('oil', `oil_${++oil}`, ...middle(cell));
    else if (kind === '@') add('start', 'player', ...middle(cell));
    else if (kind === 'M') add('start', 'mira', ...middle(cell));
    else if (kind === 'O') add('start', 'old_tam', ...middle(cell));
  }
  houses.forEach((house, n) => {
    add('house', '', (house.x + house.w / 2) * tileSize, (house.y + house.h) * tileSize, n);
  });
  return list;
}

function checkReachable() {
  const start = cells().find((cell) => cell.kind === '@');
  const seen = new Set([`${start.x},${start.y}`]);
  const open = [start];
  for (const { x, y } of open)
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      const next = { x: x + dx, y: y + dy };
      const id = `${next.x},${next.y}`;
      if (seen.has(id)) continue;
      seen.add(id);
      if (!solidLetters.includes(rows[next.y][next.x])) open.push(next);
    }
  for (const { kind, x, y } of cells())
    if (/[1-5oMO]/.test(kind) && !seen.has(`${x},${y}`)) throw new Error(`the map's ${kind} at ${x},${y} cannot be reached`);
}

export function layOut(ground) {
  for (const row of rows) if (row.length !== width) throw new Error(`a row of the map is ${row.length} wide, not ${width}: ${row}`);
  checkReachable();
  const all = cells();
  const around = ({ x, y }) => [-1, 0, 1].some((j) => [-1, 0, 1].some((i) => `${waterLetters}=`.includes(rows[y + j]?.[x + i] ?? 'T')));
  const water = all.map((cell) => (around(cell) ? 1 + (cell.x % 2) + (cell.y % 2) * 8 : 0));
  // 1 hides what is behind it, 2 is water, 3 is low: one can look over both
  const solid = all.map(({ kind }) => (!solidLetters.includes(kind) ? 0 : waterLetters.includes(kind) ? 2 : 'TPA#'.includes(kind) ? 1 : 3));
  const tileset = (name, firstgid, image, columns, tilecount, imagewidth, imageheight) => ({
    name,
    firstgid,
    image,
    columns,
    tilecount,
    imagewidth,
    imageheight,
    tilewidth: tileSize,
    tileheight: tileSize,
    margin: 0,
    spacing: 0,
  });
  const first = 17;
  return {
    type: 'map',
    version: '1.10',
    tiledversion: '1.11.0',
    orientation: 'orthogonal',
    renderorder: 'right-down',
    infinite: false,
    width,
    height,
    tilewidth: tileSize,
    tileheight: tileSize,
    nextlayerid: 5,
    nextobjectid: 1000,
    tilesets: [
      tileset('water', 1, 'water.png', 8, 16, 128, 32),
      tileset(
        'ground',
        first,
        'ground.png',
        32,
        (ground.sheet.width / tileSize) * (ground.sheet.height / tileSize),
        ground.sheet.width,
        ground.sheet.height,
      ),
    ],
    layers: [
      tileLayer('water', 1, water),
      tileLayer(
        'ground',
        2,
        ground.indices.map((index) => first + index),
      ),
      tileLayer('solid', 3, solid, false),
      { type: 'objectgroup', id: 4, name: 'things', x: 0, y: 0, opacity: 1, visible: true, draworder: 'topdown', objects: things() },
    ],
  };
}
