/** Everything that differs between Phaser 3.90 and 4.x, or that Phaser's types do not say, in one place. */
import type * as Phaser from 'phaser';

/** A place in the world, in world pixels. */
export interface XY {
  /** To the right. */
  x: number;
  /** Downwards, as everywhere in Phaser. */
  y: number;
}

/** A rectangle in world pixels; `x`, `y` is its top left corner. */
export interface Rect extends XY {
  /** To the right of `x`. */
  width: number;
  /** Below `y`. */
  height: number;
}

/** The place within a rectangle that is nearest to a place. */
export function nearestPoint({ x, y, width, height }: Rect, to: XY): XY {
  return { x: Math.min(Math.max(to.x, x), x + width), y: Math.min(Math.max(to.y, y), y + height) };
}

export type GameObject = Phaser.GameObjects.GameObject;
/** What nearly every game object has; plain `GameObject` does not promise it. */
export type Placed = GameObject &
  XY & { visible?: boolean; width?: number; height?: number; parentContainer?: Phaser.GameObjects.Container | null };

/** Whether it is a game object at all: 3.90 and 4 agree on these members, and no class of either has to be loaded. */
export function isGameObject(value: unknown): value is GameObject {
  const object = value as Partial<GameObject> | null;
  return typeof object === 'object' && object !== null && typeof object.setActive === 'function' && typeof object.destroy === 'function';
}

export function isPlaced(object: GameObject): object is Placed {
  return typeof (object as Partial<XY>).x === 'number' && typeof (object as Partial<XY>).y === 'number';
}

export function isGroup(value: unknown): value is Phaser.GameObjects.Group {
  const group = value as Partial<Phaser.GameObjects.Group> | null;
  return typeof group === 'object' && group !== null && typeof group.getChildren === 'function' && typeof group.killAndHide === 'function';
}

/** Destroyed for good: `destroy()` takes the scene away (`isDestroyed` is there only in 4). */
export function isDestroyed(object: GameObject): boolean {
  return !object.scene;
}

/** Destroyed, and about to take itself apart; 4's types leave the flag out. */
export function isBeingDestroyed(game: Phaser.Game): boolean {
  return (game as unknown as { pendingDestroy: boolean }).pendingDestroy;
}

/** Neither destroyed nor put back into a pool (`killAndHide`, `disableBody` make it inactive). */
export function isAlive(object: GameObject): boolean {
  return object.active && !isDestroyed(object);
}

/** A destroyed group has no children any more, and asking it for them fails. */
export function childrenOf(group: Phaser.GameObjects.Group): GameObject[] {
  return group.children ? group.getChildren() : [];
}

/** Where the object is in the world, also inside containers, whose children have local coordinates. */
export function worldPosition(object: Placed): XY {
  if (!object.parentContainer) return { x: object.x, y: object.y };
  const matrix = (object as unknown as Phaser.GameObjects.Sprite).getWorldTransformMatrix();
  return { x: matrix.tx, y: matrix.ty };
}

/** Puts the object at a place in the world, also inside containers. */
export function setWorldPosition(object: Placed, at: XY): void {
  const local = object.parentContainer ? object.parentContainer.getWorldTransformMatrix().applyInverse(at.x, at.y) : at;
  object.x = local.x;
  object.y = local.y;
}

/** The object's Arcade body, whichever kind, without touching `Phaser.Physics` (custom builds leave it out). */
export function arcadeBodyOf(object: GameObject): Phaser.Physics.Arcade.Body | Phaser.Physics.Arcade.StaticBody | undefined {
  const body = object.body as Phaser.Physics.Arcade.Body | null | undefined;
  return body && typeof body === 'object' && 'physicsType' in body && 'halfWidth' in body ? body : undefined;
}

/** A game object with a Matter body; every kind that Matter's factory makes has these. */
export type MatterPlaced = Placed & { body: MatterJS.BodyType | null; setVelocity(x: number, y: number): unknown };

/** Told by its shape, without touching Matter (custom builds leave it out). */
export function hasMatterBody(object: GameObject): object is MatterPlaced {
  const body = object.body as Partial<MatterJS.BodyType> | null | undefined;
  return body?.type === 'body' && body.bounds !== undefined && typeof (object as Partial<MatterPlaced>).setVelocity === 'function';
}

/** The room it takes in the world: its Arcade or Matter body where there is one, else its picture, else a point. */
export function boundsOf(object: Placed): Rect {
  const body = arcadeBodyOf(object);
  if (body) return { x: body.x, y: body.y, width: body.width, height: body.height };
  if (hasMatterBody(object) && object.body) {
    const { min, max } = object.body.bounds;
    return { x: min.x, y: min.y, width: max.x - min.x, height: max.y - min.y };
  }
  const shown = object as Partial<Phaser.GameObjects.Sprite>;
  if (typeof shown.getBounds === 'function') {
    const { x, y, width, height } = (object as unknown as Phaser.GameObjects.Sprite).getBounds();
    return { x, y, width, height };
  }
  return { ...worldPosition(object), width: 0, height: 0 };
}

/** Duck-typed: 4's `TilemapGPULayer` is no `TilemapLayer`, but answers the same question. */
export function isTilemapLayer(value: unknown): value is Phaser.Tilemaps.TilemapLayer {
  const layer = value as Partial<Phaser.Tilemaps.TilemapLayer> | null;
  return typeof layer === 'object' && layer !== null && typeof layer.getTileAt === 'function' && typeof layer.layer === 'object';
}
