import type * as Phaser from 'phaser';
import type { ChannelBrain } from '../src/agent/brain.ts';
import type { Brain } from '../src/agent/index.ts';
import type { JsonObject } from '../src/base/json.ts';
import { describeThrown } from '../src/base/thrown.ts';
import {
  type Bridge,
  type CharacterSlot,
  type Decision,
  type Driver,
  type GameTopic,
  type Question,
  type Tool,
  ToolError,
} from '../src/bridge/index.ts';
import { type Body, MatterBody, PlainBody } from './bodies/index.ts';
import { type Driving, startBrain, toBrain } from './brain.ts';
import { childrenOf, isAlive, isDestroyed, isGameObject, isGroup } from './compat.ts';
import { gameContext } from './context.ts';
import { type Figure, Squad } from './squad.ts';
import type { Present } from './surroundings.ts';

/** Who a character is and what agents can do with it. */
export interface CharacterOptions {
  /** Who it is and what it is there for, for agents to read. */
  description: string;
  /** What it can sense and do: its catalogue. */
  tools: readonly Tool[];
  /** Taken by an agent that names no character. Default false. */
  default?: boolean;
  /** How many agents may share it. Default 1. */
  maxSessions?: number;
  /** How many may watch it without driving it; 0: nobody. Default 16. */
  maxSpectators?: number;
  /** Wall milliseconds for which its agents wait for a new body after a death or restart. Default 10,000. */
  rebindMs?: number;
  /**
   * What becomes of it when nobody drives it any more, its last agent gone for good: it stands still (`stop`, the default), goes on as it went
   * (`hold`), or a driver in the page steps in, as by `drive`, whenever no other one is there.
   */
  fallback?: 'stop' | 'hold' | Brain;
}

/** A body (or a role without one) that agents can drive, as one run of a scene declared it. After that run everything here does nothing. */
export interface Character {
  /** The id that agents name. */
  readonly id: string;
  /** null for a role without one, and for a squad: there each call's `context.body` is its unit's. */
  readonly body: Body | null;
  /** Who drives it now. */
  readonly driver: Driver;
  /** What kind of mind drives: the brain's kind, or the model class that the agent declared; empty for nobody and for persons. */
  readonly mind: string;
  /** Told when somebody else begins to drive, in all its lives. Returns the way to stop listening; the run's end stops it too. */
  on(type: 'driver', listener: (driver: Driver) => void): () => void;
  /**
   * Gives it an in-page driver, in place of an earlier one; it steps back while an agent or a person holds the character. null: none but its fallback.
   * Once the character was removed or declared again, nothing happens, and the game's log is told.
   * @throws TypeError for what is no brain
   */
  drive(brain: Brain | null): void;
  /** A person drives it now (true), or no longer; in all its lives. */
  takeOver(person: boolean): void;
  /**
   * One decision, from whoever drives and in time, else from the fallback: exactly one of them acts. Resolves when what was chosen has been done;
   * rejects with an error that has a `code` when that failed, or when the character is gone. With nobody there to answer, the fallback acts at once.
   * @throws TypeError for a question that nobody could answer
   */
  ask(question: Question): Promise<Decision>;
  /** Tells its agents something. `dataClass`: what it tells, for contracts. */
  emit(topic: GameTopic, payload: JsonObject, options?: { dataClass?: string }): void;
  /** Replaces its tools; its agents are told. */
  setTools(tools: readonly Tool[]): void;
  /** Takes it out of the world and ends its agents' sessions. */
  remove(): void;
}

interface Host {
  /** Absent when the world has been closed: then nothing happens. */
  readonly bridge: Bridge | undefined;
  readonly scene: Phaser.Scene;
  readonly paused: boolean;
  forget(character: BoundCharacter): void;
  /** Tells the game's log. Never throws. */
  log(message: string): void;
  /** A new id for a unit of that squad, in all runs of all scenes. */
  newUnitId(characterId: string, object: unknown): string;
}

/** A character of one run of a scene: keeps the bridge's slot bound while the body is alive. */
export class BoundCharacter implements Present {
  readonly id: string;
  readonly body: Body | null;
  readonly #host: Host;
  #options: CharacterOptions;
  readonly #squad: Squad | undefined;
  readonly #object: unknown;
  #slot: CharacterSlot | undefined;
  #binding = 0;
  #bound = false;
  #over = false;
  #why: string | undefined;
  readonly #fallback: ChannelBrain | undefined;
  #brain: ChannelBrain | undefined;
  #driving: Driving | undefined;
  #driven = false;
  #watched = false;
  readonly #stops = new Set<() => void>();

  /** @throws TypeError for a wrong id, tools or fallback */
  constructor(host: Host, id: string, body: Body | Phaser.GameObjects.Group | null, options: CharacterOptions) {
    this.#host = host;
    this.id = id;
    this.#options = options;
    this.body = isGroup(body) ? null : body;
    if (isGroup(body)) {
      this.#squad = new Squad(body, { newId: (object) => host.newUnitId(id, object), gone: (unit) => this.#current?.unitGone(unit) });
      this.#squad.sync();
    }
    const { fallback = 'stop' } = options;
    this.#fallback =
      fallback === 'stop' || fallback === 'hold'
        ? undefined
        : toBrain(fallback, `character '${id}': fallback is neither 'stop' nor 'hold' nor a brain`);
    this.#brain = this.#fallback;
    this.#bind();
    const object = isGroup(body) ? body : body?.object;
    this.#object = object;
    if (isGroup(object) || isGameObject(object)) {
      const gone = () => this.#unbind();
      object.once('destroy', gone);
      this.#stops.add(() => object.off('destroy', gone));
    }
  }

  get driver(): Driver {
    return this.#current?.driver ?? 'none';
  }

  get mind(): string {
    return this.#current?.mind ?? '';
  }

  /** Whether it can be seen and act. */
  get present(): boolean {
    return this.#bound;
  }

  /** Whether it has another body than the later one of its id, and that is alive; or the same or none, and both came in one frame or from two scenes. */
  livesBeside(later: BoundCharacter): boolean {
    const mine = this.#object;
    if (mine === later.#object) return !this.#watched || this.#host !== later.#host;
    return (isGroup(mine) ? childrenOf(mine) : [mine]).some((each) => isGameObject(each) && isAlive(each));
  }

  figures(): Figure[] {
    if (this.#squad) return this.#squad.units();
    return this.body ? [{ id: this.id, body: this.body }] : [];
  }

  on(type: 'driver', listener: (driver: Driver) => void): () => void {
    const stop = this.#current?.on(type, listener);
    if (!stop) return () => undefined;
    this.#stops.add(stop);
    return () => {
      this.#stops.delete(stop);
      stop();
    };
  }

  drive(brain: Brain | null): void {
    const given = brain === null ? undefined : toBrain(brain, `character '${this.id}'.drive(brain): this is neither null nor a brain`);
    if (given && this.#why) this.#host.log(`aicc: character '${this.id}'.drive(brain): it was ${this.#why}`);
    if (this.#over || (given !== undefined && given === this.#brain && this.#driving?.ended === false)) return;
    this.#endBrain();
    this.#brain = given ?? this.#fallback;
    this.#wakeBrain();
  }

  takeOver(person: boolean): void {
    this.#current?.takeOver(person);
  }

  ask(question: Question): Promise<Decision> {
    const current = this.#current;
    return current?.ask(question) ?? Promise.reject(new ToolError('tool_unavailable', `ask('${this.id}'): the character is gone`, false));
  }

  emit(topic: GameTopic, payload: JsonObject, options: { dataClass?: string } = {}): void {
    // Between two runs of its scene the slot keeps what is said to it (AICC F5).
    if (this.#slot?.binding === this.#binding) this.#slot.emit(topic, payload, options);
  }

  setTools(tools: readonly Tool[]): void {
    this.#current?.setTools(tools);
    this.#options = { ...this.#options, tools };
  }

  remove(): void {
    const current = this.#current;
    this.end('removed');
    current?.remove();
  }

  /** A frame has passed: a body that was put back into a pool leaves, one that lives again comes back, and a lost driver is missed. */
  watch(): void {
    if (this.#over) return;
    this.#watched = true;
    const object = this.body?.object;
    if (isGameObject(object) && this.#bound !== isAlive(object)) {
      if (this.#bound) this.#unbind();
      else this.#bind();
    }
    this.#squad?.sync();
    const current = this.#current;
    const fallback = this.#fallback;
    if (!current || !this.#bound) return;
    if (fallback && this.#driving?.ended && this.#brain !== fallback) this.drive(null);
    const driven = current.driver !== 'none' || current.info.sessions > 0;
    if (this.#driven && !driven && (this.#options.fallback ?? 'stop') === 'stop') this.#halt();
    this.#driven = driven;
  }

  /** The scene's frame: `ms` of its time have passed. */
  moveBodies(ms: number): void {
    for (const { body } of this.figures()) if (body instanceof PlainBody || body instanceof MatterBody) body.advance(ms);
  }

  setPaused(paused: boolean): void {
    if (this.#bound) this.#current?.setPaused(paused);
  }

  /** It is over, as a rule with its scene's run: the slot waits for the next one (AICC C8). @param why else: what the game has done with it */
  end(why?: string): void {
    if (this.#over) return;
    this.#why = why;
    this.#endBrain();
    for (const stop of this.#stops) stop();
    this.#stops.clear();
    this.#unbind();
    this.#over = true;
    this.#squad?.end();
    this.#host.forget(this);
  }

  /** The slot while it is this run's: a later declaration of the same id takes it over. */
  get #current(): CharacterSlot | undefined {
    return !this.#over && this.#slot?.binding === this.#binding ? this.#slot : undefined;
  }

  #bind(): void {
    const host = this.#host;
    const squad = this.#squad;
    if (!host.bridge || (isGameObject(this.body?.object) && isDestroyed(this.body.object))) return;
    if (this.#slot && this.#slot.binding !== this.#binding) return;
    const { fallback: _plugins, ...options } = this.#options;
    const before = this.#slot;
    // Who comes back does not ask for what another has got meanwhile.
    if (before && (host.bridge.defaultCharacter ?? this.id) !== this.id) options.default = false;
    this.#slot = host.bridge.addCharacter(this.id, {
      ...options,
      ...(squad && { units: () => squad.units().map(({ id }) => id) }),
      extend: (base) => gameContext(base, host.scene, this, base.unit === undefined ? this.body : squad?.find(base.unit)?.body),
      mistake: (thrown) => host.log(`aicc: a listener to an abort of '${this.id}': ${describeThrown(thrown)}`),
    });
    this.#binding = this.#slot.binding;
    this.#bound = true;
    if (before && before !== this.#slot) this.#slot.inherit(before);
    if (host.paused) this.#slot.setPaused(true);
    this.#wakeBrain();
  }

  #unbind(): void {
    if (!this.#bound) return;
    this.#bound = false;
    this.#slot?.unbind(this.#binding);
  }

  #halt(): void {
    for (const { body } of this.figures()) body.stop?.();
  }

  /** Starts the brain, if there is one; again when its session ended while the body was away for too long. */
  #wakeBrain(): void {
    const { id } = this;
    const host = this.#host;
    const brain = this.#brain;
    if (!brain || !host.bridge || !this.#bound || this.#driving?.ended === false) return;
    let last = '';
    this.#driving = startBrain(host.bridge, id, brain, (thrown) => {
      const message = `aicc: the brain '${brain.kind}' of '${id}': ${describeThrown(thrown)}`;
      // One that goes wrong at each tick says so once.
      if (message !== last) host.log(message);
      last = message;
    });
  }

  #endBrain(): void {
    this.#driving?.stop();
    this.#driving = undefined;
    this.#brain = undefined;
  }
}
