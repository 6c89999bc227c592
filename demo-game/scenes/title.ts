import * as Phaser from 'phaser';
import { addButton } from '../ui/button.ts';
import { addPanel } from '../ui/panel.ts';
import { addText } from '../ui/text.ts';
import { hasFingers } from '../ui/touch.ts';
import { animationKey } from '../world/art.ts';
import { Darkness, type Light } from '../world/darkness.ts';
import { Fireflies } from '../world/fireflies.ts';
import { buildScenery, type Scenery } from '../world/scenery.ts';
import { skyAt } from '../world/sky.ts';
import { playNight } from '../world/sounds.ts';
import { mapHeight, mapWidth, thingsOf } from '../world/village-map.ts';
import { sceneKey } from './keys.ts';

const howTo = { width: 252, height: 104 };

/** The village by night, the game's name, and how to play in one picture. */
export class TitleScene extends Phaser.Scene {
  #scenery!: Scenery;
  #darkness!: Darkness;
  #fireflies!: Fireflies;
  #lights: Light[] = [];
  #lamps: Light[] = [];

  constructor() {
    super(sceneKey.title);
  }

  create(): void {
    const { width, height } = this.scale;
    this.#scenery = buildScenery(this);
    this.#darkness = new Darkness(this);
    const looks = new Phaser.Math.RandomDataGenerator(['title']);
    this.#fireflies = new Fireflies(this, () => looks.frac());
    this.#lamps = thingsOf('lantern').map(({ x, y }) => ({ x, y: y - 10, radius: 130, strength: 0.95, tint: 'warm' }));
    for (const { x, y } of thingsOf('lantern')) {
      this.add
        .sprite(x, y, 'lantern', 1)
        .setOrigin(0.5, 24 / 32)
        .setDepth(y + 5)
        .play('flame');
    }
    const camera = this.cameras.main;
    camera.setBounds(0, 0, mapWidth, mapHeight).fadeIn(800, 27, 20, 40);
    const far = { x: Math.max(0, mapWidth - width), y: Math.max(0, mapHeight - height) };
    camera.setScroll(far.x * 0.1, far.y * 0.35);
    this.tweens.add({
      targets: camera,
      scrollX: { from: far.x * 0.05, to: far.x * 0.75 },
      duration: 40_000,
      yoyo: true,
      repeat: -1,
      ease: 'Sine.InOut',
    });
    this.#front(width, height);
    playNight(this);
    this.input.keyboard?.once('keydown-ENTER', () => this.#play());
    this.input.keyboard?.once('keydown-SPACE', () => this.#play());
    const again = () => this.scene.restart();
    this.scale.on(Phaser.Scale.Events.RESIZE, again);
    this.events.once(Phaser.Scenes.Events.SHUTDOWN, () => this.scale.off(Phaser.Scale.Events.RESIZE, again));
  }

  override update(now: number): void {
    this.#lights.length = 0;
    for (const lamp of this.#lamps) {
      lamp.strength = 0.9 + Math.sin(now / 90 + lamp.x) * 0.04;
      this.#lights.push(lamp);
    }
    this.#fireflies.update(now, 1, this.#lights);
    this.#scenery.update(now, this.cameras.main);
    this.#darkness.draw(this.cameras.main, skyAt(0.3), this.#lights);
  }

  #front(width: number, height: number): void {
    const middle = Math.round(width / 2);
    const front = this.add.container(0, 0).setScrollFactor(0).setDepth(7000);
    const size = width > 400 ? 4 : 3;
    const free = height - howTo.height - 60;
    const top = Math.max(8, Math.round(free * 0.32 - size * 5));
    const name = addText(this, 0, top, 'Lantern Night', 'gold', size);
    name.x = Math.round(middle - name.width / 2);
    const line = addText(this, 0, top + size * 11 + 2, 'Light all five before dawn. You are not alone.', 'cream');
    line.x = Math.round(middle - line.width / 2);
    const panelTop = height - howTo.height - 46;
    front.add([name, line, this.#picture(Math.round(middle - howTo.width / 2), panelTop)]);
    const play = addButton(this, middle, height - 24, 'Play', 6, () => this.#play(), 120).setScrollFactor(0);
    front.add(play);
    this.tweens.add({ targets: name, y: top - 3, duration: 1800, yoyo: true, repeat: -1, ease: 'Sine.InOut' });
  }

  /** Find oil, bring it to a lantern, five of them before the sun; and the keys for it, or where to put the fingers. */
  #picture(left: number, top: number): Phaser.GameObjects.Container {
    const box = this.add.container(left, top, [addPanel(this, 0, 0, howTo.width, howTo.height, 'dark')]);
    const put = (x: number, y: number, key: string, frame: number) => {
      const image = this.add.sprite(x, y, key, frame);
      box.add(image);
      return image;
    };
    const label = (x: number, y: number, text: string, ink: 'cream' | 'dim' | 'gold' = 'cream') => {
      const made = addText(this, 0, y, text, ink);
      made.x = Math.round(x - made.width / 2);
      box.add(made);
    };
    put(24, 28, 'characters', 0).play(animationKey('player', 'walk', 'side', false));
    put(44, 33, 'items', 0).play('glint');
    label(34, 42, 'find oil', 'dim');
    label(67, 24, '>', 'gold');
    put(86, 29, 'characters', 0).play(animationKey('mira', 'walk', 'side', true));
    put(86, 13, 'items', 0);
    label(88, 42, 'carry it', 'dim');
    label(110, 24, '>', 'gold');
    put(134, 24, 'lantern', 1).play('flame');
    label(136, 42, 'light it', 'dim');
    label(160, 24, '>', 'gold');
    for (let n = 0; n < 5; n++) put(178 + n * 13, 22, 'icons', 1);
    label(200, 32, 'all before', 'dim');
    label(200, 42, 'sunrise', 'dim');
    put(236, 38, 'icons', 4);
    if (hasFingers(this)) {
      put(30, 78, 'touch-ring', 0).setScale(0.5);
      put(34, 76, 'touch-knob', 0).setScale(0.5);
      label(76, 74, 'drag to walk', 'cream');
      put(128, 78, 'touch-button', 0).setScale(0.6);
      put(128, 78, 'items', 7);
      label(150, 74, 'do', 'cream');
      put(188, 78, 'icons', 10);
      label(214, 74, 'talk', 'cream');
      return box;
    }
    const keys = [
      [28, 69, 0],
      [12, 85, 1],
      [28, 85, 2],
      [44, 85, 3],
    ];
    for (const [x = 0, y = 0, frame = 0] of keys) put(x, y, 'keys', frame);
    label(70, 79, 'walk', 'cream');
    box.add([addPanel(this, 92, 75, 40, 17, 'key'), addText(this, 98, 77, 'Space', 'dark')]);
    label(143, 79, 'do', 'cream');
    box.add([addPanel(this, 162, 75, 40, 17, 'key'), addText(this, 168, 77, 'Enter', 'dark')]);
    label(223, 79, 'talk', 'cream');
    return box;
  }

  #play(): void {
    const camera = this.cameras.main;
    camera.fadeOut(350, 27, 20, 40);
    camera.once(Phaser.Cameras.Scene2D.Events.FADE_OUT_COMPLETE, () => this.scene.start(sceneKey.night));
  }
}
