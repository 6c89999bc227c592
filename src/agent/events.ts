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

/** One step of the world (AICC E4). */
export type TickPayload = {
  /** The tick's number; it grows by one each tick, and ticks may be left out. */
  tick: number;
  /** World time since the world began, in milliseconds. */
  time_ms: number;
  /** World time since the last tick that this session got, in milliseconds. */
  dt_ms: number;
  /** The world as the character senses it. */
  snapshot?: Snapshot;
};
/** A body touched another (AICC F2). */
export type CollisionPayload = JsonObject & {
  /** What was touched, usually its id. */
  with: Json;
  /** Where, usually `{x, y}` in world pixels. */
  at: Json;
  /** The direction away from what was touched, where the game tells it. */
  normal?: Json;
};
/** Something heard; `distance` in world pixels, `bearing` in radians (AICC F2). */
export type AudioPayload = JsonObject & {
  /** Words, or another sound. */
  kind: 'speech' | 'sound';
  /** Who or what makes it. */
  from: string;
  /** The words of speech. */
  text?: string;
  /** World pixels from the hearer. */
  distance: number;
  /** Radians from the hearer; 0 is +x, clockwise on the screen. */
  bearing: number;
  /** From 0 to 1. */
  loudness: number;
};
/** What happened to the character or in the game; `kind` says what (AICC F1). */
export type StateChangePayload = JsonObject & {
  /** What happened: `progress`, `decision`, `control_lost`, …, or a word of the game's own. */
  kind: string;
};
/** Words addressed to this character (AICC F2). */
export type AgentMessagePayload = JsonObject & {
  /** Who speaks: `player`, or a character's id. */
  from: string;
  /** The words. */
  text: string;
};

/** Payloads by topic. */
export interface EventPayloads {
  /** The world made a step; subscribe to `tick` to get it. */
  tick: TickPayload;
  /** The character touched something. */
  collision: CollisionPayload;
  /** The character heard something. */
  audio: AudioPayload;
  /** Something happened to the character or in the game. */
  state_change: StateChangePayload;
  /** Somebody spoke to the character. */
  agent_message: AgentMessagePayload;
}

/** What a session tells its listeners, and with which arguments. */
export interface SessionListeners {
  /** The world made a step; subscribe to `tick` to get it. */
  tick: (payload: TickPayload, meta: Meta) => void;
  /** The character touched something. */
  collision: (payload: CollisionPayload, meta: Meta) => void;
  /** The character heard something. */
  audio: (payload: AudioPayload, meta: Meta) => void;
  /** Something happened to the character or in the game. */
  state_change: (payload: StateChangePayload, meta: Meta) => void;
  /** Somebody spoke to the character. */
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
