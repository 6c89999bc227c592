import * as Phaser from 'phaser';
import { aiccOf } from 'phaser-aicc';
import { pageEvent } from '../scenes/keys.ts';
import type { NightScene } from '../scenes/night.ts';

/** What a contract may name as its end: the night is won, the night is lost. */
const condition = { won: 'all_lanterns_lit', lost: 'dawn' } as const;

/** Reports how the night stands, for as long as the scene runs. */
export function reportConditions(night: NightScene): void {
  const report = () => {
    const ai = aiccOf(night);
    ai.condition(condition.won, night.rules.ending === 'won');
    ai.condition(condition.lost, night.rules.ending === 'lost');
  };
  report();
  night.game.events.on(pageEvent.state, report);
  night.events.once(Phaser.Scenes.Events.SHUTDOWN, () => night.game.events.off(pageEvent.state, report));
}
