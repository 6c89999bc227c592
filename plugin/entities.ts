import type * as Phaser from 'phaser';
import { checkOptions, type OptionKind } from '../src/base/check-options.ts';
import type { Json } from '../src/base/json.ts';
import {
  boundsOf,
  childrenOf,
  type GameObject,
  isAlive,
  isGameObject,
  isGroup,
  isPlaced,
  type Placed,
  type Rect,
  worldPosition,
  type XY,
} from './compat.ts';
import { numbered } from './ids.ts';

/** What a declared thing is and tells. The callbacks are asked when somebody looks. */
export interface EntityOptions<T> {
  /** A short noun that an agent understands: `coin`, `door`, `player`. */
  kind: string;
  /** Default `KIND_1`, `KIND_2`, … in order of appearance; every new life of a pooled object gets a new one. */
  id?(object: T): string;
  /** What can be seen of it: `{ lit: true }`. */
  state?(object: T): Json;
  /** Not seen, and no target, while true. */
  hidden?(object: T): boolean;
  /** One cannot look through it. Default false. */
  blocksSight?: boolean;
}

/** Something that sensors may see and tools may target. */
export interface Entity {
  /** What agents call it. */
  readonly id: string;
  /** What it is, as declared. */
  readonly kind: string;
  /** The game's own object. */
  readonly object: unknown;
  /** Where it is, in world pixels. */
  position(): XY;
  /** The room it takes, in world pixels. */
  bounds(): Rect;
  /** What can be seen of it; undefined when nothing was declared. */
  state(): Json | undefined;
}

const OPTIONS: Record<keyof EntityOptions<never>, OptionKind> = {
  kind: 'string',
  id: 'function',
  state: 'function',
  hidden: 'function',
  blocksSight: 'boolean',
};

interface Source {
  from: GameObject | readonly GameObject[] | Phaser.GameObjects.Group;
  options: EntityOptions<GameObject>;
}

interface Entry extends Entity {
  readonly object: Placed;
  readonly options: EntityOptions<GameObject>;
  seen: number;
}

/** So many custom ids of things that are gone are remembered, to tell "gone" from "never was". */
const REMEMBERED_IDS = 256;

/** The declared things of one run of a scene, followed live: groups and arrays are read anew at each look. */
export class Entities {
  readonly #sources: Source[] = [];
  readonly #entries = new Map<Placed, Entry>();
  readonly #byId = new Map<string, Entry>();
  readonly #counters = new Map<string, number>();
  readonly #gone = new Set<string>();
  /** Numbers left out because somebody else bears them. */
  readonly #skipped = new Set<string>();
  readonly #taken: (id: string, object: unknown) => boolean;
  #round = 0;

  /** @param taken whether somebody else than that object bears the id */
  constructor(taken: (id: string, object: unknown) => boolean = () => false) {
    this.#taken = taken;
  }

  /** @throws TypeError when it is neither a game object, an array of them, nor a group, or has no kind */
  add<T extends GameObject>(from: T | readonly T[] | Phaser.GameObjects.Group, options: EntityOptions<T>): void {
    const where = `entities(…, { kind: ${JSON.stringify(options?.kind)} })`;
    if (typeof options?.kind !== 'string' || options.kind === '') throw new TypeError(`${where}: kind must be a short noun like 'coin'`);
    checkOptions(where, options, OPTIONS);
    const list = isGroup(from) ? [] : Array.isArray(from) ? from : [from];
    const wrong = list.find((object) => !isGameObject(object) || !isPlaced(object));
    if (wrong !== undefined || from === undefined || from === null) {
      throw new TypeError(`${where}: give a game object with x and y, an array of them, or a group, not ${String(wrong ?? from)}`);
    }
    this.#sources.push({ from, options: options as EntityOptions<GameObject> });
    this.sync();
  }

  /** Gives ids to what has come and takes them from what has gone. Called every frame; never throws. */
  sync(): void {
    this.#round++;
    for (const { from, options } of this.#sources) {
      if (isGroup(from)) for (const object of childrenOf(from)) this.#meet(object, options);
      else if (Array.isArray(from)) for (const object of from as readonly GameObject[]) this.#meet(object, options);
      else this.#meet(from as GameObject, options);
    }
    for (const entry of this.#entries.values()) if (entry.seen !== this.#round) this.#forget(entry);
  }

  /** What can be seen now (hidden ones left out). */
  visible(): Entity[] {
    this.sync();
    return [...this.#entries.values()].filter((entry) => !entry.options.hidden?.(entry.object));
  }

  /** The living, not hidden thing of that id. */
  find(id: string): Entity | undefined {
    let entry = this.#byId.get(id);
    if (!entry || !isAlive(entry.object)) {
      this.sync();
      entry = this.#byId.get(id);
    }
    return entry && !entry.options.hidden?.(entry.object) ? entry : undefined;
  }

  /** What the object was declared as, hidden or not. */
  of(object: unknown): Entity | undefined {
    return this.#entries.get(object as Placed);
  }

  isHidden(object: unknown): boolean {
    const entry = this.#entries.get(object as Placed);
    return entry?.options.hidden?.(entry.object) ?? false;
  }

  /** Whether a thing of that id has been here, and is no more. */
  wasHere(id: string): boolean {
    const { stem, number } = numbered(id);
    return this.#gone.has(id) || (number <= (this.#counters.get(stem) ?? 0) && !this.#skipped.has(id) && !this.#byId.has(id));
  }

  /** Whether a living thing bears that id, hidden or not. */
  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Whether something else than that object bears that id, or has borne it. */
  hadOther(id: string, object: unknown): boolean {
    const bearer = this.#byId.get(id);
    return bearer ? bearer.object !== object : this.wasHere(id);
  }

  /** Rectangles of what one cannot look through, the given objects left out. */
  screens(...except: unknown[]): Rect[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.options.blocksSight && !except.includes(entry.object) && isAlive(entry.object))
      .map((entry) => entry.bounds());
  }

  #meet(object: GameObject, options: EntityOptions<GameObject>): void {
    if (!isAlive(object) || !isPlaced(object)) return;
    const known = this.#entries.get(object);
    // A character that came later goes by its own id.
    if (known && !this.#taken(known.id, object)) {
      known.seen = this.#round;
      return;
    }
    if (known) {
      this.#byId.delete(known.id);
      this.#skipped.add(known.id);
    }
    const entry: Entry = {
      id: this.#newId(object, options),
      kind: options.kind,
      object,
      options,
      seen: this.#round,
      position: () => worldPosition(object),
      bounds: () => boundsOf(object),
      state: () => options.state?.(object),
    };
    this.#entries.set(object, entry);
    this.#byId.set(entry.id, entry);
    this.#gone.delete(entry.id);
  }

  #newId(object: GameObject, options: EntityOptions<GameObject>): string {
    let wanted: string | undefined;
    try {
      wanted = options.id?.(object);
    } catch {
      // The game's mistake must not stop its loop: the thing gets a number instead.
    }
    if (typeof wanted === 'string' && wanted !== '' && !this.#isBorne(wanted, object)) return wanted;
    const stem = typeof wanted === 'string' && wanted !== '' ? wanted : options.kind;
    for (let number = (this.#counters.get(stem) ?? 0) + 1; ; number++) {
      const id = `${stem}_${number}`;
      this.#counters.set(stem, number);
      if (!this.#isBorne(id, object)) return id;
      if (!this.#byId.has(id)) this.#skipped.add(id);
    }
  }

  #isBorne(id: string, object: unknown): boolean {
    return this.#byId.has(id) || this.#taken(id, object);
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry.object);
    this.#byId.delete(entry.id);
    this.#gone.add(entry.id);
    if (this.#gone.size > REMEMBERED_IDS) this.#gone.delete(this.#gone.values().next().value!);
  }
}
