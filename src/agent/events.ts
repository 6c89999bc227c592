import type { Json, JsonObject } from '../base/json.ts';
import type { CatalogueTool, Meta } from '../protocol/index.ts';
import type { ChannelEnd } from '../transport/index.ts';

/** The world as this character senses it (AICC E4): what each snapshot sensor gave, and why a tool cannot be used now. */
export type Snapshot = JsonObject & {
  /** Outputs of the sensors marked `snapshot`, by tool id. */
  sensors?: { [tool: string]: JsonObject };
  /** Tools that are not available now, and why. */
  available?: { [tool: string]: string };
};

/** One step of the world (AICC E4). `time_ms` and `dt_ms` are world time. */
export type TickPayload = { tick: number; time_ms: number; dt_ms: number; snapshot?: Snapshot };
/** A body touched another (AICC F2). */
export type CollisionPayload = JsonObject & { with: Json; at: Json; normal?: Json };
/** Something heard; `distance` in world pixels, `bearing` in radians (AICC F2). */
export type AudioPayload = JsonObject & {
  kind: 'speech' | 'sound';
  from: string;
  text?: string;
  distance: number;
  bearing: number;
  loudness: number;
};
/** What happened to the character or in the game; `kind` says what (AICC F1). */
export type StateChangePayload = JsonObject & { kind: string };
/** Words addressed to this character (AICC F2). */
export type AgentMessagePayload = JsonObject & { from: string; text: string };

/** Payloads by topic. */
export interface EventPayloads {
  tick: TickPayload;
  collision: CollisionPayload;
  audio: AudioPayload;
  state_change: StateChangePayload;
  agent_message: AgentMessagePayload;
}

/** What a session tells its listeners, and with which arguments. */
export interface SessionListeners {
  tick: (payload: TickPayload, meta: Meta) => void;
  collision: (payload: CollisionPayload, meta: Meta) => void;
  audio: (payload: AudioPayload, meta: Meta) => void;
  state_change: (payload: StateChangePayload, meta: Meta) => void;
  agent_message: (payload: AgentMessagePayload, meta: Meta) => void;
  /** The catalogue changed (AICC C3). */
  tools: (tools: readonly CatalogueTool[]) => void;
  /** The connection was lost; it is being made anew (AICC C5). Calls wait for it. Then comes `resumed` or `close`. */
  lost: (end: ChannelEnd) => void;
  /** The session goes on where it was: results and events that were on their way have not been lost. */
  resumed: () => void;
  /** The session is over; told once. */
  close: (end: ChannelEnd) => void;
  /** The bridge reported a problem, sent something off the protocol, or a listener of yours threw. The session goes on. */
  error: (error: Error) => void;
}
