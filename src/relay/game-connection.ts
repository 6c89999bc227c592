import type { Duplex } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { tellOnce } from '../base/tell-once.ts';
import type { AgentPort, OpenRequest } from '../bridge/agent-port.ts';
import {
  AiccError,
  type CharacterInfo,
  CLOSE_CODES,
  checkGameToRelay,
  type GameToRelay,
  isSessionOver,
  type LinkedSession,
  type WorldKind,
} from '../protocol/index.ts';
import { type Channel, decodeFrame } from '../transport/index.ts';
import { GameOutflow } from './game-outflow.ts';
import { LinkedAgent } from './linked-agent.ts';
import type { RelayLimits } from './relay-limits.ts';

type Hello = Extract<GameToRelay, { type: 'hello' }>;

/** What a game that ends and a page that is left or reloaded close their link with (AICC C6); all else may be repaired. */
const OVER_CODES: readonly number[] = [CLOSE_CODES.normal, CLOSE_CODES.goingAway];

/** Knows the games by the names of their worlds. */
export interface LinkRegistry {
  /** Takes a link that has said hello, with the sessions that its game has; gives the name that agents find its world by. */
  join(link: GameConnection, sessions: readonly LinkedSession[]): string;
  /** Characters are in it that it never had, and it has been told that it has joined. @param isNew just now */
  arrived(link: GameConnection, characters: readonly string[], isNew: boolean): void;
  /** @param isOver the game has ended or its page is being left, so it will not come back */
  leave(link: GameConnection, isOver: boolean): void;
  /** A session has an agent here. */
  attached(link: GameConnection, sessionId: string): void;
  /** Its agent is gone. @param isOver the session too */
  detached(sessionId: string, isOver: boolean): void;
  /** The characters of some world changed. @param came there are some that were not there before */
  changed(came: boolean): void;
  /** The game has ended a session, whether an agent was there or not. */
  sessionOver(link: GameConnection, sessionId: string): void;
  /** The game has ended an interaction (OpenClasp T12, T13). */
  interactionOver(link: GameConnection, interaction: string, condition: string | undefined): void;
}

export interface GameConnectionOptions {
  channel: Channel;
  /** The socket under the channel: tells when the game has taken everything. */
  socket: Duplex;
  registry: LinkRegistry;
  clock: Clock;
  limits: Pick<RelayLimits, 'gameEntries' | 'gameHoldBytes' | 'gameOutboundBytes' | 'helloMs' | 'pingMs'>;
  log: (line: string) => void;
  onClosed(): void;
}

/** The relay's end of one game page's connection: carries every agent of that game. */
export class GameConnection {
  readonly #options: GameConnectionOptions;
  readonly #out: GameOutflow;
  readonly #agents = new Map<number, LinkedAgent>();
  /** Until it says hello it must do so in time; from then on it is told regularly that the relay is there. */
  #stopTimer: () => void;
  #hello: Hello | undefined;
  readonly #characters = new Map<string, CharacterInfo>();
  readonly #everCharacters = new Set<string>();
  /** Until the lists that it begins with are whole. */
  #sessions: LinkedSession[] | undefined = [];
  readonly #tellUnknown: (what: string) => void;
  #nextConn = 1;
  #isLost = false;

  constructor(options: GameConnectionOptions) {
    this.#options = options;
    const { channel, socket, clock, limits } = options;
    this.#tellUnknown = tellOnce((what) =>
      options.log(`the game ${JSON.stringify(this.world)} says what this relay does not know, which it passes over: ${what}`),
    );
    this.#out = new GameOutflow({ channel, socket, limits, onOverflow: (code, reason) => this.close(code, reason) });
    this.#stopTimer = clock.schedule(() => this.close(CLOSE_CODES.policyViolation, 'No hello came in time.'), limits.helloMs);
    channel.onClose(({ code }) => this.#lost(OVER_CODES.includes(code)));
    channel.onMessage((frame) => this.#frame(frame));
  }

  get hasJoined(): boolean {
    return this.#sessions === undefined;
  }

  /** Bytes that the game has not taken yet. */
  get unreadBytes(): number {
    return this.#out.unreadBytes;
  }

  /** The world's own name for itself. */
  get world(): string {
    return this.#hello?.world.name ?? '';
  }

  get kind(): WorldKind {
    return this.#hello?.world.kind ?? '2d';
  }

  /** Which run of the game this is. */
  get instance(): string {
    return this.#hello?.instance ?? '';
  }

  /** By their ids. */
  get characters(): ReadonlyMap<string, CharacterInfo> {
    return this.#characters;
  }

  /** Asks the game for a session. The agent that is returned counts as one from now on: tell it when it is gone. */
  open(request: OpenRequest, port: AgentPort, channel: Channel): LinkedAgent {
    const conn = this.#nextConn++;
    const onLeft = (clean: boolean) => {
      this.#out.forget(channel);
      // Otherwise the game has ended it, so the game knows.
      if (!this.#agents.delete(conn)) return;
      this.#out.control({ type: 'close', conn, clean });
      if (agent.sessionId !== '') this.#options.registry.detached(agent.sessionId, clean);
    };
    const agent = new LinkedAgent({ conn, port, channel, out: this.#out, onLeft });
    this.#agents.set(conn, agent);
    this.#out.control({ type: 'open', conn, request });
    return agent;
  }

  /** A contract is in force for one of the game's characters (OpenClasp T13). */
  announce(contract: JsonObject, begun: boolean): void {
    this.#out.control({ type: 'interaction', contract, begun });
  }

  /** Ends a session, or an interaction, in the game, whether an agent is there or not. */
  end(which: { session_id: string } | { interaction: string }, reason: string): void {
    this.#out.control({ type: 'end', ...which, reason });
  }

  /** Whether the character lives in this game, or did. */
  hasHad(character: string): boolean {
    return this.#everCharacters.has(character);
  }

  close(code: number, reason: string): void {
    this.#options.channel.close(code, reason);
    this.#lost(false);
  }

  #frame(frame: string): void {
    if (frame.startsWith('{')) this.#controlFrame(frame);
    else if (!this.hasJoined) this.close(CLOSE_CODES.policyViolation, 'The first frame must be hello.');
    else this.#lines(frame);
  }

  #lines(frame: string): void {
    const lines = decodeFrame(frame);
    if (lines === undefined) this.close(CLOSE_CODES.policyViolation, 'A frame must be a control message or lines of CONN SPACE TEXT.');
    else for (const { conn, text } of lines) this.#agents.get(conn)?.port.send(text);
  }

  #controlFrame(frame: string): void {
    const check = checkGameToRelay(parse(frame));
    if (check.unknown !== undefined && this.#hello !== undefined) this.#tellUnknown(check.unknown);
    if (check.ok) this.#inOrder(check.message);
    else if (check.unknown === undefined || this.#hello === undefined) this.close(CLOSE_CODES.policyViolation, check.problem);
  }

  #inOrder(message: GameToRelay): void {
    const isFirst = this.#hello === undefined;
    if ((message.type === 'hello') !== isFirst) this.close(CLOSE_CODES.policyViolation, 'hello must be the first frame, and comes once.');
    else if (!isFirst && (message.type === 'rest') === this.hasJoined)
      this.close(CLOSE_CODES.policyViolation, 'rest must follow a hello that says more, and nothing else may come before it ends.');
    else this.#act(message);
  }

  #act(message: GameToRelay): void {
    if (message.type === 'hello' || message.type === 'rest') {
      if (message.type === 'hello') this.#hello = { ...message, characters: [], sessions: [] };
      this.#begin(message);
    } else if (message.type === 'characters') {
      const gone = new Set(this.#characters.keys());
      for (const { id } of message.characters) gone.delete(id);
      this.#change(message.characters, gone);
    } else if (message.type === 'changed') {
      this.#change(message.characters, message.gone);
    } else if (message.type === 'session_over') {
      this.#options.registry.sessionOver(this, message.session_id);
    } else if (message.type === 'interaction_over') {
      this.#options.registry.interactionOver(this, message.interaction, message.condition);
    } else {
      this.#actOnAgent(message, this.#agents.get(message.conn));
    }
  }

  /** The game's lists, whole or a part of them: with the last part it has joined. */
  #begin({ characters, more, sessions }: Pick<Hello, 'characters' | 'more' | 'sessions'>): void {
    const all = this.#sessions ?? [];
    for (const session of sessions) all.push(session);
    this.#setCharacters(characters);
    if (this.#isTooLarge(all.length) || more) return;
    this.#stopTimer();
    this.#sessions = undefined;
    this.#sayAlive();
    const { registry } = this.#options;
    this.#out.control({ type: 'welcome', world: registry.join(this, all) });
    registry.arrived(this, this.#arrivals(this.#characters.keys()), true);
  }

  #change(characters: readonly CharacterInfo[], gone: Iterable<string>): void {
    for (const id of gone) this.#characters.delete(id);
    const before = this.#characters.size;
    this.#setCharacters(characters);
    if (this.#isTooLarge(0)) return;
    const { registry } = this.#options;
    registry.changed(this.#characters.size > before);
    const arrived = this.#arrivals(characters.map(({ id }) => id));
    if (arrived.length > 0) registry.arrived(this, arrived, false);
  }

  #setCharacters(characters: readonly CharacterInfo[]): void {
    for (const character of characters) this.#characters.set(character.id, character);
  }

  /** @returns the ids that are there for the first time */
  #arrivals(ids: Iterable<string>): string[] {
    const arrived = [...ids].filter((id) => !this.#everCharacters.has(id));
    for (const id of arrived) this.#everCharacters.add(id);
    return arrived;
  }

  #isTooLarge(sessions: number): boolean {
    const { gameEntries } = this.#options.limits;
    if (this.#characters.size <= gameEntries && sessions <= gameEntries) return false;
    this.close(CLOSE_CODES.policyViolation, `This relay takes at most ${gameEntries} characters and sessions of one game.`);
    return true;
  }

  /** Without `agent` it has left meanwhile, and the game has been told. */
  #actOnAgent(message: Extract<GameToRelay, { conn: number }>, agent: LinkedAgent | undefined): void {
    if (agent === undefined) return;
    if (message.type === 'opened') {
      this.#options.registry.attached(this, message.session_id);
      agent.opened(message.session_id, message.character);
    } else if (message.type === 'refused') {
      const { code, message: text, retryable } = message.error;
      this.#agents.delete(message.conn);
      agent.refused({ error: new AiccError(code, text, retryable), absent: message.absent });
    } else {
      this.#agents.delete(message.conn);
      if (isSessionOver(message.code) && agent.sessionId !== '') this.#options.registry.detached(agent.sessionId, true);
      agent.port.close(message.code, message.reason);
    }
  }

  /** C9: a page does not see pings. */
  #sayAlive(): void {
    const { clock, limits } = this.#options;
    this.#stopTimer = clock.schedule(() => {
      // First, because a link whose game does not read may end by the message.
      this.#sayAlive();
      this.#out.control({ type: 'alive' });
    }, limits.pingMs);
  }

  #lost(isOver: boolean): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const { registry, onClosed } = this.#options;
    this.#stopTimer();
    this.#out.readAgain();
    if (this.hasJoined) registry.leave(this, isOver);
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    for (const agent of agents) agent.gameLost();
    onClosed();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
