import type { Clock } from '../base/clock.ts';
import {
  AiccError,
  type CharacterInfo,
  CLOSE_CODES,
  LIMITS,
  type LinkedSession,
  type TickMode,
  type WorldKind,
} from '../protocol/index.ts';
import { absentCharacter } from './absent-character.ts';
import type { AgentHandler, AgentPort, OpenRequest, Refusal } from './agent-port.ts';
import type { Bridge, BridgeOptions } from './bridge.ts';
import type { BridgeCore } from './bridge-core.ts';
import type { Call } from './call.ts';
import type { CompiledTool } from './catalogue.ts';
import { type ChangeListener, Changes } from './changes.ts';
import { BridgeCharacter } from './character.ts';
import { type CharacterOptions, checkCharacter } from './character-slot.ts';
import { type Engagement, termsText } from './engagement.ts';
import { Engagements } from './engagements.ts';
import { EventGate } from './event-gate.ts';
import { FixedGate, type Gate, HybridGate } from './gate.ts';
import { Mistakes } from './mistakes.ts';
import type { Approve } from './policy.ts';
import { seededRandom } from './random.ts';
import { attachAgent } from './receive-message.ts';
import { Session } from './session.ts';

/** A tick's share of a millisecond that sums of frame times may lack. */
const ROUNDING = 1e-9;

/** The bridge at work: its characters, its sessions, and the ticks that it gives them. */
export class World implements Bridge, BridgeCore {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly random: () => number;
  readonly instance: string;
  readonly world: { name: string; kind: WorldKind };
  readonly tickMode: TickMode;
  readonly tickRateHz: number;
  readonly approve: Approve | undefined;
  readonly defaultCapabilities: readonly string[] | undefined;
  readonly mistakes: Mistakes;
  tick = 0;
  now = 0;
  droppedTicks = 0;

  readonly #slots = new Map<string, BridgeCharacter>();
  readonly #live = new Map<string, Session>();
  readonly engagements: Engagements;
  readonly #changes = new Changes();
  readonly #gate: Gate;
  #externals = 0;
  #sinceTick = 0;
  #default: BridgeCharacter | undefined;
  /** Sessions of agents from outside. */
  #outside = 0;
  #closed = false;
  readonly #options: BridgeOptions;

  constructor(options: BridgeOptions) {
    const { world, tickMode = 'hybrid', tickRateHz = 10, clock, newId } = options;
    this.#options = options;
    this.world = { name: world.name, kind: world.kind ?? '2d' };
    this.tickMode = tickMode;
    this.tickRateHz = tickRateHz;
    this.clock = clock;
    this.newId = newId;
    this.random = seededRandom(options.seed ?? world.name);
    this.instance = newId();
    this.approve = options.approve;
    this.mistakes = new Mistakes(options.log);
    this.defaultCapabilities = options.defaultCapabilities;
    this.#gate = this.#makeGate(options);
    this.engagements = new Engagements(clock, (request) => options.policyFor?.(request));
  }

  get moving(): boolean {
    return !this.#closed && this.#gate.open;
  }

  trigger(): void {
    if (!this.#closed) this.#gate.trigger();
  }

  addCharacter(id: string, options: CharacterOptions): BridgeCharacter {
    if (this.#closed) throw new TypeError(`character '${id}': this world has been closed`);
    checkCharacter(id, options);
    const other = options.default && this.#default?.characterId !== id ? this.#default : undefined;
    if (other && !other.waits) throw new TypeError(`character '${id}': '${other.characterId}' is the default already; only one can be`);
    let slot = this.#slots.get(id);
    if (slot) slot.bind(options);
    else {
      slot = new BridgeCharacter(this, id, options, () => this.#removed(id));
      this.#slots.set(id, slot);
    }
    // Its level is over: who asks for nobody gets who is there.
    if (other) other.yieldDefault();
    if (options.default) this.#default = slot;
    else if (this.#default === slot) this.#default = undefined;
    return slot;
  }

  open(port: AgentPort, request: OpenRequest): AgentHandler | Refusal {
    if (request.resume !== undefined) return this.#resume(port, request.resume, request);
    if (request.contract !== undefined && this.#options.policyFor === undefined) {
      return { error: new AiccError('tool_unavailable', 'this game takes no session offers', false), absent: false };
    }
    const slot = this.#find(request);
    if (slot === undefined) return absentCharacter(request, this.#slots);
    let engagement: Engagement | undefined;
    try {
      engagement = this.engagements.of(request);
    } catch (thrown) {
      this.mistakes.tell(this, 'the contract of a session could not be made', thrown);
      return { error: new AiccError('internal_error', 'the contract of this session could not be made'), absent: false };
    }
    if (engagement?.over !== undefined)
      return { error: new AiccError('tool_unavailable', `the interaction is over: ${engagement.over}`, false), absent: false };
    if (!(request.spectate ? slot.makeRoomToWatch() : slot.makeRoom())) {
      const full = request.spectate
        ? 'has no room for another spectator; try again when one has left'
        : 'is taken; try again when its agent has left';
      return { error: new AiccError('tool_unavailable', `character '${slot.characterId}' ${full}`), absent: false };
    }
    return this.#start(port, new Session(this, slot, request, this.#forget, undefined, engagement));
  }

  openYielding(port: AgentPort, characterId: string, kind: string, request: Partial<OpenRequest> = {}): AgentHandler | Refusal {
    const slot = this.#slots.get(characterId);
    if (slot === undefined) return { error: new AiccError('tool_unavailable', `there is no character '${characterId}'`), absent: true };
    if (slot.drivers.yielding)
      return { error: new AiccError('tool_unavailable', `character '${characterId}' has an in-page driver already`), absent: false };
    return this.#start(port, new Session(this, slot, { principal: kind, ...request }, this.#forget, kind));
  }

  condition(name: string, holds = true): void {
    this.engagements.condition(name, holds);
  }

  startDue(): void {
    this.#gate.startDue();
  }

  advance(dtMs: number): void {
    if (this.#closed) return;
    this.now += dtMs;
    for (const slot of [...this.#slots.values()]) slot.advance(dtMs);
    const period = 1_000 / this.tickRateHz;
    this.#sinceTick += dtMs;
    let ticks = Math.floor(this.#sinceTick / period + ROUNDING);
    this.#sinceTick -= ticks * period;
    if (ticks > LIMITS.catchUpTicks) {
      this.droppedTicks += ticks - LIMITS.catchUpTicks;
      ticks = LIMITS.catchUpTicks;
    }
    for (; ticks > 0; ticks--) {
      this.#oneTick(period);
      // A long frame moves the world no further than to where it stops.
      if (!this.#gate.open) break;
    }
  }

  character(id: string): CharacterInfo | undefined {
    return this.#slots.get(id)?.info;
  }

  get defaultCharacter(): string | undefined {
    return this.#default?.characterId;
  }

  characters(): CharacterInfo[] {
    return [...this.#slots.values()].map((slot) => slot.info);
  }

  sessions(): LinkedSession[] {
    return [...this.#live.values()]
      .filter((session) => session.yielding === undefined)
      .map((session) => ({ session_id: session.id, character: session.character.characterId, principal: session.caller.principal }));
  }

  endSession(sessionId: string, reason: string): void {
    this.#live.get(sessionId)?.close(reason);
  }

  onChange(listener: ChangeListener): () => void {
    return this.#changes.on(listener);
  }

  close(reason = 'the game has ended'): void {
    if (this.#closed) return;
    // First, for a handler that hears of its abort may close the bridge again or declare a character.
    this.#closed = true;
    for (const slot of [...this.#slots.values()]) slot.remove(reason, CLOSE_CODES.overForNow);
    this.#gate.close();
    this.engagements.close();
  }

  admit(call: Call): void {
    this.#gate.admit(call);
  }

  moves({ definition }: CompiledTool): boolean {
    const { advanceOn = ['actuator', 'generator'] } = this.#options;
    return this.tickMode !== 'event' || advanceOn.includes(definition.class);
  }

  driversChanged(characterId: string): void {
    if (!this.#closed) this.#gate.sessionsChanged();
    this.changed(characterId);
  }

  external(pending: 1 | -1): void {
    this.#externals += pending;
  }

  readonly #forget = (session: Session): void => {
    const wasLive = this.#live.delete(session.id);
    this.engagements.left(session);
    session.character.drivers.leave(session);
    if (wasLive && session.yielding === undefined && !session.spectates) this.#attend(-1);
  };

  changed(characterId: string): void {
    this.#changes.add(characterId);
  }

  #removed(id: string): void {
    if (this.#default?.characterId === id) this.#default = undefined;
    this.#slots.delete(id);
  }

  #attend(change: 1 | -1): void {
    const before = this.#outside > 0;
    this.#outside += change;
    if (before !== this.#outside > 0) this.#options.attended?.(!before);
  }

  #oneTick(period: number): void {
    this.tick++;
    this.#gate.tick();
    for (const slot of [...this.#slots.values()]) slot.tickDue(period);
  }

  #makeGate({ barrier = 'any' }: BridgeOptions): Gate {
    switch (this.tickMode) {
      case 'hybrid':
        return new HybridGate();
      case 'fixed':
        return new FixedGate();
      case 'event':
        return new EventGate({
          moves: (tool) => this.moves(tool),
          barrier,
          clock: this.clock,
          sessions: () => this.#live.values(),
          canAct: (session) =>
            session.attached &&
            !session.spectates &&
            !(session.lostControl() ?? session.character.absence()) &&
            session.rights.visibleTools().some((tool) => !tool.builtIn && this.moves(tool)),
          externalPending: () => this.#externals > 0,
        });
    }
  }

  #start(port: AgentPort, session: Session): AgentHandler {
    const { engagement } = session;
    const { drivers } = session.character;
    if (session.yielding === undefined && !session.spectates) this.#attend(1);
    this.#live.set(session.id, session);
    engagement?.sessions.add(session);
    drivers.join(session);
    const handler = attachAgent(session, port);
    drivers.changed();
    if (engagement !== undefined) this.engagements.joined(engagement);
    return handler;
  }

  #resume(port: AgentPort, sessionId: string, request: OpenRequest): AgentHandler | Refusal {
    const session = this.#live.get(sessionId);
    // C5; a session belongs to one offer for life (OpenClasp T19).
    const isTheirs =
      session?.yielding === undefined &&
      session?.caller.principal === request.principal &&
      session.engagement?.terms === termsText(request.contract) &&
      (session.spectates || !request.spectate) &&
      (request.characters?.includes(session.character.characterId) ?? true);
    if (session === undefined || !isTheirs) {
      return {
        error: new AiccError('session_expired', `session ${sessionId} cannot be resumed: it has ended or is not yours; open a new one`),
        absent: false,
      };
    }
    if (!session.mayResume()) {
      return {
        error: new AiccError('tool_unavailable', 'this session was taken over too often within a second; wait a second'),
        absent: false,
      };
    }
    session.rights.grant(request.capabilities ?? this.defaultCapabilities);
    const handler = attachAgent(session, port, { lastSeq: request.last_seq });
    session.character.drivers.changed();
    return handler;
  }

  #find({ character, characters }: OpenRequest): BridgeCharacter | undefined {
    const id = character ?? this.#default?.characterId;
    return id === undefined || characters?.includes(id) === false ? undefined : this.#slots.get(id);
  }
}
