import type { Json, JsonObject } from '../base/json.ts';
/** The nine AICC 0.1 messages as TypeScript types. The schema beside this file decides what is valid; a test keeps the two in step. */
import type { ErrorCode } from './errors.ts';

/** The protocol's name and version, in every message (AICC A4). */
export const PROTOCOL = 'aicc/0.1';
/** Stands for "no session yet" (AICC A7, B3). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** How a world's time moves (AICC E1–E3). */
export const TICK_MODES = ['fixed', 'event', 'hybrid'] as const;
/** One of `TICK_MODES`. */
export type TickMode = (typeof TICK_MODES)[number];
/** What a world says it is, for agents to read (AICC B2). */
export const WORLD_KINDS = ['2d', '3d', 'text', 'abstract'] as const;
/** One of `WORLD_KINDS`. */
export type WorldKind = (typeof WORLD_KINDS)[number];
/** Classes of model speed, from the fastest to the slowest (AICC E5). */
export const MODEL_CLASSES = ['edge_small', 'edge_medium', 'cloud_medium', 'cloud_large'] as const;
/** One of `MODEL_CLASSES`. */
export type ModelClass = (typeof MODEL_CLASSES)[number];
/** A sensor reads, an actuator acts, a generator makes content. */
export const TOOL_CLASSES = ['sensor', 'actuator', 'generator'] as const;
/** One of `TOOL_CLASSES`. */
export type ToolClass = (typeof TOOL_CLASSES)[number];
/** Topics that an agent can subscribe to (AICC F1). */
export const TOPICS = ['tick', 'collision', 'audio', 'state_change', 'agent_message'] as const;
/** One of `TOPICS`. */
export type Topic = (typeof TOPICS)[number];

/** Members that every message has. */
export interface Envelope<T extends string> {
  /** Always `aicc/0.1`. */
  protocol: typeof PROTOCOL;
  /** Which of the nine messages it is. */
  type: T;
  /** The session's UUID; the nil UUID before there is one. */
  session_id: string;
  /** A fresh UUID; an answer repeats the id of the message that it answers (AICC A7, C3). */
  message_id: string;
}

/** What went wrong, as it stands on the wire. */
export interface WireError {
  /** What went wrong, one of the eight codes of AICC. */
  code: ErrorCode;
  /** One sentence for the agent to act on. */
  message: string;
  /** Whether the same thing may succeed later. */
  retryable: boolean;
}

/** Members the bridge adds to results and events (AICC D15, F2). */
export interface Meta {
  /** The world's tick when it was sent. */
  tick?: number;
  /** Milliseconds of wall time from a call's receipt to its result. */
  latency_ms?: number;
  /** Who answered: `bridge`. */
  source?: string;
  /** The session's counter over results and events; give it as `last_seq` to resume (AICC C5). */
  seq?: number;
  /** Whatever else the bridge adds: `reason`, `snapshot`, `dropped`, `retry_after_ms`. */
  [more: string]: Json | undefined;
}

/** How fast an agent's model answers, as the agent says (AICC E5). */
export interface ModelDeclaration {
  /** Its class of speed. */
  class: ModelClass;
  /** Milliseconds of wall time. */
  expected_first_token_ms?: number;
  /** Milliseconds of wall time for one whole decision. */
  expected_full_response_ms?: number;
}

/** One tool as the catalogue lists it. */
export interface CatalogueTool {
  /** What `tool_call` names. */
  id: string;
  /** Sensor, actuator or generator. */
  class: ToolClass;
  /** What the tool does and its side effects, for the agent to read. */
  description: string;
  /** JSON Schema 2020-12 of the input. */
  input_schema: JsonObject;
  /** JSON Schema 2020-12 of the output. */
  output_schema: JsonObject;
  /** How often the tool may be called (AICC D7). */
  limits?: {
    /** Calls within 60 s of wall time, per character and principal. */
    calls_per_minute?: number;
    /** Calls of one session. */
    calls_per_session?: number;
  };
  /** The capability that a session must hold to call it (AICC D3). */
  requires_capability?: string;
  /** Undeclared input members are refused instead of dropped (AICC D6). */
  strict_input?: boolean;
}

/** Reserved capability names that the catalogue uses, by class (AICC G1). */
export interface Capabilities {
  /** Names that sensors use. */
  sensors: string[];
  /** Names that actuators use. */
  actuators: string[];
  /** Names that generators use. */
  generators: string[];
}

/** What a session may do: the session_init members without the ids; also a heartbeat's `manifest_update`. */
export interface Manifest {
  /** Ticks per second of world time. */
  tick_rate_hz: number;
  /** How the world's time moves (AICC E1–E3). */
  tick_mode: TickMode;
  /** The world's name and kind. */
  world: {
    /** What agents find the world by. */
    name: string;
    /** What the world says it is. */
    kind: WorldKind;
  };
  /** How fast the bridge takes the agent's model to be (AICC B2, E5). */
  agent_model: ModelDeclaration;
  /** Capability names that the catalogue uses. */
  capabilities: Capabilities;
  /** The whole catalogue of this session. */
  tools: CatalogueTool[];
  /** Topics that the session gets. */
  event_subscriptions?: string[];
}

/** The bridge opens or resumes a session (AICC B2). */
export type SessionInit = Envelope<'session_init'> & Manifest;
/** The agent asks for its session again (AICC C5). */
export type SessionResume = Envelope<'session_resume'>;
/** Either side ends the session (AICC C7). */
export type SessionClose = Envelope<'session_close'> & {
  /** Why, in words. */
  reason?: string;
};
/** The agent asks for the catalogue (AICC B3, C2). */
export type ManifestRequest = Envelope<'manifest_request'>;
/** The agent calls a tool (AICC D1). */
export type ToolCall = Envelope<'tool_call'> & {
  /** The call's own id: the same id never runs twice (AICC D1). */
  call_id: string;
  /** The tool's id in the catalogue. */
  tool: string;
  /** What the tool gets. */
  input: JsonObject;
};
/** The outcome of one call (AICC D13–D15). */
export type ToolResult = Envelope<'tool_result'> & {
  /** The id of the call. */
  call_id: string;
  /** Whether there is an `output`; else there is an `error`. */
  ok: boolean;
  /** What the tool returned. */
  output?: JsonObject;
  /** Why the call failed. */
  error?: WireError;
  /** When and how fast it was answered, and why it failed (AICC D15). */
  meta?: Meta;
};
/** Something happened (AICC F1, F2). */
export type EventMessage = Envelope<'event'> & {
  /** What kind of event it is. */
  topic: Topic;
  /** What happened (AICC F2). */
  payload: JsonObject;
  /** The tick and the session's counter (AICC F2). */
  meta?: Meta;
};
/** The answer to a message that could not be handled (AICC A7). */
export type ErrorMessage = Envelope<'error'> & {
  /** What went wrong. */
  error: WireError;
};
/** A sign of life, with the catalogue when it changed (AICC C3). */
export type Heartbeat = Envelope<'heartbeat'> & {
  /** The whole new catalogue: the members of `session_init` without the ids. */
  manifest_update?: Manifest & {
    /** Always `aicc/0.1`. */
    protocol: typeof PROTOCOL;
    /** Always `session_init`. */
    type: 'session_init';
  };
};

/** What an agent may send (AICC A6). */
export type AgentMessage = SessionResume | SessionClose | ManifestRequest | ToolCall | Heartbeat;
/** The types of the messages that an agent may send (AICC A6). */
export const AGENT_MESSAGE_TYPES = ['session_resume', 'session_close', 'manifest_request', 'tool_call', 'heartbeat'] as const;
/** What the bridge may send. */
export type BridgeMessage = SessionInit | SessionClose | ToolResult | EventMessage | ErrorMessage | Heartbeat;
/** Any of the nine messages. */
export type AiccMessage = AgentMessage | BridgeMessage;
