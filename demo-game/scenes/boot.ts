import * as Phaser from 'phaser';
import type { Options } from '../options.ts';
import { loadArt, readyArt } from '../world/art.ts';
import { registryKey, sceneKey } from './keys.ts';

/** Loads everything behind a small bar of light. */
export class BootScene extends Phaser.Scene {
  constructor() {
    super(sceneKey.boot);
  }

  preload(): void {
    const { width, height } = this.scale;
    const wide = 120;
    const left = Math.round((width - wide) / 2);
    const top = Math.round(height / 2);
    this.add.rectangle(left - 2, top - 2, wide + 4, 8, 0x33244a).setOrigin(0);
    const bar = this.add.rectangle(left, top, 1, 4, 0xffd970).setOrigin(0);
    this.load.on('progress', (part: number) => {
      bar.width = Math.max(1, Math.round(wide * part));
    });
    loadArt(this);
  }

  create(): void {
    readyArt(this);
    const options = this.registry.get(registryKey.options) as Options;
    this.scene.start(options.play ? sceneKey.night : sceneKey.title);
  }
}
