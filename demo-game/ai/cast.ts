import { aiccOf, type Body, bodyOf, type Character } from 'phaser-aicc';
import { body, face, moveTo, say, stop, vision } from 'phaser-aicc/kit';
import { distance } from '../rules/point.ts';
import type { NightScene } from '../scenes/night.ts';
import { emote, showEmote } from '../ui/emote.ts';
import type { Who } from '../world/art.ts';
import type { Person } from '../world/person.ts';
import { isLow, isOpaque } from '../world/village-map.ts';
import { companion } from './companion.ts';
import { reportConditions } from './conditions.ts';
import type { Mouth } from './mira.ts';
import { playerSense, villageTools } from './village-tools.ts';

/** The two who can be driven. */
export interface Cast {
  readonly mira: Character;
  readonly tam: Character;
}

/** Pixels a second: both are slower than the player, and slower still with a full flask. */
const pace = { mira: 40, old_tam: 34 } as const;
const burdened = 0.8;
const earshot = 320;

/** Tells the AI side of this scene what there is, and who may be driven. Lasts until the scene ends. */
export function joinCast(night: NightScene, withCompanion: boolean): Cast {
  const ai = aiccOf(night);
  const { people, rules } = night;
  ai.map(isOpaque);
  ai.map(isLow, { seeThrough: true });
  ai.entities(
    night.posts.map((post) => post.foot),
    { kind: 'lantern', id: (foot) => postOf(night, foot).id, state: (foot) => ({ lit: postOf(night, foot).lit }) },
  );
  ai.entities(
    night.flasks.map((flask) => flask.sprite),
    {
      kind: 'oil_flask',
      id: (sprite) => night.flasks.find((flask) => flask.sprite === sprite)?.flask.id ?? '',
      hidden: (sprite) => night.flasks.find((flask) => flask.sprite === sprite)?.flask.where !== 'ground',
    },
  );
  const state = (person: Person) => ({ carrying: rules.carried(person.who)?.id ?? '' });
  ai.entities(people.player, { kind: 'player', id: () => 'player', state });
  ai.entities([people.mira, people.old_tam], { kind: 'villager', id: (person) => person.who, state });

  const tools = (who: 'mira' | 'old_tam') => [
    vision({ radius: 224 }),
    body(),
    moveTo({ speed: () => pace[who] * (rules.carried(who) ? burdened : 1) }),
    stop(),
    face(),
    say({ earshot, maxLength: 160, show: (text) => night.say(who, text) }),
    ...villageTools(night, who),
  ];
  const mira = ai.character('mira', turning(people.mira), {
    description:
      "Mira, the player's companion. Five lanterns must burn before dawn: find oil flasks, carry them to dark lanterns, light them. Listen to the player.",
    tools: [...tools('mira'), playerSense(night)],
    default: true,
  });
  const tam = ai.character('old_tam', turning(people.old_tam), {
    description: 'Old Tam, a villager by the well. He is slow, but has two hands and knows where the lanterns stand.',
    tools: tools('old_tam'),
  });
  const mouth: Mouth = {};
  night.onSpeech = (who, text) => {
    if (who === 'player') hear(night, { mira, tam }, text);
    else if (who === 'mira') mouth.onSpoke?.();
  };
  for (const [character, person] of [
    [mira, people.mira],
    [tam, people.old_tam],
  ] as const) {
    character.on('driver', (driver) => {
      if (driver === 'agent') showEmote(night, person, emote.alert);
    });
  }
  if (withCompanion) mira.drive(companion(mouth));
  reportConditions(night);
  return { mira, tam };
}

function postOf(night: NightScene, foot: unknown): { id: string; lit: boolean } {
  return night.posts.find((post) => post.foot === foot)?.lantern ?? { id: '', lit: false };
}

/** The player speaks to Mira, and to Tam where he is named; who is near hears it anyway. */
function hear(night: NightScene, cast: Cast, text: string): void {
  const { player } = night.people;
  for (const [character, who] of [
    [cast.mira, 'mira'],
    [cast.tam, 'old_tam'],
  ] as const) {
    if (who === 'mira' || /\btam\b/i.test(text)) {
      character.emit('agent_message', { from: 'player', text });
      continue;
    }
    const listener = night.people[who as Who];
    const far = distance(player, listener);
    if (far > earshot) continue;
    const bearing = Math.atan2(player.y - listener.y, player.x - listener.x);
    character.emit('audio', { kind: 'speech', from: 'player', text, distance: Math.round(far), bearing, loudness: 1 - far / earshot });
  }
}

/** A body whose picture turns with it. */
function turning(person: Person): Body {
  const made = bodyOf(person);
  const turn = made.face?.bind(made);
  return Object.assign(made, {
    face: (angle: number) => {
      turn?.(angle);
      person.turnTo(Math.cos(angle), Math.sin(angle));
    },
  });
}
