import * as Phaser from 'phaser';
import { playSound } from '../world/sounds.ts';
import { addPanel } from './panel.ts';
import { addText } from './text.ts';

const height = 24;

/** A wooden button in the middle of x, y. Its key works too. */
export function addButton(
  scene: Phaser.Scene,
  x: number,
  y: number,
  label: string,
  icon: number | undefined,
  act: () => void,
  width = 104,
): Phaser.GameObjects.Container {
  const left = Math.round(x - width / 2);
  const top = Math.round(y - height / 2);
  const idle = addPanel(scene, 0, 0, width, height, 'button');
  const hot = addPanel(scene, 0, 0, width, height, 'pressed').setVisible(false);
  const text = addText(scene, 0, 0, label);
  const wide = text.width + (icon === undefined ? 0 : 18);
  const start = Math.round((width - wide) / 2);
  text.setPosition(start + (icon === undefined ? 0 : 18), 6);
  const parts: Phaser.GameObjects.GameObject[] = [idle, hot, text];
  if (icon !== undefined) parts.push(scene.add.image(start + 7, 11, 'icons', icon));
  const button = scene.add.container(left, top, parts).setSize(width, height);
  button.setInteractive(new Phaser.Geom.Rectangle(width / 2, height / 2, width, height), Phaser.Geom.Rectangle.Contains);
  if (button.input) button.input.cursor = 'pointer';
  const warm = (on: boolean) => {
    hot.setVisible(on);
    idle.setVisible(!on);
  };
  button.on('pointerover', () => warm(true));
  button.on('pointerout', () => {
    warm(false);
    button.y = top;
  });
  button.on('pointerdown', () => {
    button.y = top + 1;
  });
  button.on('pointerup', () => {
    button.y = top;
    playSound(scene, 'click', 0.6);
    act();
  });
  return button;
}

/** A small picture that can be pressed. */
export function addIconButton(scene: Phaser.Scene, x: number, y: number, icon: number, act: () => void): Phaser.GameObjects.Image {
  const image = scene.add
    .image(x, y, 'icons', icon)
    .setInteractive(new Phaser.Geom.Rectangle(-4, -4, 24, 24), Phaser.Geom.Rectangle.Contains);
  if (image.input) image.input.cursor = 'pointer';
  image.on('pointerdown', (_pointer: unknown, _x: number, _y: number, event: { stopPropagation(): void }) => {
    event.stopPropagation();
    playSound(scene, 'click', 0.6);
    act();
  });
  return image;
}
