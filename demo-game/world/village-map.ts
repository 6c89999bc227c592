import mapFile from '../../assets/data/map.json';
import type { Point } from '../rules/point.ts';

/** Something of the map with a place of its own; its foot is at x, y. */
export interface Thing extends Point {
  readonly type: string;
  readonly name: string;
  readonly frame: number;
}

/** The key under which the map file is in Phaser's cache. */
export const mapKey = 'village';
export const tileSize = mapFile.tilewidth;
export const mapWidth = mapFile.width * tileSize;
export const mapHeight = mapFile.height * tileSize;

/** The file itself, for Phaser's own Tiled parser. */
export const mapData: object = mapFile;

const things: Thing[] = mapFile.layers.flatMap((layer) =>
  (layer.objects ?? []).map((object) => ({
    type: object.type,
    name: object.name,
    x: object.x,
    y: object.y,
    frame: object.properties[0]?.value ?? 0,
  })),
);

/** All of a kind, by name. */
export const thingsOf = (type: string): Thing[] =>
  things.filter((thing) => thing.type === type).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** Where somebody begins the night. */
export function startOf(name: string): Point {
  const start = things.find((thing) => thing.type === 'start' && thing.name === name);
  if (start === undefined) throw new Error(`The map has no start for "${name}": mark one in assets/art/map.mjs.`);
  return { x: start.x, y: start.y };
}

const ground = mapFile.layers.find((layer) => layer.name === 'solid')?.data ?? [];
const opaque = 1;
const water = 2;

function cell(x: number, y: number): number {
  const column = Math.floor(x / tileSize);
  const row = Math.floor(y / tileSize);
  if (column < 0 || row < 0 || column >= mapFile.width || row >= mapFile.height) return 1;
  return ground[row * mapFile.width + column] ?? 1;
}

/** Trees and houses: nobody can walk or look through. */
export const isOpaque = (x: number, y: number): boolean => cell(x, y) === opaque;

/** Water, fences, bushes, lantern posts: nobody can walk through, everybody can look over. */
export const isLow = (x: number, y: number): boolean => cell(x, y) > opaque;

/** Below the feet are planks: there is water on two sides. */
export function isBridge(x: number, y: number): boolean {
  const across = cell(x, y - tileSize) === water && cell(x, y + tileSize) === water;
  const along = cell(x - tileSize, y) === water && cell(x + tileSize, y) === water;
  return cell(x, y) === 0 && (across || along);
}
