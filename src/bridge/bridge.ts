import { checkOptions, type OptionKind } from '../base/check-options.ts';
import type { Clock } from '../base/clock.ts';
import { type CharacterInfo, type LinkedSession, TICK_MODES, type TickMode, type ToolClass, type WorldKind } from '../protocol/index.ts';
import type { AgentHandler, AgentPort, OpenRequest, Refusal } from './agent-port.ts';
import type { CharacterOptions, CharacterSlot } from './character-slot.ts';
import type { Contracts } from './engagement.ts';
import type { Approve, Policy } from './policy.ts';
import { World } from './world.ts';

/** What a bridge is made of. Only `world`, `clock` and `newId` are required. */
export interface BridgeOptions {
  /** How the world is called. */
  world: {
    /** Agents find it by this name. */
    name: string;
    /** Default `2d`. */
    kind?: WorldKind;
  };
  /** Default `hybrid` (AICC E). */
  tickMode?: TickMode;
  /** Event mode: whether the world waits for the first acting call or for one of every attached session (AICC E2). Default `any`. */
  barrier?: 'any' | 'all';
  /** Event mode: the classes of tools whose calls move the world. Default actuators and generators. */
  advanceOn?: readonly ToolClass[];
  /** Ticks in a second of world time. Default 10. */
  tickRateHz?: number;
  /** Wall time: heartbeats, limits and deadlines count in it. */
  clock: Clock;
  /** A fresh v4 UUID from a cryptographic source. */
  newId(): string;
  /** Seeds `context.random()`. Default: the world's name. */
  seed?: string;
  /** What anonymous sessions hold (AICC G2). Default: everything. */
  defaultCapabilities?: readonly string[];
  /** Asks the person at the game (AICC D9). Default: nobody is there, so what needs approval is refused. */
  approve?: Approve;
  /** Makes the policy of a session (AICC D4). Default: none, and an opening that brings a contract is refused. */
  policyFor?(request: OpenRequest): Policy | undefined;
  /** Told of mistakes in the game's own code (a tool that throws, a wrong output), with their stack: once for each kind. Default: nobody. */
  log?(message: string): void;
  /** Told when an agent from outside comes where there was none, before its session begins, and when the last one's session is over. */
  attended?(attended: boolean): void;
}

/** The environment's end of AICC: it owns characters, sessions and calls, and knows neither sockets nor Phaser. */
export interface Bridge {
  /** Tells this run of the world from an earlier one. */
  readonly instance: string;
  /** The world as it was named. */
  readonly world: {
    /** Its own name. Behind a relay it may have another. */
    name: string;
    /** Default `2d`. */
    kind: WorldKind;
  };
  /** Ticks since the world began. */
  readonly tick: number;
  /** World milliseconds. */
  readonly now: number;
  /** Ticks that a stall cost, since the world began (AICC E1). */
  readonly droppedTicks: number;
  /**
   * Declares a character, or gives a known one its next body (AICC C8).
   * @throws TypeError for a wrong id or tools; the message says which and how to mend it
   */
  addCharacter(id: string, options: CharacterOptions): CharacterSlot;
  /** Opens or resumes a session. Never throws. */
  open(port: AgentPort, request: OpenRequest): AgentHandler | Refusal;
  /** Opens a yielding session for a driver in the page (AICC B6). `kind`: what kind of mind it is. */
  openYielding(port: AgentPort, characterId: string, kind: string, request?: Partial<OpenRequest>): AgentHandler | Refusal;
  /** Whether world time may move on now. Always, but in event mode: there the host steps the world only while this says so (AICC E2). */
  readonly moving: boolean;
  /** Event mode: moves the world by one tick without a call. */
  trigger(): void;
  /** A condition that contracts may name holds now, or no longer: it ends the interactions whose contract says so, whoever is there (OpenClasp T13). */
  condition(name: string, holds?: boolean): void;
  /** Starts the calls that waited for the last tick. To be called before the world steps. Never throws. */
  startDue(): void;
  /** World time has moved by so many milliseconds: settles what waited for it and ticks. To be called after the world has stepped. Never throws. */
  advance(dtMs: number): void;
  /** Every character that is declared, or waits for its next body. */
  characters(): CharacterInfo[];
  /** One of them, while it is there. */
  character(id: string): CharacterInfo | undefined;
  /** The one marked default (AICC B3). */
  readonly defaultCharacter: string | undefined;
  /** The sessions of agents from outside, attached or not, spectators too. */
  sessions(): LinkedSession[];
  /** Told, at most once a turn of the event loop, of which characters `characters()` shows something new; some may be gone. */
  onChange(listener: (changed: ReadonlySet<string>) => void): () => void;
  /** What the contracts in force are to those who bring them. */
  readonly engagements: Contracts;
  /** Ends one session for a reason that lies outside the game. */
  endSession(sessionId: string, reason: string): void;
  /** Ends every session, telling why. */
  close(reason?: string): void;
}

/** Above this a tick is shorter than any frame. */
const MAX_TICK_RATE_HZ = 1_000;

const OPTIONS: Record<keyof BridgeOptions, OptionKind> = {
  world: 'object',
  tickMode: 'string',
  barrier: 'string',
  advanceOn: 'list',
  tickRateHz: 'positive',
  clock: 'object',
  newId: 'function',
  seed: 'string',
  defaultCapabilities: 'list',
  approve: 'function',
  log: 'function',
  attended: 'function',
  policyFor: 'function',
};

/** @throws TypeError for options that cannot work */
export function createBridge(options: BridgeOptions): Bridge {
  checkOptions('createBridge', options, OPTIONS);
  const { world, tickMode = 'hybrid', tickRateHz = 10, clock, newId } = options ?? {};
  if (typeof world?.name !== 'string' || world.name === '') throw new TypeError('createBridge: world.name must be a name, like "forest"');
  if (!clock || !newId) throw new TypeError('createBridge: clock and newId must be given: what time it is, and a fresh UUID');
  if (!TICK_MODES.includes(tickMode))
    throw new TypeError(`createBridge: tickMode must be one of ${TICK_MODES.join(', ')}, not '${tickMode}'`);
  if (!(tickRateHz > 0 && tickRateHz <= MAX_TICK_RATE_HZ)) {
    throw new TypeError(`createBridge: tickRateHz must be more than 0 and at most ${MAX_TICK_RATE_HZ}, not ${tickRateHz}`);
  }
  return new World(options);
}
