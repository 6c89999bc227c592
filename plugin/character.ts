import type * as Phaser from 'phaser';
import type { Brain } from '../src/agent/index.ts';
import type { Bridge, CharacterSlot, Driver, GameTopic, Tool } from '../src/bridge/index.ts';
import type { JsonObject } from '../src/protocol/index.ts';
import type { Body } from './bodies/index.ts';
import { type Driving, startBrain } from './brain.ts';
import { isAlive, isDestroyed, isGameObject } from './compat.ts';
import { gameContext } from './context.ts';

export interface CharacterOptions {
  /** Who it is and what it is there for, for agents to read. */
  description: string;
  tools: readonly Tool[];
  /** Taken by an agent that names no character. Default false. */
  default?: boolean;
  /** How many agents may share it. Default 1. */
  maxSessions?: number;
  /** Wall milliseconds for which its agents wait for a new body after a death or restart. Default 10,000. */
  rebindMs?: number;
}

/** A body (or a role without one) that agents can drive, as one run of a scene declared it. After that run everything here does nothing. */
export interface Character {
  readonly id: string;
  readonly body: Body | null;
  readonly driver: Driver;
  /** What kind of mind drives: the brain's kind, or the model class that the agent declared; empty for nobody and for persons. */
  readonly mind: string;
  /** Told when somebody else begins to drive. Returns the way to stop listening; the run's end stops it too. */
  on(type: 'driver', listener: (driver: Driver) => void): () => void;
  /** Gives it an in-page driver, in place of an earlier one; it steps back while an agent or a person holds the character. null: none. */
  drive(brain: Brain | null): void;
  /** A person drives it now (true), or no longer. */
  takeOver(person: boolean): void;
  /** Tells its agents something. */
  emit(topic: GameTopic, payload: JsonObject): void;
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
}

/** A character of one run of a scene: keeps the bridge's slot bound while the body is alive. */
export class BoundCharacter implements Character {
  private slot: CharacterSlot | undefined;
  private binding = 0;
  private bound = false;
  private over = false;
  private brain: Brain | undefined;
  private driving: Driving | undefined;
  private readonly stops = new Set<() => void>();

  /** @throws TypeError for a wrong id or tools */
  constructor(
    private readonly host: Host,
    readonly id: string,
    readonly body: Body | null,
    private options: CharacterOptions,
  ) {
    this.bind();
    const object = this.body?.object;
    if (isGameObject(object)) {
      const gone = () => this.unbind();
      object.once('destroy', gone);
      this.stops.add(() => object.off('destroy', gone));
    }
  }

  get driver(): Driver {
    return this.current?.driver ?? 'none';
  }

  get mind(): string {
    return this.current?.mind ?? '';
  }

  /** Whether it can be seen and act. */
  get present(): boolean {
    return this.bound;
  }

  on(type: 'driver', listener: (driver: Driver) => void): () => void {
    const stop = this.current?.on(type, listener);
    if (!stop) return () => undefined;
    this.stops.add(stop);
    return () => {
      this.stops.delete(stop);
      stop();
    };
  }

  drive(brain: Brain | null): void {
    if (brain !== null && typeof brain?.start !== 'function')
      throw new TypeError(`character '${this.id}'.drive(brain): a brain has kind and start(session), or is null`);
    if (this.over || (brain !== null && brain === this.brain && this.driving?.ended === false)) return;
    this.endBrain();
    this.brain = brain ?? undefined;
    this.wakeBrain();
  }

  takeOver(person: boolean): void {
    this.current?.takeOver(person);
  }

  emit(topic: GameTopic, payload: JsonObject): void {
    this.current?.emit(topic, payload);
  }

  setTools(tools: readonly Tool[]): void {
    this.current?.setTools(tools);
    this.options = { ...this.options, tools };
  }

  remove(): void {
    const { current } = this;
    this.end();
    current?.remove();
  }

  /** A frame has passed: a body that was put back into a pool leaves, one that lives again comes back. */
  watch(): void {
    const object = this.body?.object;
    if (this.over || !isGameObject(object)) return;
    if (this.bound && !isAlive(object)) this.unbind();
    else if (!this.bound && isAlive(object)) this.bind();
  }

  setPaused(paused: boolean): void {
    if (this.bound) this.current?.setPaused(paused);
  }

  /** The run of its scene is over: the slot waits for the next one (AICC C8). */
  end(): void {
    if (this.over) return;
    this.endBrain();
    for (const stop of this.stops) stop();
    this.stops.clear();
    this.unbind();
    this.over = true;
    this.host.forget(this);
  }

  /** The slot while it is this run's: a later declaration of the same id takes it over. */
  private get current(): CharacterSlot | undefined {
    return !this.over && this.slot?.binding === this.binding ? this.slot : undefined;
  }

  private bind(): void {
    const { host } = this;
    if (!host.bridge || (isGameObject(this.body?.object) && isDestroyed(this.body.object))) return;
    if (this.slot && this.slot.binding !== this.binding) return;
    this.slot = host.bridge.addCharacter(this.id, { ...this.options, extend: (base) => gameContext(base, host.scene, this) });
    this.binding = this.slot.binding;
    this.bound = true;
    if (host.paused) this.slot.setPaused(true);
    this.wakeBrain();
  }

  private unbind(): void {
    if (!this.bound) return;
    this.bound = false;
    this.slot?.unbind(this.binding);
  }

  /** Starts the brain, if there is one; again when its session ended while the body was away for too long. */
  private wakeBrain(): void {
    const { bridge } = this.host;
    if (this.brain && bridge && this.bound && this.driving?.ended !== false) this.driving = startBrain(bridge, this.id, this.brain);
  }

  private endBrain(): void {
    this.driving?.stop();
    this.driving = undefined;
    this.brain = undefined;
  }
}
