import { type Backoff, backoffMs } from '../src/base/backoff.ts';
import { type Clock, wallClock } from '../src/base/clock.ts';
import { tellOnce } from '../src/base/tell-once.ts';
import type { AgentHandler, AgentPort, Bridge, OpenRequest } from '../src/bridge/index.ts';
import { type CharacterInfo, CLOSE_CODES, checkRelayToGame, type GameToRelay, LIMITS, type RelayToGame } from '../src/protocol/index.ts';
import { bearerProtocol, SUBPROTOCOLS } from '../src/protocol/subprotocols.ts';
import {
  type Channel,
  type ChannelEnd,
  decodeFrame,
  FrameBatcher,
  isRefusal,
  type Silence,
  watchSilence,
  webSocketChannel,
} from '../src/transport/index.ts';
import { GameFlow } from './game-flow.ts';
import { inParts } from './in-parts.ts';
import { macrotasks } from './macrotask.ts';
import { keepWorldName } from './world-name.ts';

export interface GameLinkOptions {
  /** The relay's `/game`. */
  url: string;
  token: (() => string) | undefined;
  bridge: Bridge;
  /** Wall time that a hidden page does not slow down. Default: the page's own timers. */
  clock?: Clock;
  /** Told why there is no connecting that could succeed, once for each reason. */
  log?(message: string): void;
  /** Told, once for each name, that the world is connected and where to look. */
  info?(message: string): void;
  /** Told by which name agents find the world, at every connecting. */
  named?(name: string): void;
}

/** What a relay that does not want this game closes with, and what nonsense of a relay's is answered with. */
const REFUSED: readonly number[] = [CLOSE_CODES.policyViolation, CLOSE_CODES.replaced, CLOSE_CODES.unclean];
const NOBODY =
  'no relay answers there, so it is tried again and again; does one run (`npx phaser-aicc relay`), and does the address end in /game?';
const RETRY: Backoff = { firstMs: 500, mostMs: 5_000 };
/** A link that lasts so long is a good one: after it the next is called soon. One that ends earlier counts as a failure, welcome or not. */
const STEADY_MS = 10_000;

/** Keeps the world connected to a relay until it is closed: one WebSocket for all agents (see DESIGN, Game link). @returns the way to close it */
export function openGameLink(options: GameLinkOptions): () => void {
  const { clock = wallClock } = options;
  let closed = false;
  let failures = 0;
  let stopWaiting: (() => void) | undefined;
  let link: Link | undefined;
  let told: string | undefined;
  let isWelcome = false;
  let welcomedAt = 0;
  let toldName: string | undefined;
  const name = keepWorldName(options.bridge.world.name);
  const tellUnknown = tellOnce((what) => options.log?.(`aicc: the relay says what this game does not know, which it passes over: ${what}`));

  const retry = () => {
    link = undefined;
    if (closed) return;
    stopWaiting = clock.schedule(dial, backoffMs(RETRY, failures++));
  };
  const tell = (problem: string) => {
    if (problem !== told) options.log?.(`aicc: this game cannot connect to ${options.url}: ${problem}`);
    told = problem;
  };
  const welcomed = (given: string) => {
    welcomedAt = clock.wallNow();
    told = undefined;
    isWelcome = true;
    name.set(given);
    options.named?.(given);
    if (given !== toldName) options.info?.(greeting(given, options));
    toldName = given;
  };
  const ended = ({ code, reason }: ChannelEnd) => {
    if (code === CLOSE_CODES.unauthorized) tell('the relay asks games for another `token`');
    else if (REFUSED.includes(code)) tell(reason);
    else if (!isWelcome && !closed) tell(NOBODY);
    if (isWelcome && clock.wallNow() - welcomedAt >= STEADY_MS) failures = 0;
    isWelcome = false;
    retry();
  };
  const dial = () => {
    try {
      const token = options.token?.();
      const bearer = token === undefined ? [] : [bearerProtocol(token)];
      const socket = new WebSocket(options.url, [SUBPROTOCOLS.game, ...bearer]);
      link = new Link(webSocketChannel(socket), options.bridge, name.current, clock, { welcomed, ended, tellUnknown });
    } catch (error) {
      // An address that the browser refuses, or a token() that throws: it may be better the next time.
      tell(`${error}`);
      retry();
    }
  };
  dial();
  return () => {
    if (closed) return;
    closed = true;
    stopWaiting?.();
    name.close();
    link?.close();
  };
}

function greeting(name: string, { bridge, url }: GameLinkOptions): string {
  const { name: own } = bridge.world;
  const why = name === own ? '' : `, because another game is ${own} there`;
  return `aicc: agents find this game as the world ${name}${why}; to see it: npx phaser-aicc worlds --url ${url.replace(/\/game$/, '/agent')}`;
}

interface LinkEvents {
  /** @param world the name that agents find it by */
  welcomed(world: string): void;
  /** The relay says something that this game does not know. */
  tellUnknown(what: string): void;
  ended(end: ChannelEnd): void;
}

/** One connection to the relay, from hello to its end. */
class Link {
  readonly #channel: Channel;
  readonly #bridge: Bridge;
  readonly #events: LinkEvents;
  readonly #handlers = new Map<number, AgentHandler>();
  readonly #flow: GameFlow;
  readonly #batcher: FrameBatcher;
  readonly #tasks = macrotasks();
  readonly #stopTelling: (() => void)[] = [];
  readonly #silence: Silence;
  /** What is over while a session is being opened, which the relay must hear of first. */
  #afterOpening: GameToRelay[] | undefined;
  /** Agents that the relay says are slow (F4). */
  readonly #slow = new Set<number>();
  /** Characters of which the relay has not been told how they are now. */
  readonly #changed = new Set<string>();
  #ended = false;

  /** @param name what the world asks to be called */
  constructor(channel: Channel, bridge: Bridge, name: string, clock: Clock, events: LinkEvents) {
    this.#channel = channel;
    this.#bridge = bridge;
    this.#events = events;
    this.#flow = new GameFlow(channel, clock, {
      onHold: (held) => {
        for (const [conn, handler] of [...this.#handlers]) if (!this.#slow.has(conn)) handler.hold(held);
        if (!held) this.#tellChanges();
      },
      onOverflow: () => this.close(CLOSE_CODES.unclean, 'the relay does not read'),
    });
    this.#batcher = new FrameBatcher({ send: (frame) => this.#flow.send(frame), defer: (run) => this.#tasks.run(run) });
    // C9: a relay that has no more to say says `alive`, so a wire that nothing comes by is dead, whatever the browser thinks of it.
    this.#silence = watchSilence({ clock, lookMs: LIMITS.pingMs, onSilent: () => this.close(CLOSE_CODES.unclean, 'nothing came') });
    channel.onMessage((frame) => this.#frame(frame));
    channel.onFault(() => this.close(CLOSE_CODES.unclean, 'unreadable frame'));
    channel.onClose((end) => this.#end(end));
    const { instance } = bridge;
    const world = { ...bridge.world, name };
    const parts = inParts(bridge.characters(), bridge.sessions());
    parts.forEach((lists, index) => {
      const part = index < parts.length - 1 ? { ...lists, more: true } : lists;
      this.#tell(index === 0 ? { type: 'hello', version: 1, world, instance, ...part } : { type: 'rest', ...part });
    });
    this.#stopTelling.push(
      bridge.onChange((changed) => {
        for (const id of changed) this.#changed.add(id);
        this.#tellChanges();
      }),
      // After the session's own last words.
      bridge.engagements.onSessionOver((session_id) => queueMicrotask(() => this.#tell({ type: 'session_over', session_id }))),
      bridge.engagements.onEnd(({ condition, interaction }) =>
        this.#tellOver({ type: 'interaction_over', interaction, ...(condition !== undefined && { condition }) }),
      ),
    );
  }

  close(code: number = CLOSE_CODES.normal, reason = ''): void {
    this.#batcher.flush();
    this.#channel.close(code, reason);
    this.#end({ code, reason });
  }

  #end(end: ChannelEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#silence.stop();
    this.#flow.stop();
    for (const stop of this.#stopTelling) stop();
    this.#tasks.close();
    for (const handler of [...this.#handlers.values()]) handler.closed(false);
    this.#handlers.clear();
    this.#events.ended(end);
  }

  #tell(message: GameToRelay): void {
    if (!this.#ended) this.#batcher.control(message);
  }

  #tellOver(message: GameToRelay): void {
    if (this.#afterOpening) this.#afterOpening.push(message);
    else this.#tell(message);
  }

  /** What is told late is told as it is then. */
  #tellChanges(): void {
    if (this.#flow.held || this.#changed.size === 0) return;
    const characters: CharacterInfo[] = [];
    const gone: string[] = [];
    for (const id of this.#changed) {
      const info = this.#bridge.character(id);
      if (info) characters.push(info);
      else gone.push(id);
    }
    this.#changed.clear();
    for (const part of inParts(characters, [])) this.#tell({ type: 'changed', characters: part.characters, gone: gone.splice(0) });
  }

  #frame(frame: string): void {
    this.#silence.heard();
    if (frame.startsWith('{')) return this.#control(frame);
    const lines = decodeFrame(frame);
    if (!lines) return this.close(CLOSE_CODES.unclean, 'malformed frame');
    // A line of a connection that has just been closed from here crosses its `close`.
    for (const { conn, text } of lines) this.#handlers.get(conn)?.message(text);
  }

  #control(frame: string): void {
    let value: unknown;
    try {
      value = JSON.parse(frame);
    } catch {
      return this.close(CLOSE_CODES.unclean, 'a control message must be JSON');
    }
    const check = checkRelayToGame(value);
    if (check.unknown !== undefined) this.#events.tellUnknown(check.unknown);
    if (check.ok) this.#obey(check.message);
    else if (check.unknown === undefined) this.close(CLOSE_CODES.unclean, check.problem);
  }

  #obey(message: RelayToGame): void {
    switch (message.type) {
      case 'welcome':
        return this.#events.welcomed(message.world);
      case 'alive':
        return;
      case 'open':
        return this.#open(message.conn, message.request);
      case 'interaction':
        return this.#bridge.engagements.expect(message.contract, message.begun);
      case 'end': {
        const { interaction, reason, session_id } = message;
        if (session_id !== undefined) this.#bridge.endSession(session_id, reason);
        if (interaction !== undefined) this.#bridge.engagements.end(interaction, reason);
        return;
      }
      case 'refused_call':
        return this.#handlers.get(message.conn)?.refusedCall(message.call);
      case 'hold':
        this.#slow.add(message.conn);
        return this.#handlers.get(message.conn)?.hold(true);
      case 'release':
        this.#slow.delete(message.conn);
        return this.#flow.held ? undefined : this.#handlers.get(message.conn)?.hold(false);
      case 'quiet':
        return this.#handlers.get(message.conn)?.quiet(message.quiet);
      case 'close': {
        const handler = this.#handlers.get(message.conn);
        this.#handlers.delete(message.conn);
        this.#slow.delete(message.conn);
        return handler?.closed(message.clean);
      }
    }
  }

  #open(conn: number, request: OpenRequest): void {
    const over: GameToRelay[] = [];
    this.#afterOpening = over;
    this.#openNow(conn, request);
    this.#afterOpening = undefined;
    for (const message of over) this.#tell(message);
  }

  #openNow(conn: number, request: OpenRequest): void {
    // `opened` must reach the relay before what the bridge says, or closes, while it opens.
    let early: string[] | undefined = [];
    let earlyEnd: { code: number; reason: string } | undefined;
    const close = (end: { code: number; reason: string }) => this.#tell({ type: 'close', conn, ...end });
    const port: AgentPort = {
      send: (text) => {
        if (early) early.push(text);
        else if (!this.#ended) this.#batcher.line(conn, text);
      },
      close: (code, reason) => {
        if (early) earlyEnd = { code, reason };
        else if (this.#handlers.delete(conn)) close({ code, reason });
      },
    };
    const answer = this.#bridge.open(port, request);
    if (isRefusal(answer)) return this.#tell({ type: 'refused', conn, error: answer.error.toWire(), absent: answer.absent });
    this.#tell({ type: 'opened', conn, session_id: answer.sessionId, character: answer.character });
    const lines = early;
    early = undefined;
    for (const text of lines) this.#batcher.line(conn, text);
    if (earlyEnd) close(earlyEnd);
    else {
      this.#handlers.set(conn, answer);
      if (this.#flow.held) answer.hold(true);
    }
  }
}
