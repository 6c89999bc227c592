import type { Json, JsonObject } from '../base/json.ts';
/** The nine AICC 0.1 messages as TypeScript types. The schema beside this file decides what is valid; a test keeps the two in step. */
import type { ErrorCode } from './errors.ts';

export const PROTOCOL = 'aicc/0.1';
/** Stands for "no session yet" (AICC A7, B3). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

export const TICK_MODES = ['fixed', 'event', 'hybrid'] as const;
export type TickMode = (typeof TICK_MODES)[number];
export const WORLD_KINDS = ['2d', '3d', 'text', 'abstract'] as const;
export type WorldKind = (typeof WORLD_KINDS)[number];
export const MODEL_CLASSES = ['edge_small', 'edge_medium', 'cloud_medium', 'cloud_large'] as const;
export type ModelClass = (typeof MODEL_CLASSES)[number];
export const TOOL_CLASSES = ['sensor', 'actuator', 'generator'] as const;
export type ToolClass = (typeof TOOL_CLASSES)[number];
export const TOPICS = ['tick', 'collision', 'audio', 'state_change', 'agent_message'] as const;
export type Topic = (typeof TOPICS)[number];

interface Envelope<T extends string> {
  protocol: typeof PROTOCOL;
  type: T;
  session_id: string;
  message_id: string;
}

/** What went wrong, as it stands on the wire. */
export interface WireError {
  code: ErrorCode;
  message: string;
  retryable: boolean;
}

/** Members the bridge adds to results and events (AICC D15, F2). */
export interface Meta {
  tick?: number;
  latency_ms?: number;
  source?: string;
  seq?: number;
  [more: string]: Json | undefined;
}

export interface ModelDeclaration {
  class: ModelClass;
  /** Milliseconds of wall time. */
  expected_first_token_ms?: number;
  /** Milliseconds of wall time for one whole decision. */
  expected_full_response_ms?: number;
}

/** One tool as the catalogue lists it. */
export interface CatalogueTool {
  id: string;
  class: ToolClass;
  description: string;
  input_schema: JsonObject;
  output_schema: JsonObject;
  limits?: { calls_per_minute?: number; calls_per_session?: number };
  requires_capability?: string;
  strict_input?: boolean;
}

/** Reserved capability names that the catalogue uses, by class (AICC G1). */
export interface Capabilities {
  sensors: string[];
  actuators: string[];
  generators: string[];
}

/** What a session may do: the session_init members without the ids; also a heartbeat's `manifest_update`. */
export interface Manifest {
  tick_rate_hz: number;
  tick_mode: TickMode;
  world: { name: string; kind: WorldKind };
  agent_model: ModelDeclaration;
  capabilities: Capabilities;
  tools: CatalogueTool[];
  event_subscriptions?: string[];
}

export type SessionInit = Envelope<'session_init'> & Manifest;
export type SessionResume = Envelope<'session_resume'>;
export type SessionClose = Envelope<'session_close'> & { reason?: string };
export type ManifestRequest = Envelope<'manifest_request'>;
export type ToolCall = Envelope<'tool_call'> & { call_id: string; tool: string; input: JsonObject };
export type ToolResult = Envelope<'tool_result'> & { call_id: string; ok: boolean; output?: JsonObject; error?: WireError; meta?: Meta };
export type EventMessage = Envelope<'event'> & { topic: Topic; payload: JsonObject; meta?: Meta };
export type ErrorMessage = Envelope<'error'> & { error: WireError };
export type Heartbeat = Envelope<'heartbeat'> & { manifest_update?: Manifest & { protocol: typeof PROTOCOL; type: 'session_init' } };

/** What an agent may send (AICC A6). */
export type AgentMessage = SessionResume | SessionClose | ManifestRequest | ToolCall | Heartbeat;
export const AGENT_MESSAGE_TYPES = ['session_resume', 'session_close', 'manifest_request', 'tool_call', 'heartbeat'] as const;
/** What the bridge may send. */
export type BridgeMessage = SessionInit | SessionClose | ToolResult | EventMessage | ErrorMessage | Heartbeat;
export type AiccMessage = AgentMessage | BridgeMessage;
