const longest = 120;
const quick = ['Follow me', 'Wait here', 'Fetch oil', 'Light the lanterns', 'Hello!', 'Help'];

/** A line to type in, over the game. What is typed there never reaches the game's keys, and a line that was not sent is still there when it opens again. */
export class ChatBox {
  readonly #form: HTMLFormElement;
  readonly #input: HTMLInputElement;
  readonly #say: (text: string) => void;

  constructor(parent: HTMLElement, say: (text: string) => void) {
    this.#say = say;
    this.#form = document.createElement('form');
    this.#form.className = 'chat';
    this.#form.hidden = true;
    this.#input = document.createElement('input');
    this.#input.maxLength = longest;
    this.#input.placeholder = 'Say something to Mira, or # to note it';
    this.#input.autocomplete = 'off';
    this.#input.enterKeyHint = 'send';
    this.#input.setAttribute('aria-label', 'Say something');
    const chips = document.createElement('div');
    chips.className = 'chips';
    for (const words of quick) chips.append(this.#chip(words));
    this.#form.append(chips, this.#input);
    parent.append(this.#form);

    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      const line = this.#input.value;
      this.#input.value = '';
      this.#send(line);
    });
    for (const type of ['keydown', 'keyup', 'keypress'] as const) {
      this.#form.addEventListener(type, (event) => {
        event.stopPropagation();
        if (event.key === 'Escape') this.close();
      });
    }
    this.#form.addEventListener('focusout', (event) => {
      if (!this.#form.contains(event.relatedTarget as Node | null)) this.close();
    });
  }

  open(): void {
    this.#form.hidden = false;
    this.#input.focus();
  }

  close(): void {
    if (this.#form.hidden) return;
    this.#form.hidden = true;
    this.#input.blur();
  }

  #chip(words: string): HTMLButtonElement {
    const chip = document.createElement('button');
    chip.type = 'button';
    chip.textContent = words;
    chip.addEventListener('click', () => this.#send(words));
    return chip;
  }

  #send(text: string): void {
    const words = text.trim();
    this.close();
    if (words) this.#say(words);
  }
}
