import type * as Phaser from 'phaser';
import { panelPicture } from '../ui/panel.ts';

/** Lets what the page lays over the game look like it: its frames as CSS pictures, and how big one of its pixels is. */
export function dressPage(game: Phaser.Game, element: HTMLElement, zoom: number): void {
  element.style.setProperty('--pixel', `${zoom}px`);
  if (!game.textures.exists('panels')) return;
  for (const kind of ['dark', 'button', 'pressed'] as const)
    element.style.setProperty(`--panel-${kind}`, `url(${panelPicture(game.textures, kind)})`);
}
