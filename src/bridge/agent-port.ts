import type { AiccError, ModelDeclaration } from '../protocol/index.ts';

/**
 * What an agent asked for (AICC B1), checked, with what its token grants. It is also what the relay puts on the game link, hence snake_case.
 * `world` is not here: who routes to a world has used it up.
 */
export interface OpenRequest {
  /** Absent: the character marked default. */
  character?: string;
  agent_model?: ModelDeclaration;
  event_subscriptions?: string[];
  observe?: boolean;
  /** A session to take up again instead of opening one (C5). */
  resume?: string;
  last_seq?: number;
  /** Who asks: a token's name, an offer's counterparty, or `anonymous`. */
  principal: string;
  /** What the token grants; absent: the world's default (G2). */
  capabilities?: string[];
  /** Characters that the token may drive; absent: all. */
  characters?: string[];
}

/** The bridge's end of one agent connection. Sending never throws and never calls back synchronously. */
export interface AgentPort {
  send(text: string): void;
  /** Ends the connection: 1000 after a session_close, 4001 replaced by a resume, 1012 the game is gone, 1013 too slow … */
  close(code: number, reason: string): void;
}

/** What the bridge gives back for an accepted opening: where the connection's traffic goes. `session_init` has been sent by then. */
export interface AgentHandler {
  readonly sessionId: string;
  readonly character: string;
  /** One message that passed A3 (except the session id, C1). */
  message(text: string): void;
  /** A7: a `tool_call` that failed the schema but whose `call_id` could be read. */
  refusedCall(call: { call_id: string; message_id?: string; content: string; error: string }): void;
  /** The connection ended. `clean`: with code 1000 (C4). */
  closed(clean: boolean): void;
}

/** Why an opening was refused. `absent`: the character is not there (yet), so a caller with `wait_ms` may wait for it. */
export interface Refusal {
  error: AiccError;
  absent: boolean;
}

/** What is told about a character to those who may see it. */
export interface CharacterInfo {
  id: string;
  description: string;
  default: boolean;
  sessions: number;
  max_sessions: number;
  driver: 'none' | 'builtin' | 'person' | 'agent';
}
