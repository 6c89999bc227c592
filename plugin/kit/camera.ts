import type * as Phaser from 'phaser';
import type { Placed, Rect } from '../compat.ts';

type Camera = Phaser.Cameras.Scene2D.Camera;
/** What says how an object is drawn: its own, or its outermost container's. */
export type Root = Placed & { scrollFactorX?: number; scrollFactorY?: number };

/** @param object a game object, or what a body of the game's own kind is made of */
export function rootOf(object: unknown): Root {
  let root = object as Root;
  while (root.parentContainer) root = root.parentContainer as Root;
  return root;
}

/** The camera that a player watches the object by: of those that show it, the largest one whose view it is in, or else the largest. */
export function cameraOf({ cameras, main }: Phaser.Cameras.Scene2D.CameraManager, root: Root, bounds: Rect): Camera {
  const showing = cameras.filter((camera) => camera.visible && ((root.cameraFilter ?? 0) & camera.id) === 0);
  const size = (camera: Camera) => camera.width * camera.height;
  const inView = showing.filter((camera) => overlap(viewFor(camera, root), bounds));
  const [largest = main] = (inView.length > 0 ? inView : showing).sort((a, b) => size(b) - size(a));
  return largest;
}

/** What the camera shows, in the object's own coordinates: one with a scroll factor is drawn elsewhere than it is. */
export function viewFor({ scrollX, scrollY, worldView }: Camera, { scrollFactorX = 1, scrollFactorY = 1 }: Root): Rect {
  const { x, y, width, height } = worldView;
  return { x: x - scrollX * (1 - scrollFactorX), y: y - scrollY * (1 - scrollFactorY), width, height };
}

export function overlap(a: Rect, b: Rect): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;
}
