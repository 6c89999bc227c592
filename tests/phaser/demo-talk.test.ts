import '../../src/headless/install.ts';
import { defineBrain } from 'phaser-aicc/brain';
import { afterEach, describe, expect, test } from 'vitest';
import { companion } from '../../demo-game/ai/companion.ts';
import { sceneKey } from '../../demo-game/scenes/keys.ts';
import type { NightScene } from '../../demo-game/scenes/night.ts';
import type { Who } from '../../demo-game/world/art.ts';
import { type Played, playNight } from './demo-night.ts';
import { agentOf, playUntil, turn } from './play.ts';

let played: Played | undefined;
afterEach(() => played?.headless.destroy());

const GREETING = 'Good evening! I will look for oil. Talk to me any time.';
/** What Mira says by herself, about what she is doing. */
const OWN = /^(I will look for oil|I see oil|I will light the|There! |One more!|That was)/;

/** A night in which everything that Mira says to the player is noted. */
async function night(seed = '3', withCompanion = true): Promise<Played & { answers: string[]; note(on: NightScene): void }> {
  const game = await playNight(seed, withCompanion);
  played = game;
  const answers: string[] = [];
  const note = (on: NightScene) => {
    const before = on.onSpeech;
    on.onSpeech = (who: Who, text: string) => {
      if (who === 'mira' && !OWN.test(text)) answers.push(text);
      before(who, text);
    };
  };
  note(game.night);
  return { ...game, answers, note };
}

const WAIT = 'I will wait here.';
const FOLLOW = 'I am right behind you.';
const HELP = 'Say: follow, wait, oil, light, give, where or time.';
const THANKS = 'Gladly.';

describe('each line to Mira is answered, in order', () => {
  test('words that come before her greeting are answered in its place', async () => {
    const { headless, night: on, answers } = await night();
    on.say('player', 'wait here');
    await headless.runAsync(6_000);
    expect(answers).toEqual([WAIT]);
  });

  test('who says nothing is greeted, once', async () => {
    const { headless, answers } = await night();
    await headless.runAsync(6_000);
    expect(answers).toEqual([GREETING]);
  });

  test('lines in one frame, the same one twice among them, and one while she answers', async () => {
    const { headless, night: on, answers } = await night();
    for (const line of ['help', 'follow me', 'help', 'wait']) on.say('player', line);
    await headless.runAsync(20_000, () => answers.length > 0);
    on.say('player', 'thanks');
    await headless.runAsync(20_000);
    expect(answers).toEqual([HELP, FOLLOW, HELP, WAIT, THANKS]);
  });

  test('each answer stays above her head long enough to be read', async () => {
    const { headless, night: on } = await night();
    const seen: string[] = [];
    for (const line of ['help', 'wait', 'thanks']) on.say('player', line);
    await headless.runAsync(8_000, () => {
      seen.push(on.bubbles.words('mira') ?? '');
      return false;
    });
    const frames = (text: string) => seen.filter((words) => words === text).length;
    for (const text of [HELP, WAIT, THANKS]) expect(frames(text)).toBeGreaterThan(60);
  });

  test('a line that comes while the night is paused is answered when it goes on', async () => {
    const { headless, night: on, answers } = await night();
    await headless.runAsync(3_000);
    on.scene.pause();
    on.say('player', 'wait');
    await headless.runAsync(3_000);
    expect(answers).toEqual([GREETING]);
    on.scene.resume();
    await headless.runAsync(3_000);
    expect(answers).toEqual([GREETING, WAIT]);
  });

  test('a line in the moment in which an agent takes her is answered when she is back', async () => {
    const { headless, night: on, answers } = await night();
    await headless.runAsync(3_000);
    on.say('player', 'wait');
    const session = await playUntil(headless, agentOf(headless, { character: 'mira' }));
    await headless.runAsync(3_000);
    await playUntil(headless, session.close());
    await headless.runAsync(6_000);
    expect(answers).toEqual([GREETING, WAIT]);
  });

  test('B6: lines to an agent that says nothing are answered by the built-in mind afterwards; those that it answered are not', async () => {
    const { headless, night: on, answers } = await night();
    await headless.runAsync(3_000);
    const session = await playUntil(headless, agentOf(headless, { character: 'mira' }));
    const heard: string[] = [];
    session.on('agent_message', ({ text }) => heard.push(text));
    on.say('player', 'follow me');
    await headless.runAsync(500);
    await playUntil(headless, session.call('say', { text: 'An agent answers.' }));
    on.say('player', 'help');
    on.say('player', 'wait');
    await headless.runAsync(500);
    expect(heard).toEqual(['follow me', 'help', 'wait']);
    await playUntil(headless, session.close());
    await headless.runAsync(10_000);
    expect(answers).toEqual([GREETING, 'An agent answers.', HELP, WAIT]);
  });

  test('a line that comes while her mind is exchanged is answered by the next one', async () => {
    const { headless, night: on, answers } = await night();
    await headless.runAsync(3_000);
    on.cast.mira.drive(null);
    on.say('player', 'help');
    on.say('player', 'wait');
    await headless.runAsync(1_000);
    on.cast.mira.drive(companion());
    await headless.runAsync(8_000);
    expect(answers).toEqual([GREETING, HELP, WAIT]);
  });

  test('a line that comes between two nights is answered in the second', async () => {
    const { headless, night: on, answers, note } = await night();
    await headless.runAsync(3_000);
    const { mira } = on.cast;
    on.scene.stop();
    headless.step();
    mira.emit('agent_message', { from: 'player', text: 'wait' });
    headless.game.scene.start(sceneKey.night);
    headless.step();
    note(on);
    await headless.runAsync(6_000);
    expect(answers).toEqual([GREETING, WAIT]);
  });
});

describe('F5: whoever is spoken to hears it', () => {
  test('words to Old Tam, whom nobody drives, reach the agent that comes', async () => {
    const { headless, night: on } = await night();
    on.say('player', 'Tam, come here');
    on.say('player', 'Old Tam?');
    await headless.runAsync(1_000);
    const session = await playUntil(headless, agentOf(headless, { character: 'old_tam' }));
    const heard: string[] = [];
    session.on('agent_message', ({ text }) => heard.push(text));
    await headless.runAsync(100);
    expect(heard).toEqual(['Tam, come here', 'Old Tam?']);
  });

  test('with driver=none the first mind that Mira gets answers what was said before', async () => {
    const { headless, night: on, answers } = await night('1', false);
    on.say('player', 'help');
    await headless.runAsync(1_000);
    on.cast.mira.drive(companion());
    await headless.runAsync(5_000);
    expect(answers).toEqual([HELP]);
  });

  test('a mind that takes its time to load hears what was said meanwhile', async () => {
    const { headless, night: on } = await night('1', false);
    const heard: string[] = [];
    let loaded: () => void = () => undefined;
    const slow = defineBrain({
      kind: 'slow',
      start: async (session) => {
        await new Promise<void>((resolve) => {
          loaded = resolve;
        });
        return session.on('agent_message', ({ text }) => heard.push(text));
      },
    });
    on.cast.mira.drive(slow);
    await headless.runAsync(200);
    on.say('player', 'one');
    on.say('player', 'two');
    await headless.runAsync(200);
    loaded();
    await turn();
    on.say('player', 'three');
    await headless.runAsync(100);
    expect(heard).toEqual(['one', 'two', 'three']);
  });
});
