import type { Clock } from '../base/clock.ts';
import type { Refusal } from '../bridge/agent-port.ts';
import { AiccError, type CharacterInfo, CLOSE_CODES, LIMITS, type LinkedSession, type WorldKind } from '../protocol/index.ts';
import type { GameConnection, LinkRegistry } from './game-connection.ts';
import { counted, named } from './log-text.ts';
import type { RelayLimits } from './relay-limits.ts';

/** One world as `/worlds` lists it. */
export interface WorldInfo {
  /** The name that agents find it by. */
  world: string;
  /** What its positions are, as the game says. */
  kind: WorldKind;
  /** The characters that the asking token may see. */
  characters: CharacterInfo[];
}

/** Who follows the interactions that games play under (OpenClasp). */
export interface InteractionKeeper {
  /** @param isNew the game has just joined */
  arrived(link: GameConnection, world: string, characters: readonly string[], isNew: boolean): void;
  interactionOver(link: GameConnection, world: string, interaction: string, condition: string | undefined): void;
  sessionOver(sessionId: string): void;
}

/** One run of a game: for a while it outlives its link (AICC C6). */
interface Home {
  readonly instance: string;
  link: GameConnection | undefined;
  /** Wall time; of use while there is no link. */
  lostAt: number;
  /** It will not come back, and neither will its sessions. */
  isOver: boolean;
}

/** Where a session lives, for as long as it may. */
interface Known {
  readonly home: Home;
  forgetAt: number;
}

/** How long a session without its agent is remembered: a little longer than it lives (AICC C4). */
const REMEMBERED_MS = LIMITS.detachedMs + LIMITS.openDeadlineMs;
/** Milliseconds between two looks for what can be forgotten. */
const SWEEP_MS = 10_000;

/** Names that one error message lists at most. */
const LISTED = 32;

/** The games that are connected, by the names that agents find them by, and the way from a request to one of them (AICC B4, C6). */
export class Worlds implements LinkRegistry {
  /** Set where session offers are taken. */
  keeper: InteractionKeeper | undefined;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #log: (line: string) => void;
  readonly #homes = new Map<string, Home>();
  readonly #sessions = new Map<string, Known>();
  readonly #listeners = new Set<() => void>();
  readonly #arrivals = new Set<() => void>();
  #graceUntil: number;
  #sweepAt = 0;

  constructor(clock: Clock, { graceMs }: Pick<RelayLimits, 'graceMs'>, log: (line: string) => void) {
    this.#clock = clock;
    this.#log = log;
    this.#graceMs = graceMs;
    this.#graceUntil = clock.wallNow() + graceMs;
  }

  /** C6: the same instance's new link replaces its old one and keeps its name; another instance of the same name gets `name-2`. */
  join(link: GameConnection, sessions: readonly LinkedSession[]): string {
    this.#sweep();
    const known = [...this.#homes].find(([, { instance }]) => instance === link.instance);
    const [name, home] = known ?? [this.#freeName(link.world), { instance: link.instance, link, lostAt: 0, isOver: false }];
    const before = this.#homes.get(name);
    // A lost game whose name a new one takes has been reloaded.
    if (before !== undefined && before !== home) before.isOver = true;
    for (const [id, known] of this.#sessions) if (known.home === home) this.#sessions.delete(id);
    const replaced = home.link;
    home.link = link;
    this.#homes.set(name, home);
    for (const { session_id } of sessions) this.#sessions.set(session_id, { home, forgetAt: this.#clock.wallNow() + REMEMBERED_MS });
    if (replaced !== link) replaced?.close(CLOSE_CODES.replaced, 'Replaced by a new link of the same game.');
    const lived = sessions.length > 0 ? ` and ${counted(sessions.length, 'running session')}` : '';
    this.#log(
      `game ${named(name)} ${known === undefined ? 'connected' : 'is back'}, with ${counted(link.characters.size, 'character')}${link.characters.size > 0 ? '' : ' yet'}${lived}`,
    );
    this.changed(true);
    return name;
  }

  leave(link: GameConnection, isOver: boolean): void {
    for (const [name, home] of this.#homes) {
      if (home.link !== link) continue;
      const now = this.#clock.wallNow();
      home.link = undefined;
      home.lostAt = now;
      home.isOver = isOver;
      this.#log(
        `game ${named(name)} left: ${isOver ? 'it ended, or its page was closed' : 'the connection was lost, its agents are to come back'}`,
      );
      if (isOver) this.#homes.delete(name);
      else this.#graceUntil = now + this.#graceMs;
    }
    this.changed(false);
  }

  attached(link: GameConnection, sessionId: string): void {
    this.#sweep();
    const home = [...this.#homes.values()].find((each) => each.link === link);
    if (home !== undefined) this.#sessions.set(sessionId, { home, forgetAt: Number.POSITIVE_INFINITY });
  }

  detached(sessionId: string, isOver: boolean): void {
    const known = this.#sessions.get(sessionId);
    if (isOver) this.#sessions.delete(sessionId);
    else if (known !== undefined) known.forgetAt = this.#clock.wallNow() + REMEMBERED_MS;
  }

  arrived(link: GameConnection, characters: readonly string[], isNew: boolean): void {
    const name = this.keeper && this.nameOf(link);
    if (name !== undefined) this.keeper?.arrived(link, name, characters, isNew);
  }

  sessionOver(link: GameConnection, sessionId: string): void {
    // Remembered for a while as before: whoever asks for it is answered by its game.
    if (this.#sessions.get(sessionId)?.home.link === link) this.keeper?.sessionOver(sessionId);
  }

  interactionOver(link: GameConnection, interaction: string, condition: string | undefined): void {
    const name = this.nameOf(link);
    if (name !== undefined) this.keeper?.interactionOver(link, name, interaction, condition);
  }

  changed(came: boolean): void {
    for (const listener of [...this.#listeners]) listener();
    if (came) for (const listener of [...this.#arrivals]) listener();
  }

  /** Told of a world or a character that was not there before: of what waiting openings wait for, and of nothing else. */
  onArrival(listener: () => void): () => void {
    this.#arrivals.add(listener);
    return () => this.#arrivals.delete(listener);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get size(): number {
    return this.linked().size;
  }

  /** @param characters only these, where a token is for some characters alone */
  list(characters?: readonly string[]): WorldInfo[] {
    return [...this.linked()].map(([world, link]) => ({
      world,
      kind: link.kind,
      characters: [...link.characters.values()].filter(({ id }) => characters === undefined || characters.includes(id)),
    }));
  }

  /** The game that a session lives in (AICC C5, C6). Whose session it is the game itself checks. */
  home(sessionId: string): GameConnection | Refusal {
    const home = this.#sessions.get(sessionId)?.home;
    if (home?.link !== undefined) return home.link;
    if (home?.isOver || this.#clock.wallNow() >= this.#graceUntil)
      return { error: new AiccError('session_expired', `session ${sessionId} is not known here: open a new one`), absent: false };
    return absent('The game of this session is not connected yet: try again.');
  }

  /**
   * The game to ask. With several and none named: the one that has the character.
   * @param visible the only characters that the asking token may know of
   */
  find(world: string | undefined, character: string | undefined, visible?: readonly string[]): GameConnection | Refusal {
    const links = this.linked();
    const names = [...links.keys()];
    if (names.length === 0) return absent('No game is connected: open its page, then try again.');
    if (world !== undefined) return links.get(world) ?? absent(`There is no world ${quote(world)}: there is ${list(names)}.`);
    if (names.length === 1) return links.get(names[0] as string) as GameConnection;
    if (character === undefined) return ambiguous(`Several worlds are connected: name one of ${list(names)}.`);
    const isVisible = visible?.includes(character) ?? true;
    const having = [...links].filter(([, link]) => isVisible && link.characters.has(character));
    const [only] = having;
    if (only === undefined) return absent(`No world has a character ${quote(character)}: there is ${list(this.#characterNames(visible))}.`);
    return having.length === 1
      ? only[1]
      : ambiguous(`Several worlds have ${quote(character)}: name one of ${list(having.map(([name]) => name))}.`);
  }

  /** The games that are connected, by their names. */
  linked(): Map<string, GameConnection> {
    const linked = new Map<string, GameConnection>();
    for (const [name, { link }] of this.#homes) if (link !== undefined) linked.set(name, link);
    return linked;
  }

  #freeName(world: string): string {
    let name = world;
    for (let number = 2; this.#homes.get(name)?.link !== undefined; number++) name = `${world}-${number}`;
    return name;
  }

  /** What agents find a game by. */
  nameOf(link: GameConnection): string | undefined {
    for (const [name, home] of this.#homes) if (home.link === link) return name;
    return undefined;
  }

  /** Forgets games that did not come back in time, and sessions that are over by now. */
  #sweep(): void {
    const now = this.#clock.wallNow();
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + SWEEP_MS;
    for (const [name, { link, lostAt }] of this.#homes) if (link === undefined && now >= lostAt + this.#graceMs) this.#homes.delete(name);
    for (const [id, { home, forgetAt }] of this.#sessions) {
      const isLost = home.link === undefined && now >= home.lostAt + REMEMBERED_MS;
      if (isLost || now >= forgetAt) this.#sessions.delete(id);
    }
  }

  #characterNames(visible: readonly string[] | undefined): string[] {
    return [...this.linked()].flatMap(([world, { characters }]) => {
      const ids = visible?.filter((id) => characters.has(id)) ?? [...characters.keys()];
      return ids.map((id) => `${world}/${id}`);
    });
  }
}

const quote = (name: string): string => JSON.stringify(name.slice(0, 100));

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  return names.slice(0, LISTED).map(quote).join(', ') + more;
}

const absent = (message: string): Refusal => ({ error: new AiccError('tool_unavailable', message), absent: true });
const ambiguous = (message: string): Refusal => ({ error: new AiccError('tool_unavailable', message), absent: false });
