import { noteIn } from '../rules/notebook.ts';
import { pageEvent } from '../scenes/keys.ts';
import type { NightScene } from '../scenes/night.ts';

/** Does what the player has typed: says it aloud, or with a `#` before it keeps it in the notebook, where nobody hears it. */
export function playerTyped(night: NightScene, line: string): void {
  const note = noteIn(line);
  if (note === undefined) return night.say('player', line);
  if (note === '') return;
  night.notebook.write(note);
  night.bubbles.say('player', night.people.player, `(${note})`);
  night.game.events.emit(pageEvent.state);
}
