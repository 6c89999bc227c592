/** `key` and `code` of the keys that are neither letters nor digits, by `keyCode` on a US keyboard. */
const NAMED: Readonly<Record<number, readonly [key: string, code: string]>> = {
  8: ['Backspace', 'Backspace'],
  9: ['Tab', 'Tab'],
  13: ['Enter', 'Enter'],
  16: ['Shift', 'ShiftLeft'],
  17: ['Control', 'ControlLeft'],
  18: ['Alt', 'AltLeft'],
  27: ['Escape', 'Escape'],
  32: [' ', 'Space'],
  33: ['PageUp', 'PageUp'],
  34: ['PageDown', 'PageDown'],
  35: ['End', 'End'],
  36: ['Home', 'Home'],
  37: ['ArrowLeft', 'ArrowLeft'],
  38: ['ArrowUp', 'ArrowUp'],
  39: ['ArrowRight', 'ArrowRight'],
  40: ['ArrowDown', 'ArrowDown'],
  45: ['Insert', 'Insert'],
  46: ['Delete', 'Delete'],
  186: [';', 'Semicolon'],
  187: ['=', 'Equal'],
  188: [',', 'Comma'],
  189: ['-', 'Minus'],
  190: ['.', 'Period'],
  191: ['/', 'Slash'],
  192: ['`', 'Backquote'],
  219: ['[', 'BracketLeft'],
  220: ['\\', 'Backslash'],
  221: [']', 'BracketRight'],
  222: ["'", 'Quote'],
};

const MODIFIERS = { Shift: 16, Control: 17, Alt: 18, Meta: 91 } as const;

/**
 * What a key and its listeners are given: a DOM event's members, in a plain object, for Node has no `KeyboardEvent`. Phaser replaces
 * `stopPropagation` and `stopImmediatePropagation`, as it does on a real one.
 * @param held the key codes that are down together
 * @param timeStamp in the time of the game's loop, which keys compare it with
 */
export function keyEvent(type: 'keydown' | 'keyup', keyCode: number, held: readonly number[], timeStamp: number): KeyboardEvent {
  const isHeld = (modifier: keyof typeof MODIFIERS) => held.includes(MODIFIERS[modifier]);
  const target = globalThis.document?.body ?? null;
  const [key, code] = nameOf(keyCode, isHeld('Shift'));
  const event = {
    type,
    key,
    code,
    keyCode,
    which: keyCode,
    charCode: 0,
    location: 0,
    repeat: false,
    isComposing: false,
    altKey: isHeld('Alt'),
    ctrlKey: isHeld('Control'),
    metaKey: isHeld('Meta'),
    shiftKey: isHeld('Shift'),
    timeStamp,
    target,
    currentTarget: target,
    bubbles: true,
    cancelable: true,
    composed: true,
    isTrusted: false,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true;
    },
    stopPropagation() {},
    stopImmediatePropagation() {},
    composedPath: () => [],
    getModifierState: (name: string) => Object.hasOwn(MODIFIERS, name) && isHeld(name as keyof typeof MODIFIERS),
  };
  return event as unknown as KeyboardEvent;
}

function nameOf(keyCode: number, shift: boolean): readonly [key: string, code: string] {
  const letter = String.fromCharCode(keyCode);
  if (/[A-Z]/.test(letter)) return [shift ? letter : letter.toLowerCase(), `Key${letter}`];
  if (/[0-9]/.test(letter)) return [letter, `Digit${letter}`];
  if (keyCode >= 96 && keyCode <= 105) return [String(keyCode - 96), `Numpad${keyCode - 96}`];
  if (keyCode >= 112 && keyCode <= 123) return [`F${keyCode - 111}`, `F${keyCode - 111}`];
  return NAMED[keyCode] ?? ['Unidentified', ''];
}
