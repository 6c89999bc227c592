import { checkOptions } from '../base/check-options.ts';
import { type JsonObject, wellFormed } from '../base/json.ts';
import type { SlidingWindow } from '../base/sliding-window.ts';
import { AiccError, type CharacterInfo, CLOSE_CODES, LIMITS, TOPICS, type Topic } from '../protocol/index.ts';
import type { BridgeCore } from './bridge-core.ts';
import type { Call, CallBody } from './call.ts';
import type { CompiledTool } from './catalogue.ts';
import type { CharacterOptions, CharacterSlot, GameTopic } from './character-slot.ts';
import { compileAll } from './compile-all.ts';
import { Decisions } from './decisions.ts';
import { type Driver, Drivers } from './drivers.ts';
import { Lane } from './lane.ts';
import { payloadText } from './message-text.ts';
import { MinuteWindows } from './minute-windows.ts';
import type { Decision, Question } from './open-question.ts';
import { Senses } from './senses.ts';
import type { Session } from './session.ts';
import { Timer } from './timer.ts';
import type { Tool } from './tool.ts';
import type { HostContext, ToolContext } from './tool-context.ts';
import { Unheard } from './unheard.ts';

/** A unit that is gone never comes back: its body's next life has another id. */
const GONE = new AiccError('tool_unavailable', 'gone', false, 'gone');

/** A character at work. It outlives its body: when that goes, the sessions stay and wait for the same id to be declared again (AICC C8). */
export class BridgeCharacter implements CharacterSlot, CallBody {
  readonly characterId: string;
  /** Its calls that have no result yet, a fallback's among them, which belongs to no session that is open (D18). */
  readonly pending = new Set<Call>();
  /** Those whose handler has begun. */
  readonly running = new Set<Call>();
  tools: readonly CompiledTool[] = [];
  #toolsById = new Map<string, CompiledTool>();
  readonly decisions: Decisions;
  readonly drivers: Drivers<Session>;
  readonly senses: Senses;
  readonly unheard = new Unheard();
  /** Counts the bodies it has had; `unbind` of an older one does nothing. */
  binding = 0;

  readonly #bridge: BridgeCore;
  readonly #onRemoved: () => void;
  #options: CharacterOptions;
  #bound = false;
  #paused = false;
  #removed = false;
  #worldMs = 0;
  readonly #lanes = new Map<string, Lane>();
  readonly #minuteWindows = new MinuteWindows();
  /** Until it is given up without a body. */
  readonly #absence: Timer;

  constructor(bridge: BridgeCore, characterId: string, options: CharacterOptions, onRemoved: () => void) {
    this.#bridge = bridge;
    this.characterId = characterId;
    this.#onRemoved = onRemoved;
    this.#options = options;
    this.senses = new Senses(this, bridge.mistakes);
    this.decisions = new Decisions(bridge, this);
    this.drivers = new Drivers(bridge, characterId);
    this.#absence = new Timer(bridge.clock);
    this.bind(options);
  }

  /** Milliseconds of its own world time: stands still while its scene does. */
  get now(): number {
    return this.#worldMs;
  }

  get tick(): number {
    return this.#bridge.tick;
  }

  random(): number {
    return this.#bridge.random();
  }

  external(pending: 1 | -1): void {
    this.#bridge.external(pending);
  }

  mistake(thrown: unknown): void {
    this.#options.mistake?.(thrown);
  }

  get info(): CharacterInfo {
    const { description, default: isDefault = false, maxSessions = 1 } = this.#options;
    return {
      id: this.characterId,
      description: wellFormed(description),
      default: isDefault,
      sessions: this.drivers.outside,
      max_sessions: maxSessions,
      driver: this.driver,
    };
  }

  get driver(): Driver {
    return this.drivers.driver;
  }

  get mind(): string {
    return this.drivers.mind;
  }

  /** Whether another agent may come (AICC B4); long-lost and long-silent sessions give way (B7). */
  makeRoom(): boolean {
    return this.drivers.makeRoom(this.#options.maxSessions ?? 1);
  }

  /** Whether another spectator may come (AICC B8). */
  makeRoomToWatch(): boolean {
    return this.drivers.makeRoomToWatch(this.#options.maxSpectators ?? LIMITS.spectators);
  }

  /** A body, or a role without one, is there (again). @returns which one, for `unbind` */
  bind(options: CharacterOptions): number {
    const tools = compileAll(this.characterId, options.tools, options.units !== undefined);
    if (this.#bound) this.unbind();
    this.#options = options;
    this.#bound = true;
    this.setPaused(false);
    this.#absence.stop();
    this.#replaceTools(tools);
    this.#bridge.driversChanged(this.characterId);
    return ++this.binding;
  }

  /** Whether it only waits for its next body. */
  get waits(): boolean {
    return !this.#bound;
  }

  /** Another one is the default from now on. */
  yieldDefault(): void {
    this.#options = { ...this.#options, default: false };
  }

  /** Its body or scene is gone: running calls end, its sessions wait for the next `bind` (AICC C8). */
  unbind(binding: number = this.binding): void {
    if (!this.#bound || binding !== this.binding) return;
    this.#bound = false;
    const { rebindMs = LIMITS.rebindMs } = this.#options;
    // First, for a handler that hears of its abort may give it its next body at once.
    this.#absence.start(() => this.remove(`'${this.characterId}' did not come back`, CLOSE_CODES.overForNow), rebindMs);
    this.#endCalls(new AiccError('tool_unavailable', 'gone', true, 'gone'));
    this.#bridge.driversChanged(this.characterId);
  }

  remove(reason = `'${this.characterId}' was removed`, code: number = CLOSE_CODES.normal): void {
    if (this.#removed) return;
    this.#removed = true;
    this.#bound = false;
    this.#absence.stop();
    for (const session of [...this.drivers.sessions]) session.close(reason, code);
    this.#endCalls(new AiccError('tool_unavailable', reason, false, 'gone'));
    this.decisions.close();
    this.#onRemoved();
    this.#bridge.changed(this.characterId);
  }

  setTools(tools: readonly Tool[]): void {
    this.#replaceTools(compileAll(this.characterId, tools, this.isSquad));
  }

  tool(id: string): CompiledTool | undefined {
    return this.#toolsById.get(id);
  }

  /** Its scene or game stands still (AICC E6): so does its time, and calls are told. */
  setPaused(paused: boolean): void {
    if (this.#paused === paused || this.#removed) return;
    this.#paused = paused;
    this.decisions.setPaused(paused);
    for (const call of this.pending) call.setPaused(paused);
    this.#tell({ kind: paused ? 'world_paused' : 'world_resumed' });
    this.#bridge.driversChanged(this.characterId);
  }

  get paused(): boolean {
    return this.#paused;
  }

  inherit(earlier: CharacterSlot): void {
    if (!(earlier instanceof BridgeCharacter))
      throw new TypeError(`inherit: '${this.characterId}' can go on only from a character of a bridge`);
    this.drivers.inherit(earlier.drivers);
    this.unheard.inherit(earlier.unheard);
  }

  takeOver(person: boolean): void {
    this.drivers.takeOver(person);
  }

  emit(topic: GameTopic, payload: JsonObject, options: { dataClass?: string } = {}): void {
    if (!TOPICS.includes(topic) || (topic as Topic) === 'tick') {
      throw new TypeError(`emit: topic must be one of ${TOPICS.filter((name) => name !== 'tick').join(', ')}, not '${String(topic)}'`);
    }
    checkOptions('emit(topic, payload, options)', options, { dataClass: 'string' });
    const text = payloadText(payload, 'emit');
    let heard = false;
    for (const session of this.drivers.sessions) {
      if (!session.hears(topic, options.dataClass)) continue;
      session.sendEvent(topic, text);
      heard ||= session.attached && !session.spectates;
    }
    if (topic === 'agent_message' && !heard) this.unheard.keep(text, options.dataClass);
  }

  ask(question: Question): Promise<Decision> {
    const first = !this.decisions.asked;
    return this.decisions.ask(question, (open) => {
      for (const session of this.drivers.sessions) {
        if (first) session.news.sendNow();
        session.sendDecision(open);
      }
    });
  }

  on(type: 'driver', listener: (driver: Driver) => void): () => void {
    if (type !== 'driver') throw new TypeError(`on: a character tells about 'driver', not '${String(type)}'`);
    return this.drivers.on(listener);
  }

  /** The living units of a squad; undefined for a character that is none. */
  units(): readonly string[] | undefined {
    return this.#options.units?.();
  }

  get isSquad(): boolean {
    return this.#options.units !== undefined;
  }

  /** A unit of the squad has died or left: its calls end, and no call reaches whoever has its body next (AICC D10). */
  unitGone(unit: string): void {
    this.#endCalls(GONE, (call) => call.unit === unit);
    for (const name of this.#lanes.keys()) if (name.startsWith(`${unit} `)) this.#lanes.delete(name);
  }

  lane(name: string, unit: string | undefined): Lane {
    const key = unit === undefined ? name : `${unit} ${name}`;
    const lane = this.#lanes.get(key) ?? new Lane(name);
    this.#lanes.set(key, lane);
    return lane;
  }

  /** One tool's calls of one principal within a minute (AICC D7). */
  minuteWindow(principal: string, toolId: string): SlidingWindow {
    return this.#minuteWindows.of(principal, toolId, this.#bridge.clock.wallNow());
  }

  extend(context: HostContext): ToolContext {
    return this.#options.extend?.(context) ?? context;
  }

  /** Why nothing can be done with it now, whoever asks (AICC C8, E6). */
  absence(unit?: string): AiccError | undefined {
    if (!this.#bound) return new AiccError('tool_unavailable', `'${this.characterId}' is gone for now; it may come back`, true, 'gone');
    if (this.#paused) return new AiccError('tool_unavailable', 'the world is paused; wait for world_resumed', true, 'paused');
    if (unit !== undefined && this.units()?.includes(unit) === false) return GONE;
    return undefined;
  }

  /** World time moves on for it: what its running calls wait for may be there, or too late. */
  advance(dtMs: number): void {
    if (this.#paused) return;
    this.#worldMs += dtMs;
    for (const call of [...this.running]) call.poll();
  }

  /** A tick is there: the sessions that want it get it with a snapshot (AICC E4), unless its time stands still (E6). */
  tickDue(dtMs: number): void {
    if (this.#paused || this.drivers.sessions.size === 0) return;
    this.senses.sharing(() => {
      for (const session of this.drivers.sessions) if (session.wantsTick()) this.sendTick(session, dtMs);
    });
  }

  sendTick(session: Session, dtMs = 0): void {
    session.sendTick(`{"tick":${this.#bridge.tick},"time_ms":${this.now},"dt_ms":${dtMs},"snapshot":${this.senses.snapshotText(session)}}`);
  }

  #replaceTools(tools: readonly CompiledTool[]): void {
    this.tools = tools;
    this.#toolsById = new Map(tools.map((tool) => [tool.entry.id, tool]));
    this.senses.forget();
    for (const session of this.drivers.sessions) session.news.changed();
  }

  #endCalls(reason: AiccError, which: (call: Call) => boolean = () => true): void {
    for (const call of [...this.pending]) if (which(call)) call.fail(reason);
  }

  /** An event that every session gets, subscribed or not (AICC F1). */
  #tell(payload: JsonObject): void {
    for (const session of this.drivers.sessions) session.sendEvent('state_change', JSON.stringify(payload), { always: true });
  }
}
