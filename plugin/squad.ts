import type * as Phaser from 'phaser';
import { type Body, bodyOf } from './bodies/index.ts';
import { childrenOf, type GameObject, isAlive, isPlaced } from './compat.ts';
import { onDeath } from './on-death.ts';

/** Somebody to be seen: a character's body, or one unit of a squad. */
export interface Figure {
  readonly id: string;
  readonly body: Body;
}

interface Member extends Figure {
  /** Stops watching over its life. */
  forget(): void;
}

/** The living members of a group, each life with an id of its own, however often the game uses a body again (AICC D10). */
export class Squad {
  readonly group: Phaser.GameObjects.Group;
  readonly #events: {
    newId(object: GameObject): string;
    /** A life is over; its id never comes back. */
    gone(unit: string): void;
  };
  readonly #members = new Map<GameObject, Member>();

  constructor(
    group: Phaser.GameObjects.Group,
    events: {
      newId(object: GameObject): string;
      /** A life is over; its id never comes back. */
      gone(unit: string): void;
    },
  ) {
    this.group = group;
    this.#events = events;
  }

  /** Lets in who has come and out who has left the group. Who dies leaves at once. */
  sync(): void {
    const present = new Set(childrenOf(this.group));
    for (const object of [...this.#members.keys()]) if (!present.has(object) || !isAlive(object)) this.#leave(object);
    for (const object of present) if (!this.#members.has(object) && isAlive(object) && isPlaced(object)) this.#join(object);
  }

  units(): Figure[] {
    this.sync();
    return [...this.#members.values()];
  }

  find(unit: string): Figure | undefined {
    for (const member of this.#members.values()) if (member.id === unit) return member;
    return undefined;
  }

  /** Lets go of everybody; nobody is told. */
  end(): void {
    for (const { forget } of this.#members.values()) forget();
    this.#members.clear();
  }

  #join(object: GameObject): void {
    this.#members.set(object, { id: this.#events.newId(object), body: bodyOf(object), forget: onDeath(object, () => this.#leave(object)) });
  }

  #leave(object: GameObject): void {
    const member = this.#members.get(object);
    if (!member) return;
    this.#members.delete(object);
    member.forget();
    this.#events.gone(member.id);
  }
}
