import { AiccError, type CharacterInfo, type Clock, LIMITS, type LinkedSession, type TickMode, type WorldKind } from '../protocol/index.ts';
import type { AgentHandler, AgentPort, OpenRequest, Refusal } from './agent-port.ts';
import type { Bridge, BridgeOptions } from './bridge.ts';
import type { BridgeCore } from './bridge-core.ts';
import type { Call } from './call.ts';
import type { CompiledTool } from './catalogue.ts';
import { type CharacterOptions, CharacterSlot } from './character.ts';
import { type Engagement, termsText } from './engagement.ts';
import { Engagements } from './engagements.ts';
import { EventGate } from './event-gate.ts';
import { FixedGate, type Gate, HybridGate } from './gate.ts';
import type { Approve } from './policy.ts';
import { seededRandom } from './random.ts';
import { Session } from './session.ts';

const CHARACTER_ID = /^[A-Za-z0-9_.-]{1,64}$/;
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
  tick = 0;
  now = 0;
  droppedTicks = 0;

  readonly #slots = new Map<string, CharacterSlot>();
  readonly #live = new Map<string, Session>();
  readonly engagements: Engagements;
  readonly #listeners = new Set<() => void>();
  readonly #gate: Gate;
  #externals = 0;
  #sinceTick = 0;
  #changePending = false;
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

  addCharacter(id: string, options: CharacterOptions): CharacterSlot {
    if (this.#closed) throw new TypeError(`character '${id}': this world has been closed`);
    if (typeof id !== 'string' || !CHARACTER_ID.test(id)) {
      throw new TypeError(`character id '${String(id)}' must be 1 to 64 letters, digits, '_', '-' or '.', like "old_tam"`);
    }
    const { maxSessions = 1 } = options;
    if (!Number.isInteger(maxSessions) || maxSessions < 1)
      throw new TypeError(`character '${id}': maxSessions must be a whole number of at least 1`);
    if (typeof options.description !== 'string' || options.description === '')
      throw new TypeError(`character '${id}': description must say who it is`);
    const other = options.default && [...this.#slots.values()].find((slot) => slot.info.default && slot.characterId !== id);
    if (other && !other.waits) throw new TypeError(`character '${id}': '${other.characterId}' is the default already; only one can be`);
    let slot = this.#slots.get(id);
    if (slot) slot.bind(options);
    else {
      slot = new CharacterSlot(this, id, options, () => this.#slots.delete(id));
      this.#slots.set(id, slot);
    }
    // Its level is over: who asks for nobody gets who is there.
    if (other) other.yieldDefault();
    return slot;
  }

  open(port: AgentPort, request: OpenRequest): AgentHandler | Refusal {
    if (request.resume !== undefined) return this.#resume(port, request.resume, request);
    if (request.contract !== undefined && this.#options.policyFor === undefined) {
      return { error: new AiccError('tool_unavailable', 'this game takes no session offers', false), absent: false };
    }
    const slot = this.#find(request);
    if (slot === undefined) return { error: new AiccError('tool_unavailable', this.#absent(request)), absent: true };
    let engagement: Engagement | undefined;
    try {
      engagement = this.engagements.of(request);
    } catch {
      return { error: new AiccError('internal_error', 'the contract of this session could not be made'), absent: false };
    }
    if (engagement?.over !== undefined)
      return { error: new AiccError('tool_unavailable', `the interaction is over: ${engagement.over}`, false), absent: false };
    if (!slot.makeRoom()) {
      return {
        error: new AiccError('tool_unavailable', `character '${slot.characterId}' is taken; try again when its agent has left`),
        absent: false,
      };
    }
    return this.#start(port, new Session(this, slot, request, undefined, engagement));
  }

  openYielding(port: AgentPort, characterId: string, kind: string, request: Partial<OpenRequest> = {}): AgentHandler | Refusal {
    const slot = this.#slots.get(characterId);
    if (slot === undefined) return { error: new AiccError('tool_unavailable', `there is no character '${characterId}'`), absent: true };
    if (slot.drivers.yielding)
      return { error: new AiccError('tool_unavailable', `character '${characterId}' has an in-page driver already`), absent: false };
    return this.#start(port, new Session(this, slot, { principal: kind, ...request }, kind));
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

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(reason = 'the game has ended'): void {
    if (this.#closed) return;
    // First, for a handler that hears of its abort may close the bridge again or declare a character.
    this.#closed = true;
    for (const slot of [...this.#slots.values()]) slot.remove(reason);
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

  driversChanged(): void {
    if (!this.#closed) this.#gate.sessionsChanged();
    this.changed();
  }

  external(pending: 1 | -1): void {
    this.#externals += pending;
  }

  forget(session: Session): void {
    this.#live.delete(session.id);
    this.engagements.left(session);
    session.character.drivers.leave(session);
  }

  changed(): void {
    if (this.#changePending || this.#listeners.size === 0) return;
    this.#changePending = true;
    queueMicrotask(() => {
      this.#changePending = false;
      for (const listener of this.#listeners) {
        try {
          listener();
        } catch {
          // One listener's mistake is not the others'.
        }
      }
    });
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
          drivers: () =>
            [...this.#live.values()].filter((session) => session.attached && !(session.lostControl() ?? session.character.absence())),
          externalPending: () => this.#externals > 0,
        });
    }
  }

  #start(port: AgentPort, session: Session): AgentHandler {
    const { engagement } = session;
    const { drivers } = session.character;
    this.#live.set(session.id, session);
    engagement?.sessions.add(session);
    drivers.join(session);
    const handler = session.attach(port);
    drivers.changed();
    if (engagement !== undefined) this.engagements.joined(engagement);
    return handler;
  }

  #resume(port: AgentPort, sessionId: string, request: OpenRequest): AgentHandler | Refusal {
    const session = this.#live.get(sessionId);
    const isTheirs = session?.caller.principal === request.principal && session.engagement?.terms === termsText(request.contract);
    if (session === undefined || session.yielding !== undefined || !isTheirs) {
      return {
        error: new AiccError('session_expired', `session ${sessionId} cannot be resumed: it has ended or is not yours; open a new one`),
        absent: false,
      };
    }
    const handler = session.attach(port, { lastSeq: request.last_seq });
    session.character.drivers.changed();
    return handler;
  }

  #find({ character, characters }: OpenRequest): CharacterSlot | undefined {
    const id = character ?? [...this.#slots.values()].find((slot) => slot.info.default)?.characterId;
    return id === undefined || characters?.includes(id) === false ? undefined : this.#slots.get(id);
  }

  /** B4: names what there is, as far as the caller may know. */
  #absent({ character, characters }: OpenRequest): string {
    const names = [...this.#slots.keys()].filter((id) => characters?.includes(id) ?? true);
    const there = names.length > 0 ? `there are: ${names.join(', ')}` : 'there are none yet';
    return character === undefined
      ? `no character is marked default; name one (${there})`
      : `there is no character '${character}' (${there})`;
  }
}
