import * as Phaser from 'phaser';
import { Badge, badgeHeight, badgeWidth } from '../ui/badge.ts';
import { addIconButton } from '../ui/button.ts';
import { DawnClock } from '../ui/clock.ts';
import { addPanel } from '../ui/panel.ts';
import { addText } from '../ui/text.ts';
import { hasFingers, TouchControls } from '../ui/touch.ts';
import { pageEvent, sceneKey } from './keys.ts';
import type { NightScene } from './night.ts';

const icon = { dark: 0, lit: 1, noOil: 2, pause: 5, sound: 8, mute: 9, chat: 10 } as const;
const item = { oil: 0, heart: 4, waiting: 6, flame: 7 } as const;
const hurryMs = 30_000;

/** What is over the world: lanterns, the clock, oil, badges, hints, buttons, touch controls. It only reads the night. */
export class HudScene extends Phaser.Scene {
  #night!: NightScene;
  #lamps: Phaser.GameObjects.Image[] = [];
  #oil!: Phaser.GameObjects.Image;
  #clock!: DawnClock;
  #badges: { mira: Badge; tam: Badge } | undefined;
  #sound!: Phaser.GameObjects.Image;
  #hint!: Phaser.GameObjects.Container;
  #touch!: TouchControls;
  #fingers = false;

  constructor() {
    super(sceneKey.hud);
  }

  create(): void {
    this.#night = this.scene.get(sceneKey.night) as NightScene;
    const { width, height } = this.scale;
    const narrow = width < 340;
    this.#fingers ||= hasFingers(this);
    this.input.addPointer(2);

    addPanel(this, 4, 4, 100, 24, 'dark');
    this.#lamps = this.#night.rules.lanterns.map((_, n) => this.add.image(16 + n * 15, 16, 'icons', icon.dark));
    this.#oil = this.add.image(92, 16, 'icons', icon.noOil);
    this.#clock = narrow ? new DawnClock(this, 77, 30) : new DawnClock(this, Math.round(width / 2) + (width < 400 ? 10 : 0), 4);

    addPanel(this, width - 64, 4, 60, 24, 'dark');
    addIconButton(this, width - 52, 16, icon.chat, () => this.#night.game.events.emit(pageEvent.chat));
    this.#sound = addIconButton(this, width - 34, 16, icon.sound, () => this.sound.setMute(!this.sound.mute));
    addIconButton(this, width - 16, 16, icon.pause, () => this.#night.pause());

    const low = height - 26;
    const stacked = width < 2 * badgeWidth + 13;
    this.#badges = {
      mira: new Badge(this, 7, stacked ? low - badgeHeight - 2 : low, 'mira', 'Mira'),
      tam: new Badge(this, stacked ? 7 : badgeWidth + 12, low, 'old_tam', 'Old Tam'),
    };
    if (width >= 420 && !this.#fingers) addText(this, width - 5, height - 14, 'Enter to talk', 'dim').setOrigin(1, 0);

    this.#hint = this.#makeHint();
    this.#touch = new TouchControls(this, this.#night.controls.stick, () => this.#night.act(), this.#fingers);
    const again = () => this.scene.restart();
    this.scale.on(Phaser.Scale.Events.RESIZE, again);
    const stop = () => this.scene.stop();
    this.#night.events.once(Phaser.Scenes.Events.SHUTDOWN, stop);
    this.events.once(Phaser.Scenes.Events.SHUTDOWN, () => {
      this.scale.off(Phaser.Scale.Events.RESIZE, again);
      this.#night.events.off(Phaser.Scenes.Events.SHUTDOWN, stop);
    });
  }

  override update(): void {
    const { rules } = this.#night;
    for (const [n, lantern] of rules.lanterns.entries()) {
      const lamp = this.#lamps[n];
      const frame = lantern.lit ? icon.lit : icon.dark;
      if (lamp === undefined || Number(lamp.frame.name) === frame) continue;
      lamp.setFrame(frame);
      if (lantern.lit) this.tweens.add({ targets: lamp, scale: { from: 2.2, to: 1 }, duration: 500, ease: 'Back.Out' });
    }
    const carries = rules.carried('player') !== undefined;
    this.#oil.setTexture(carries ? 'items' : 'icons', carries ? item.oil : icon.noOil);
    this.#clock.update(rules.progress, rules.left, rules.left < hurryMs && rules.ending === 'running');
    this.#sound.setFrame(this.sound.mute ? icon.mute : icon.sound);
    this.#badges?.mira.update(this.#night.driverOf('mira'));
    this.#badges?.tam.update(this.#night.driverOf('old_tam'));
    this.#showHint();
  }

  #makeHint(): Phaser.GameObjects.Container {
    const key = addPanel(this, -20, -20, 40, 17, 'key');
    const text = addText(this, 0, -18, 'Space', 'dark').setOrigin(0.5, 0);
    return this.add.container(0, 0, [key, text]).setVisible(false);
  }

  #showHint(): void {
    const hint = this.#night.rules.ending === 'running' ? this.#night.hint() : undefined;
    const view = this.#night.cameras.main.worldView;
    this.#hint.setVisible(hint !== undefined && !this.#fingers);
    if (hint) this.#hint.setPosition(Math.round(hint.x - view.x), Math.round(hint.y - view.y + Math.sin(this.time.now / 180) * 1.5));
    const frame = { light: item.flame, take: item.oil, give: item.heart };
    this.#touch.showAction(hint ? frame[hint.kind] : item.waiting, hint !== undefined);
  }
}
