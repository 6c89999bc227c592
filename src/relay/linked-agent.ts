import type { AgentHandler, AgentPort, Refusal } from '../bridge/agent-port.ts';
import { AiccError, CLOSE_CODES, type RefusedCall } from '../protocol/index.ts';

/** What a linked agent may do on its game's link. */
export interface AgentLine {
  line(text: string): void;
  refusedCall(call: RefusedCall & { error: string }): void;
  hold(held: boolean): void;
  quiet(quiet: boolean): void;
  /** The agent is gone; tells the game unless the game knows. */
  left(clean: boolean): void;
}

/** One agent as a game link knows it: first an opening that waits for its answer, then a session's traffic. */
export class LinkedAgent implements AgentHandler {
  readonly port: AgentPort;
  /** The game's answer to the opening. */
  readonly answer: Promise<AgentHandler | Refusal>;
  readonly #line: AgentLine;
  #settle: (answer: AgentHandler | Refusal) => void = () => {};
  #sessionId = '';
  #character = '';
  #isOpen = false;

  constructor(port: AgentPort, line: AgentLine) {
    this.port = port;
    this.#line = line;
    this.answer = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  get character(): string {
    return this.#character;
  }

  opened(sessionId: string, character: string): void {
    this.#sessionId = sessionId;
    this.#character = character;
    this.#isOpen = true;
    this.#settle(this);
  }

  refused(refusal: Refusal): void {
    this.#settle(refusal);
  }

  /** C6: the game's link is gone. An agent with a session is closed and may come back; one that waited for an answer is refused. */
  gameLost(): void {
    if (this.#isOpen) this.port.close(CLOSE_CODES.serviceRestart, 'The game is gone: connect again.');
    else this.refused({ error: new AiccError('tool_unavailable', 'The game went away while the session was being opened.'), absent: true });
  }

  message(text: string): void {
    this.#line.line(text);
  }

  refusedCall(call: RefusedCall & { error: string }): void {
    this.#line.refusedCall(call);
  }

  hold(held: boolean): void {
    this.#line.hold(held);
  }

  quiet(quiet: boolean): void {
    this.#line.quiet(quiet);
  }

  closed(clean: boolean): void {
    this.#line.left(clean);
    this.refused({ error: new AiccError('tool_unavailable', 'The agent left.'), absent: false });
  }
}
