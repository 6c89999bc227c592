import type { ApprovalRequest } from 'phaser-aicc';

export type Answer = 'once' | 'session' | 'refuse';

/** What shows one question to the player. */
export interface ApprovalView {
  /** `answer` may be called once. `askedAt`: when it was asked, by `performance.now()`. */
  show(request: ApprovalRequest, askedAt: number, answer: (answer: Answer) => void): void;
  hide(): void;
}

/** More questions than these do not wait behind the one that is shown: they are refused. */
const mostWaiting = 8;
/** Sessions whose answers are remembered; the oldest is asked anew. */
const mostSessions = 64;

interface Question {
  readonly request: ApprovalRequest;
  readonly askedAt: number;
  settle(allowed: boolean): void;
}

/** The player's approvals: asks one question after the other, and remembers what is allowed for a whole session. */
export class Approvals {
  readonly #view: ApprovalView;
  readonly #waiting: Question[] = [];
  #shown: Question | undefined;
  /** By session, the tools that it may use without asking. */
  readonly #granted = new Map<string, Set<string>>();
  #isOpen = true;

  constructor(view: ApprovalView) {
    this.#view = view;
  }

  /** Resolves to the player's answer. A question whose call has ended goes away by itself. */
  ask(request: ApprovalRequest): Promise<boolean> {
    if (request.signal.aborted || (this.#shown && this.#waiting.length >= mostWaiting)) return Promise.resolve(false);
    if (this.#isGranted(request)) return Promise.resolve(true);
    if (!this.#isOpen) return Promise.resolve(false);
    return new Promise((resolve) => {
      const question = { request, askedAt: performance.now(), settle: resolve };
      request.signal.addEventListener('abort', () => this.#end(question, false), { once: true });
      this.#waiting.push(question);
      this.#showNext();
    });
  }

  /** A night begins: questions are asked. */
  open(): void {
    this.#isOpen = true;
  }

  /** The night is over: what is shown or waits is refused, and so is what would be asked until the next one. */
  close(): void {
    this.#isOpen = false;
    for (const question of this.#waiting.splice(0)) question.settle(false);
    if (this.#shown) this.#end(this.#shown, false);
  }

  #showNext(): void {
    if (this.#shown) return;
    const question = this.#waiting.shift();
    if (question === undefined) return;
    this.#shown = question;
    this.#view.show(question.request, question.askedAt, (answer) => this.#answered(question, answer));
  }

  #answered(question: Question, answer: Answer): void {
    if (this.#shown !== question) return;
    if (answer === 'session') {
      this.#grant(question.request);
      for (const other of [...this.#waiting]) if (this.#isGranted(other.request)) this.#end(other, true);
    }
    this.#end(question, answer !== 'refuse');
  }

  #end(question: Question, allowed: boolean): void {
    question.settle(allowed);
    const place = this.#waiting.indexOf(question);
    if (place >= 0) this.#waiting.splice(place, 1);
    if (this.#shown !== question) return;
    this.#shown = undefined;
    this.#view.hide();
    this.#showNext();
  }

  #grant(request: ApprovalRequest): void {
    const { session } = request;
    this.#granted.set(session, (this.#granted.get(session) ?? new Set()).add(actionOf(request)));
    const [oldest] = this.#granted.keys();
    if (this.#granted.size > mostSessions && oldest !== undefined) this.#granted.delete(oldest);
  }

  #isGranted(request: ApprovalRequest): boolean {
    return this.#granted.get(request.session)?.has(actionOf(request)) ?? false;
  }
}

/** What is allowed at once: what one of a squad may do another may not. */
const actionOf = ({ tool, unit = '' }: ApprovalRequest): string => `${tool} ${unit}`;
