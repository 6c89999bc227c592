import type * as Phaser from 'phaser';
import { keyEvent } from './key-event.ts';

type Key = Phaser.Input.Keyboard.Key;
type Keyboard = Phaser.Input.Keyboard.KeyboardPlugin;

/** What a scene that takes no keys is, by its status. */
const RESTING: Readonly<Record<number, string>> = { 6: 'paused', 7: 'asleep' };

/** A key of the game, pressed as a person's keyboard would: through the game's keyboard where it has one, so that everything that listens hears it. */
export class GameKey {
  readonly name: string;
  readonly code: number;
  /** Where the key was registered; undefined for one that the game made and reads by itself. */
  readonly #keyboard: Keyboard | undefined;
  readonly #given: Key;
  #pressed: Key | undefined;

  constructor(name: string, key: Key) {
    this.name = name;
    this.code = key.keyCode;
    this.#given = key;
    const keyboard = key.plugin as Keyboard | null | undefined;
    this.#keyboard = keyboard?.keys?.[key.keyCode] === key ? keyboard : undefined;
  }

  /** Whether it is still down as this press left it. */
  get isHeld(): boolean {
    return this.#pressed?.isDown === true && this.#pressed === this.#key && this.whyNot() === undefined;
  }

  /** Why the game takes no press of it now; undefined when it does. */
  whyNot(): string | undefined {
    const key = this.#key;
    const keyboard = this.#keyboard;
    if (key === undefined) return 'the game has removed it';
    if (!key.enabled) return 'the game has disabled it';
    if (keyboard === undefined) return undefined;
    if (!keyboard.enabled || !keyboard.manager.enabled) return 'the game has turned its keyboard off';
    const { sys } = keyboard.scene;
    if (!sys.canInput()) return `its scene '${sys.settings.key}' is ${RESTING[sys.settings.status] ?? 'not running'}`;
    return undefined;
  }

  /**
   * @param held the codes of the keys that are pressed together
   * @returns whether the press reached the key; a listener may have let it go again already
   */
  press(held: readonly number[], loop: Phaser.Core.TimeStep): boolean {
    const key = this.#key;
    const event = keyEvent('keydown', this.code, held, loop.time);
    // First, for a listener may end the call, which lets go.
    this.#pressed = key;
    this.#send(event, (own) => own.onDown(event));
    return key?.originalEvent === event;
  }

  /** Phaser reckons how long a key is down by its loop's clock, which stands still where something else makes the frames. */
  heldFor(ms: number, loop: Phaser.Core.TimeStep): void {
    if (this.#pressed) this.#pressed.timeDown = loop.time - ms;
  }

  /** Lets it go, whatever the game has done to it meanwhile. */
  release(held: readonly number[], loop: Phaser.Core.TimeStep): void {
    const key = this.#pressed;
    this.#pressed = undefined;
    if (!key?.isDown) return;
    const event = keyEvent('keyup', this.code, held, loop.time);
    this.#send(event, (own) => own.onUp(event));
    // Disabled meanwhile, it does not listen: it would be down for good.
    if (key.isDown) key.reset();
  }

  /** The game may have made another one for the same code. */
  get #key(): Key | undefined {
    return this.#keyboard === undefined ? this.#given : this.#keyboard.keys[this.code];
  }

  /** A listener that throws is the game's own mistake, and told as the browser tells one. */
  #send(event: KeyboardEvent, direct: (key: Key) => void): void {
    const manager = this.#keyboard?.manager as KeyboardManager | null | undefined;
    const waiting = manager?.queue;
    try {
      if (manager) {
        // Alone in the queue, for Phaser goes through all of it again at each event.
        manager.queue = [event];
        manager.manager.events.emit('process');
      } else if (this.#keyboard === undefined) direct(this.#given);
    } catch (thrown) {
      globalThis.reportError?.(thrown);
    } finally {
      if (manager && waiting) manager.queue = waiting;
    }
  }
}

/** What Phaser's types keep private. */
interface KeyboardManager {
  queue: KeyboardEvent[];
  manager: Phaser.Input.InputManager;
}
