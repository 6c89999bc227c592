import * as Phaser from 'phaser';
import { addButton } from '../ui/button.ts';
import { addText } from '../ui/text.ts';
import { sceneKey } from './keys.ts';
import { addOverlay } from './overlay.ts';

const width = 196;
const height = 172;
const icon = { play: 6, restart: 7, sound: 8, home: 14 } as const;

/** The night stands still. */
export class PauseScene extends Phaser.Scene {
  constructor() {
    super(sceneKey.pause);
  }

  create(): void {
    const box = addOverlay(this, width, height);
    const middle = width / 2;
    const title = addText(this, 0, 10, 'Paused', 'gold', 2);
    title.x = Math.round(middle - title.width / 2);
    const help = addText(this, 0, height - 20, 'P resume   R restart   M sound', 'dim');
    help.x = Math.round(middle - help.width / 2);
    box.add([
      title,
      addButton(this, middle, 50, 'Resume', icon.play, () => this.#resume(), 120),
      addButton(this, middle, 78, 'Restart', icon.restart, () => this.#restart(), 120),
      addButton(this, middle, 106, 'Sound', icon.sound, () => this.#mute(), 120),
      addButton(this, middle, 134, 'Title', icon.home, () => this.#title(), 120),
      help,
    ]);
    const keyboard = this.input.keyboard;
    keyboard?.on('keydown-P', () => this.#resume());
    keyboard?.on('keydown-ESC', () => this.#resume());
    keyboard?.on('keydown-R', () => this.#restart());
    keyboard?.on('keydown-M', () => this.#mute());
    const again = () => this.scene.restart();
    this.scale.on(Phaser.Scale.Events.RESIZE, again);
    this.events.once(Phaser.Scenes.Events.SHUTDOWN, () => this.scale.off(Phaser.Scale.Events.RESIZE, again));
  }

  #mute(): void {
    this.sound.setMute(!this.sound.mute);
  }

  #resume(): void {
    this.scene.resume(sceneKey.night);
    this.scene.stop();
  }

  #restart(): void {
    this.scene.stop();
    this.scene.start(sceneKey.night);
  }

  #title(): void {
    this.scene.stop(sceneKey.night);
    this.scene.start(sceneKey.title);
  }
}
