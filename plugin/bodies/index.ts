import { arcadeBodyOf, type GameObject, hasMatterBody, isGameObject, isPlaced } from '../compat.ts';
import { ArcadeBody } from './arcade.ts';
import type { Body } from './body.ts';
import { MatterBody } from './matter.ts';
import { PlainBody } from './plain.ts';

export { type Body, normalizeAngle } from './body.ts';
export { MatterBody, PlainBody };

/**
 * The ready-made body of a game object: Arcade or Matter where it has such a body, else plain. To change a part of it:
 * `Object.assign(bodyOf(sprite), { face: (angle: number) => sprite.setRotation(angle) })`.
 * @throws TypeError when the object has no place in the world
 */
export function bodyOf<T extends GameObject>(object: T): Body<T> {
  if (!isGameObject(object) || !isPlaced(object))
    throw new TypeError('bodyOf(object): the object must be a Phaser game object with x and y');
  if (arcadeBodyOf(object)) return new ArcadeBody(object) as unknown as Body<T>;
  return (hasMatterBody(object) ? new MatterBody(object) : new PlainBody(object)) as unknown as Body<T>;
}
