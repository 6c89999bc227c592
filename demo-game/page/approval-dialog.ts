import type { ApprovalRequest, JsonObject } from 'phaser-aicc';
import { LIMITS } from 'phaser-aicc/protocol';
import type { Answer, ApprovalView } from './approvals.ts';
import { visibleStart, visibleText } from './visible-text.ts';

/** Whoever was pressing something when the question came has not answered it. Milliseconds. */
const deafMs = 500;
const longestName = 80;
const longestInput = 4000;
const longestLine = 60;

const names: Record<string, string> = { mira: 'Mira', old_tam: 'Old Tam' };
const choices: readonly (readonly [Answer, string])[] = [
  ['refuse', 'Refuse'],
  ['once', 'Allow once'],
  ['session', 'Allow for this session'],
];

/**
 * A question over the game: who asks, what for, with which input. The game goes on. It takes the keys, unless somebody types: then it waits for them
 * until the typing is over. What is pressed in it never reaches the game.
 */
export class ApprovalDialog implements ApprovalView {
  readonly #parent: HTMLElement;
  readonly #shows: () => void;
  readonly #box = document.createElement('section');
  readonly #title = document.createElement('h2');
  readonly #who = document.createElement('dd');
  readonly #what = document.createElement('dd');
  readonly #input = document.createElement('pre');
  readonly #time = document.createElement('div');
  #answer: ((answer: Answer) => void) | undefined;
  #shown: AbortController | undefined;
  #isDeaf = true;
  /** Whether the press that is going on began while it was. */
  #pressedDeaf: boolean | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `shows`: called before each question. */
  constructor(parent: HTMLElement, shows: () => void) {
    this.#parent = parent;
    this.#shows = shows;
    const box = this.#box;
    box.className = 'approval';
    box.hidden = true;
    box.tabIndex = -1;
    box.setAttribute('role', 'alertdialog');
    box.setAttribute('aria-labelledby', 'approval-title');
    box.setAttribute('aria-describedby', 'approval-what');
    this.#title.id = 'approval-title';
    this.#time.className = 'approval-time';
    this.#input.tabIndex = 0;
    const list = document.createElement('dl');
    list.id = 'approval-what';
    const input = document.createElement('dd');
    input.append(this.#input);
    list.append(term('Who'), this.#who, term('What'), this.#what, term('Input'), input);
    const buttons = document.createElement('div');
    buttons.className = 'approval-buttons';
    for (const [answer, label] of choices) buttons.append(this.#button(answer, label));
    box.append(this.#title, list, this.#time, buttons);
    box.addEventListener('pointerdown', () => {
      this.#pressedDeaf = this.#isDeaf;
    });
    parent.append(box);
  }

  show(request: ApprovalRequest, askedAt: number, answer: (answer: Answer) => void): void {
    this.#shows();
    const character = names[request.character] ?? visibleText(request.character);
    this.#title.textContent = `May ${character} do this?`;
    this.#who.textContent = `${visibleStart(request.principal, longestName)}, driving ${character}`;
    this.#what.textContent = visibleText(request.unit === undefined ? request.tool : `${request.tool} with ${request.unit}`);
    this.#input.textContent = visibleStart(written(request.input), longestInput);
    this.#input.scrollTop = 0;
    this.#answer = answer;
    this.#box.hidden = false;
    this.#runOut(LIMITS.approvalMs, performance.now() - askedAt);
    this.#listen();
    if (isTyping(document.activeElement)) this.#beDeaf();
    else this.#takeKeys();
  }

  hide(): void {
    this.#answer = undefined;
    this.#box.hidden = true;
    clearTimeout(this.#timer);
    this.#shown?.abort();
  }

  #button(answer: Answer, label: string): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.answer = answer;
    button.textContent = label;
    button.addEventListener('click', () => {
      const counts = !(this.#pressedDeaf ?? this.#isDeaf);
      this.#pressedDeaf = undefined;
      if (counts) this.#answer?.(answer);
    });
    return button;
  }

  #listen(): void {
    this.#shown = new AbortController();
    const { signal } = this.#shown;
    // Before the game, which listens at the window.
    for (const type of ['keydown', 'keyup', 'keypress'] as const)
      document.addEventListener(type, (event) => this.#key(event), { capture: true, signal });
    // A click into the game gives it the keys back.
    document.addEventListener('pointerdown', ({ target }) => this.#holds(target) || this.#letKeysGo(), { capture: true, signal });
    this.#parent.addEventListener(
      'focusout',
      ({ target, relatedTarget }) => {
        if (isTyping(target) && relatedTarget === null) this.#takeKeys();
      },
      { signal },
    );
  }

  #key(event: KeyboardEvent): void {
    const { target, key } = event;
    const escapes = key === 'Escape' && !isTyping(target);
    if (!this.#holds(target) && !escapes) return;
    event.stopPropagation();
    const button = target instanceof HTMLButtonElement && (key === 'Enter' || key === ' ') ? target : undefined;
    if (!escapes && button === undefined) return;
    // Held keys would press again and again, and a space bar when it comes up.
    event.preventDefault();
    if (event.type !== 'keydown' || event.repeat || this.#isDeaf) return;
    this.#answer?.(escapes ? 'refuse' : (button?.dataset.answer as Answer));
  }

  /** Not to a button: nobody should allow, or refuse, what they have not read. */
  #takeKeys(): void {
    this.#beDeaf();
    this.#box.focus({ preventScroll: true });
  }

  #letKeysGo(): void {
    if (document.activeElement instanceof HTMLElement && this.#holds(document.activeElement)) document.activeElement.blur();
  }

  #beDeaf(): void {
    this.#isDeaf = true;
    this.#pressedDeaf = undefined;
    delete this.#box.dataset.hears;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isDeaf = false;
      this.#box.dataset.hears = '';
    }, deafMs);
  }

  #runOut(ms: number, goneMs: number): void {
    for (const running of this.#time.getAnimations()) running.cancel();
    const shrinking = this.#time.animate({ transform: ['scaleX(1)', 'scaleX(0)'] }, { duration: ms, fill: 'forwards' });
    shrinking.currentTime = goneMs;
  }

  #holds(target: EventTarget | null): boolean {
    return target instanceof Node && this.#box.contains(target);
  }
}

/** JSON, in one line where it is short. */
function written(input: JsonObject): string {
  const text = JSON.stringify(input, null, 2);
  // Within a text a line break is written as \n, so these are only those between members.
  return text.length > longestLine ? text : text.replace(/\n\s*/g, ' ');
}

function term(text: string): HTMLElement {
  const made = document.createElement('dt');
  made.textContent = text;
  return made;
}

const isTyping = (target: EventTarget | null): boolean => target instanceof HTMLInputElement;
