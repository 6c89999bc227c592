import * as Phaser from 'phaser';
import { depth } from './scenery.ts';
import type { Rgb } from './sky.ts';

/** A lamp, a window, a firefly. */
export interface Light {
  x: number;
  y: number;
  /** Pixels from the middle to the last glimmer. */
  radius: number;
  /** 0 to 1. */
  strength: number;
  tint: Tint;
}

export type Tint = 'warm' | 'soft' | 'green' | 'cool';
const tints: Record<Tint, string> = { warm: '#ffc878', soft: '#b08a66', green: '#8fd694', cool: '#9fb2d8' };
const textureKey = 'darkness';

/**
 * The night: a picture as big as the view, filled with the sky's colour, with every light added to it, and multiplied over the world.
 * It is drawn with the 2D context and so looks the same under WebGL and Canvas.
 */
export class Darkness {
  readonly #texture: Phaser.Textures.CanvasTexture;
  readonly #image: Phaser.GameObjects.Image;
  readonly #pools = new Map<Tint, HTMLCanvasElement>();

  constructor(scene: Phaser.Scene) {
    allowMultiply(scene.game.renderer);
    if (scene.textures.exists(textureKey)) scene.textures.remove(textureKey);
    this.#texture = scene.textures.createCanvas(textureKey, scene.scale.width, scene.scale.height) as Phaser.Textures.CanvasTexture;
    this.#image = scene.add
      .image(0, 0, textureKey)
      .setOrigin(0)
      .setScrollFactor(0)
      .setDepth(depth.dark)
      .setBlendMode(Phaser.BlendModes.MULTIPLY);
    const source = scene.textures.get('light').getSourceImage() as HTMLImageElement;
    for (const [tint, colour] of Object.entries(tints) as [Tint, string][]) {
      const canvas = document.createElement('canvas');
      canvas.width = source.width;
      canvas.height = source.height;
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.drawImage(source, 0, 0);
      context.globalCompositeOperation = 'source-in';
      context.fillStyle = colour;
      context.fillRect(0, 0, canvas.width, canvas.height);
      this.#pools.set(tint, canvas);
    }
  }

  resize(width: number, height: number): void {
    this.#texture.setSize(width, height);
    this.#image.setTexture(textureKey).setSize(width, height);
    this.#image.frame.setSize(width, height);
  }

  draw(camera: Phaser.Cameras.Scene2D.Camera, sky: Rgb, lights: readonly Light[]): void {
    const { context, width, height } = this.#texture;
    const left = Math.round(camera.scrollX);
    const top = Math.round(camera.scrollY);
    context.globalCompositeOperation = 'source-over';
    context.globalAlpha = 1;
    context.fillStyle = sky.css;
    context.fillRect(0, 0, width, height);
    context.globalCompositeOperation = 'lighter';
    context.imageSmoothingEnabled = false;
    for (const light of lights) {
      const x = Math.round(light.x) - left - light.radius;
      const y = Math.round(light.y) - top - light.radius;
      const size = light.radius * 2;
      if (x > width || y > height || x + size < 0 || y + size < 0 || light.strength <= 0) continue;
      context.globalAlpha = Math.min(1, light.strength);
      const pool = this.#pools.get(light.tint);
      if (pool) context.drawImage(pool, x, y, size, size);
    }
    this.#texture.refresh();
  }
}

/** Phaser asks the browser whether it can multiply, but its Canvas renderer may be there before the answer. Every browser of today can. */
function allowMultiply(renderer: Phaser.Renderer.Canvas.CanvasRenderer | Phaser.Renderer.WebGL.WebGLRenderer): void {
  if ('blendModes' in renderer && renderer.type === Phaser.CANVAS)
    (renderer.blendModes as string[])[Phaser.BlendModes.MULTIPLY] = 'multiply';
}
