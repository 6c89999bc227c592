import type { AgentHandler, AgentPort, Refusal } from '../bridge/agent-port.ts';
import { AiccError, CLOSE_CODES, type RefusedCall } from '../protocol/index.ts';
import type { Channel } from '../transport/index.ts';
import type { GameOutflow } from './game-outflow.ts';

export interface LinkedAgentOptions {
  /** The agent's number on the game's connection. */
  conn: number;
  port: AgentPort;
  /** The channel that the agent comes by. */
  channel: Channel;
  /** What leaves for the game. */
  out: GameOutflow;
  /** The agent is gone. */
  onLeft(clean: boolean): void;
}

/** One agent on a game's connection: first an opening that waits for its answer, then a session's traffic. */
export class LinkedAgent implements AgentHandler {
  readonly port: AgentPort;
  /** The game's answer to the opening. */
  readonly answer: Promise<AgentHandler | Refusal>;
  readonly #options: LinkedAgentOptions;
  #settle: (answer: AgentHandler | Refusal) => void = () => {};
  #sessionId = '';
  #character = '';
  #isOpen = false;

  constructor(options: LinkedAgentOptions) {
    this.port = options.port;
    this.#options = options;
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

  /** C6: the game's connection is gone. Closes an agent with a session, which may come back; refuses one that waits for an answer. */
  gameLost(): void {
    if (this.#isOpen) this.port.close(CLOSE_CODES.serviceRestart, 'The game is gone: connect again.');
    else this.refused({ error: new AiccError('tool_unavailable', 'The game went away while the session was being opened.'), absent: true });
  }

  message(text: string): void {
    const { channel, conn, out } = this.#options;
    out.line(conn, text, channel);
  }

  refusedCall(call: RefusedCall & { error: string }): void {
    this.#options.out.control({ type: 'refused_call', conn: this.#options.conn, call });
  }

  hold(held: boolean): void {
    this.#options.out.control({ type: held ? 'hold' : 'release', conn: this.#options.conn });
  }

  quiet(quiet: boolean): void {
    this.#options.out.control({ type: 'quiet', conn: this.#options.conn, quiet });
  }

  closed(clean: boolean): void {
    this.#options.onLeft(clean);
    this.refused({ error: new AiccError('tool_unavailable', 'The agent left.'), absent: false });
  }
}
