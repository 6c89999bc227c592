import type { JsonObject, Session } from 'phaser-aicc';
import { State } from 'phaser-aicc/brain';
import { distance, type Point } from '../rules/point.ts';
import { nearest, type Senses, sense } from './senses.ts';
import { direction, understand, type Wish } from './words.ts';

type Mode = 'work' | 'follow' | 'wait';

/** A place where oil may lie counts as looked at from so near, in world pixels. */
const lookedAt = 40;
/** So near to the player is near enough. */
const besidePlayer = 46;
/** So long an answer stays readable before the next one takes its place, in world time. */
const readMs = 1_500;
/** The same words are not said again within so much world time. */
const repeatMs = 20_000;

/** Through it a mind that has stepped back hears what another says in its place. */
export interface Mouth {
  onSpoke?: () => void;
}

/** The memory and the acts of Mira's behaviour tree. Its methods are the names in the tree. */
export class Mira {
  readonly #session: Session;
  readonly #signal: () => AbortSignal;
  #mode: Mode = 'work';
  /** What the player said and nobody has answered, the oldest first. */
  #unanswered: string[] = [];
  #greeted = false;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #driving = true;
  #giving = false;
  #target: string | undefined;
  #spot: Point | undefined;
  #now = 0;
  readonly #oil = new Map<string, Point>();
  readonly #empty = new Set<string>();
  readonly #said = new Map<string, number>();

  constructor(session: Session, signal: () => AbortSignal, mouth: Mouth = {}) {
    this.#session = session;
    this.#signal = signal;
    session.on('agent_message', ({ text }) => {
      this.#unanswered.push(text);
    });
    session.on('state_change', ({ kind }) => {
      if (kind === 'control_lost') this.#driving = false;
      else if (kind === 'control_gained') this.#driving = true;
    });
    mouth.onSpoke = () => {
      // Another mind has answered what it had heard by then.
      if (!this.#driving) this.#unanswered = [];
    };
    session.on('tick', ({ time_ms }) => {
      this.#now = time_ms;
      this.#remember();
    });
  }

  Spoken = (): boolean => this.#owesWords && this.#senses !== undefined && this.#now - this.#answeredAt >= readMs;
  Quiet = (): boolean => !this.#owesWords;
  Idle = (): boolean => this.#mode === 'wait' || this.#senses === undefined || this.#senses.over;
  Following = (): boolean => this.#mode === 'follow';
  WantsToGive = (): boolean => this.#giving && this.HasOil();
  HasOil = (): boolean => (this.#senses?.carrying ?? '') !== '';
  KnowsOil = (): boolean => this.#oil.size > 0;
  KnowsNoOil = (): boolean => this.#oil.size === 0;
  OilMayBeThere = (): boolean => this.#target !== undefined && this.#oil.has(this.#target);
  LanternIsDark = (): boolean => this.#senses?.lanterns.some(({ id, lit }) => id === this.#target && !lit) ?? false;

  Rest = (): State => State.SUCCEEDED;

  Answer = async (): Promise<void> => {
    const senses = this.#senses;
    if (senses === undefined) return;
    const [line] = this.#unanswered;
    const answer = line === undefined ? 'Good evening! I will look for oil. Talk to me any time.' : this.#answer(understand(line), senses);
    await this.#call('say', { text: answer });
    // Only now: a line whose answer did not get out is answered again.
    if (line === this.#unanswered[0]) this.#unanswered.shift();
    this.#greeted = true;
    this.#answeredAt = this.#now;
  };

  Follow = (): State | Promise<unknown> => {
    const senses = this.#senses;
    const player = senses?.seen.find(({ id }) => id === 'player');
    if (senses && player && distance(player.position, senses.at) <= besidePlayer) return State.SUCCEEDED;
    return this.#call('move_to', { target: 'player' });
  };

  GoToPlayer = (): Promise<unknown> => this.#call('move_to', { target: 'player' });

  GiveOil = async (): Promise<void> => {
    const signal = this.#signal();
    this.#giving = false;
    await this.#call('give', { target: 'player' }, signal);
    await this.#say('Here, take it.', signal);
  };

  ChooseLantern = async (): Promise<boolean> => {
    const signal = this.#signal();
    const senses = this.#senses;
    const lantern = senses && this.#lanternFor(senses);
    if (senses === undefined || lantern === undefined) return false;
    this.#target = lantern.id;
    await this.#say(`I will light the lantern ${whereTo(senses.at, lantern.position)}.`, signal);
    return true;
  };

  GoToLantern = (): Promise<unknown> => this.#call('move_to', { target: this.#target ?? '' });

  LightLantern = async (): Promise<void> => {
    const signal = this.#signal();
    await this.#call('light_lantern', { target: this.#target ?? '' }, signal);
    const left = this.#senses?.lanterns.filter(({ id, lit }) => !lit && id !== this.#target).length ?? 0;
    await this.#say(left === 0 ? 'That was the last one!' : left === 1 ? 'One more!' : `There! ${left} more.`, signal);
  };

  ChooseOil = async (): Promise<boolean> => {
    const signal = this.#signal();
    const senses = this.#senses;
    const oil = senses && nearest([...this.#oil], senses.at, ([, place]) => place);
    if (senses === undefined || oil === undefined) return false;
    this.#target = oil[0];
    await this.#say(`I see oil ${whereTo(senses.at, oil[1])}. I will fetch it.`, signal);
    return true;
  };

  GoToOil = async (): Promise<void> => {
    const signal = this.#signal();
    const target = this.#target ?? '';
    try {
      await this.#call('move_to', { target }, signal);
    } catch (error) {
      // Somebody was faster, or there is no way: not this one then.
      if (!signal.aborted) this.#oil.delete(target);
      throw error;
    }
  };

  PickUp = async (): Promise<void> => {
    const target = this.#target ?? '';
    this.#oil.delete(target);
    await this.#call('pick_up', { target });
  };

  ChooseSpot = async (): Promise<boolean> => {
    const signal = this.#signal();
    const senses = this.#senses;
    if (senses === undefined) return false;
    let spots = senses.oilSpots.filter((spot) => !this.#empty.has(key(spot)));
    if (spots.length === 0) {
      this.#empty.clear();
      spots = [...senses.oilSpots];
    }
    this.#spot = nearest(spots, senses.at, (spot) => spot);
    if (this.#spot === undefined) return false;
    await this.#say(`I will look for oil ${whereTo(senses.at, this.#spot)}.`, signal);
    return true;
  };

  GoToSpot = async (): Promise<void> => {
    const signal = this.#signal();
    const spot = this.#spot;
    if (spot === undefined) return;
    try {
      await this.#call('move_to', { x: spot.x, y: spot.y }, signal);
    } finally {
      if (!signal.aborted) this.#empty.add(key(spot));
    }
  };

  /** Whoever is spoken to before the greeting answers instead. */
  get #owesWords(): boolean {
    return this.#unanswered.length > 0 || !this.#greeted;
  }

  get #senses(): Senses | undefined {
    return sense(this.#session);
  }

  /** Keeps in mind where oil was seen, and forgets it where it plainly is not any more. */
  #remember(): void {
    const senses = this.#senses;
    if (senses === undefined) return;
    const seen = new Map(senses.seen.filter(({ kind }) => kind === 'oil_flask').map(({ id, position }) => [id, position]));
    for (const [id, place] of seen) this.#oil.set(id, place);
    for (const [id, place] of this.#oil) if (!seen.has(id) && distance(place, senses.at) < lookedAt) this.#oil.delete(id);
  }

  /** The nearest dark one, but not the one that the player is about to light. */
  #lanternFor(senses: Senses) {
    const dark = senses.lanterns.filter(({ lit }) => !lit);
    const player = senses.seen.find(({ id, state }) => id === 'player' && state?.carrying);
    const theirs = player && nearest(dark, player.position, ({ position }) => position);
    const free = dark.filter(
      (lantern) => lantern !== theirs || distance(lantern.position, senses.at) < distance(lantern.position, player?.position ?? senses.at),
    );
    return nearest(free.length > 0 ? free : dark, senses.at, ({ position }) => position);
  }

  #answer(wish: Wish, senses: Senses): string {
    const dark = senses.lanterns.filter(({ lit }) => !lit);
    const lantern = nearest(dark, senses.at, ({ position }) => position);
    const oil = nearest([...this.#oil], senses.at, ([, place]) => place);
    if (senses.over) return dark.length === 0 ? 'Look how it shines!' : 'The night is over. Next time!';
    switch (wish) {
      case 'follow':
        this.#mode = 'follow';
        return 'I am right behind you.';
      case 'wait':
        this.#mode = 'wait';
        return 'I will wait here.';
      case 'light':
        this.#mode = 'work';
        return senses.carrying ? 'I have oil. I will light one.' : 'I will see to the lanterns.';
      case 'oil':
        this.#mode = 'work';
        if (senses.carrying) return 'I carry a flask already.';
        return oil ? `There is some ${whereTo(senses.at, oil[1])}. I will get it.` : 'I will go and look for some.';
      case 'give':
        if (!senses.carrying) return 'My hands are empty.';
        this.#giving = true;
        return 'I will bring it to you.';
      case 'where':
        return `${lantern ? `A dark lantern is ${whereTo(senses.at, lantern.position)}.` : 'All lanterns burn.'}${oil ? ` Oil lies ${whereTo(senses.at, oil[1])}.` : ''}`;
      case 'time':
        return `${Math.round(senses.dawnInMs / 1000)} seconds until dawn, and ${dark.length} to light.`;
      case 'help':
        return 'Say: follow, wait, oil, light, give, where or time.';
      case 'notes': {
        const note = senses.notes.at(-1);
        return note === undefined ? 'Your notebook is empty.' : `You noted: ${note}`;
      }
      case 'thanks':
        return 'Gladly.';
      case 'hello':
        return `Hello! ${dark.length} ${dark.length === 1 ? 'lantern is' : 'lanterns are'} still dark.`;
      case 'unknown':
        return 'I do not know that word. Say "help" to hear mine.';
    }
  }

  /** Says what is new; what was said a moment ago is not said again. */
  async #say(text: string, signal: AbortSignal): Promise<void> {
    const before = this.#said.get(text);
    if (before !== undefined && this.#now - before < repeatMs) return;
    this.#said.set(text, this.#now);
    await this.#call('say', { text }, signal);
  }

  /** Without a signal: at the start of an action only. */
  #call(tool: string, input: JsonObject, signal: AbortSignal = this.#signal()): Promise<JsonObject> {
    return this.#session.call(tool, input, { signal });
  }
}

const key = ({ x, y }: Point): string => `${x},${y}`;

/** `to the north-west`, or `right here`. */
function whereTo(from: Point, to: Point): string {
  return distance(from, to) < 30 ? 'right here' : `to the ${direction(from, to)}`;
}
