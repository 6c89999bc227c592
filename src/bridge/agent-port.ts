import type { AiccError, OpenRequest, RefusedCall } from '../protocol/index.ts';

export type { OpenRequest };

/** The bridge's end of one agent connection. Sending never throws and never calls back synchronously. */
export interface AgentPort {
  /** Sends one AICC message as JSON text. */
  send(text: string): void;
  /** Ends the connection, with one of `CLOSE_CODES`. */
  close(code: number, reason: string): void;
}

/** What the bridge gives back for an accepted opening: where the connection's traffic goes. `session_init` has been sent by then. */
export interface AgentHandler {
  /** The session's UUID. */
  readonly sessionId: string;
  /** The id of its character. */
  readonly character: string;
  /** One message that passed A3 (except the session id, C1). */
  message(text: string): void;
  /** A7: a `tool_call` that failed the schema but whose `call_id` could be read. */
  refusedCall(call: RefusedCall & { error: string }): void;
  /** Flow control: the connection takes no more for now, or does again (AICC F4). */
  hold(held: boolean): void;
  /** Nothing has been heard on a connection that cannot prove that it lives, for so long that the agent may be gone; or it speaks again (AICC C9). */
  quiet(quiet: boolean): void;
  /** The connection ended. `clean`: in order (C4). */
  closed(clean: boolean): void;
}

/** Why an opening was refused. `absent`: the character is not there (yet), so a caller with `wait_ms` may wait for it. */
export interface Refusal {
  /** What the agent is told. */
  readonly error: AiccError;
  /** Whether it is worth waiting: the character may come. */
  readonly absent: boolean;
}
