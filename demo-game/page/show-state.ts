import * as Phaser from 'phaser';
import { pageEvent, sceneKey } from '../scenes/keys.ts';
import type { NightScene } from '../scenes/night.ts';

const everyMs = 100;

/**
 * Writes what goes on into `data-…` attributes of the game's element, for assistive tools and tests: the scene, the night's state,
 * and for each person the position, the driver and the words above the head.
 */
export function showState(game: Phaser.Game, element: HTMLElement): void {
  let next = 0;
  const write = (name: string, value: string) => {
    if (element.dataset[name] !== value) element.dataset[name] = value;
  };
  const show = (now: number) => {
    if (now < next) return;
    next = now + everyMs;
    const top = game.scene.getScenes(true).at(-1)?.scene.key ?? '';
    write('scene', top);
    if (!game.scene.isActive(sceneKey.night) && !game.scene.isPaused(sceneKey.night)) return;
    const night = game.scene.getScene(sceneKey.night) as NightScene;
    write('lit', String(night.rules.lit));
    write('left', String(Math.ceil(night.rules.left / 1000)));
    write('ending', night.rules.ending);
    write('notes', String(night.notebook.notes.length));
    for (const person of Object.values(night.people)) {
      const { driver, mind } = night.driverOf(person.who);
      const state = {
        x: Math.round(person.x),
        y: Math.round(person.y),
        driver,
        mind,
        carries: night.rules.carried(person.who)?.id ?? '',
        says: night.bubbles.words(person.who) ?? '',
      };
      write(person.who === 'old_tam' ? 'oldTam' : person.who, JSON.stringify(state));
    }
  };
  game.events.on(Phaser.Core.Events.POST_STEP, show);
  game.events.on(pageEvent.state, () => {
    next = 0;
  });
}
