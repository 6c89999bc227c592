import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { CLOSE_CODES, type ConnectCheck } from '../protocol/index.ts';
import { type Channel, CROWDED, type Door, type DoorOptions, memoryPair, openDoor, type Principal } from '../transport/index.ts';
import type { OpenClasp } from './openclasp/index.ts';
import { Places } from './places.ts';
import type { RelayLimits } from './relay-limits.ts';
import { RelayedAgent } from './relayed-agent.ts';
import type { Tokens } from './tokens.ts';
import type { Worlds } from './worlds.ts';

export interface AgentsOptions {
  worlds: Worlds;
  tokens: Tokens;
  /** Session offers, where they are taken. */
  offers: OpenClasp | undefined;
  limits: Pick<RelayLimits, 'extraMs' | 'outboundBytes' | 'pingMs' | 'unopened' | 'waiting'>;
  clock: Clock;
  log: (line: string) => void;
}

/** What a door knows about an agent that comes by it. */
export interface AgentFacts {
  /** The token that the connection itself brought, if any (B5). A connect line may name another. */
  token?: string | undefined;
  /** What the connection's address asks for (B1); tried at once. */
  query?: ConnectCheck | undefined;
}

/** The one place that admits agents, whichever door they come by: it gives them a place, authenticates them, watches them and hangs up on them (B5, C9, H). */
export class Agents {
  readonly #options: AgentsOptions;
  readonly #places: Places;
  readonly #doors = new Set<Door>();
  /** Those of the relay's own agents, which say goodbye themselves. */
  readonly #ownDoors = new Set<Door>();

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#places = new Places(options);
  }

  /** Agents that are connected, with a session or without. */
  get all(): readonly Door[] {
    return [...this.#doors];
  }

  /** Whether there is room for one more agent that asks for a session. */
  get hasSeat(): boolean {
    return this.#places.hasSeat;
  }

  /** Whether a connection with this token may come in. The token of a session offer may, and what it opens is decided later. */
  mayEnter(token: string | undefined): boolean {
    const { offers, tokens } = this.#options;
    return tokens.agent(token) !== undefined || (token !== undefined && (offers?.mayKnock(token) ?? false));
  }

  /** Takes an agent in, from its channel's first message to its end. */
  admit(channel: Channel, { token, query }: AgentFacts = {}): Door {
    const place = this.#places.take(() => door.close(CLOSE_CODES.tryAgainLater, CROWDED));
    const door = this.#open(channel, {
      authenticate: (named) => this.#authenticate(named ?? token),
      ...this.#takeOffer(token),
      tokenRequired: token === undefined && this.#options.tokens.agentsNeedOne,
      ...(query !== undefined && { query }),
      place,
      onClosed: () => place.leave(),
    });
    return door;
  }

  /** Takes in an agent that a door speaks for, such as the client of another protocol. @returns the agent's end of the channel */
  enter(facts: AgentFacts = {}): Channel {
    const [channel, doorEnd] = memoryPair();
    this.admit(doorEnd, facts);
    return channel;
  }

  /** The same for an agent of the relay's own, of which there is a fixed number: it needs neither a token nor a place. */
  enterOwn(principal: Principal): Channel {
    const [channel, doorEnd] = memoryPair();
    this.#ownDoors.add(this.#open(doorEnd, { authenticate: () => principal, ...this.#takeOffer(undefined), tokenRequired: true }));
    return channel;
  }

  /** Hangs up on all agents but the relay's own. */
  hangUpOnGuests(code: number, reason: string): void {
    for (const door of this.all) if (!this.#ownDoors.has(door)) door.close(code, reason);
  }

  hangUp(code: number, reason: string): void {
    for (const door of this.all) door.close(code, reason);
  }

  #open(channel: Channel, how: Pick<DoorOptions, 'authenticate' | 'onClosed' | 'place' | 'query' | 'takeOffer' | 'tokenRequired'>): Door {
    const { clock, limits, log, offers, worlds } = this.#options;
    const agent = new RelayedAgent(worlds, channel, log);
    let isOver = false;
    const door = openDoor(channel, {
      ...how,
      opener: offers?.around(agent) ?? agent,
      clock,
      newId: randomUUID,
      outboundBytes: limits.outboundBytes,
      pingMs: limits.pingMs,
      onClosed: (end) => {
        isOver = true;
        how.onClosed?.(end);
        agent.leave(end);
        this.#doors.delete(door);
        this.#ownDoors.delete(door);
      },
    });
    // It may have ended while it was opened.
    if (!isOver) this.#doors.add(door);
    return door;
  }

  /** Who a token names. The offer alone decides for an offer's token. */
  #authenticate(token: string | undefined): Principal | undefined {
    const { offers, tokens } = this.#options;
    return offers?.isOurs(token) ? offers.present(token) : tokens.agent(token);
  }

  #takeOffer(token: string | undefined): Pick<DoorOptions, 'takeOffer'> {
    const { offers } = this.#options;
    return offers === undefined ? {} : { takeOffer: (line, named) => offers.takeOffer(line, named ?? token) };
  }
}
