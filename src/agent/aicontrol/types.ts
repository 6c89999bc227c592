import type { Json, JsonObject } from '../../base/json.ts';

/** How an endpoint does (AiControl `status`). */
export interface AiControlStatus {
  /** The endpoint accepts requests. */
  running: boolean;
  /** The address it listens on. */
  host: string;
  /** The port it listens on. */
  port: number;
  /** Commands that wait. */
  queuedCommands: number;
  /** Commands that may wait. */
  maxQueuedCommands: number;
  /** Events that are kept. */
  events: number;
  /** Events that are kept at most. */
  maxEvents: number;
  /** The number of the newest observation. */
  observationSeq: number;
  /** The last protocol fault in words; empty: none. */
  lastError: string;
}

/** Something that can be done now: `type` is what `act` takes, `input` the JSON Schema of the rest. */
export interface AvailableAction {
  /** What `act` takes as `type`. */
  type: string;
  /** What the action does. */
  description: string;
  /** JSON Schema of the command's other members. */
  input: JsonObject;
}

/** What a character sees (AiControl W9). Endpoints of other games may show more or other members. */
export interface Observation {
  /** 1 for our endpoints. */
  schemaVersion: number;
  /** The character is held and can be seen. */
  ready: boolean;
  /** Actions that can be done now. */
  availableActions: AvailableAction[];
  /** The world's name. */
  world?: string;
  /** The character's id. */
  character?: string;
  /** The world's tick; give it as `observed_tick` where an action asks for it. */
  tick?: number;
  /** Sensor outputs by tool id. */
  sensors?: { [tool: string]: JsonObject };
  /** Members of other endpoints. */
  [more: string]: Json | AvailableAction[] | undefined;
}

/** An observation and its number (AiControl W9). */
export interface Observed {
  /** Grows by one each time another observation is shown. */
  observationSeq: number;
  /** What the character sees. */
  observation: Observation;
}

/** What happened to the character, or a completed command. */
export interface AiControlEvent {
  /** The topic, or `command_completed`. */
  type: string;
  /** The event's payload. */
  [more: string]: Json;
}

/** A page of an endpoint's events (AiControl W10). */
export interface EventPage {
  /** The number of the newest event, also when none is returned. */
  latestSeq: number;
  /** Events by ascending `seq`. */
  events: {
    /** The event's number; give the last one as `afterSeq` for the next page. */
    seq: number;
    /** What happened. */
    event: AiControlEvent;
  }[];
}

/** What to do; further members are input of the action too (AiControl W13, W19). */
export interface AiControlCommand {
  /** One of the observation's `availableActions`. */
  type: string;
  /** Wait for the commands before it. Default false: take the place of the running one. */
  append?: boolean;
  /** What to act on. */
  targetId?: Json;
  /** What to act with. */
  itemId?: Json;
  /** A third thing that the action needs. */
  auxId?: Json;
  /** World pixels, a whole number. */
  x?: number;
  /** World pixels, a whole number. */
  y?: number;
  /** Screen pixels, a whole number. */
  screenX?: number;
  /** Screen pixels, a whole number. */
  screenY?: number;
  /** A whole number that the action needs. */
  intArg?: number;
  /** A text that the action needs. */
  stringArg?: string;
  /** Further input of the action. */
  [more: string]: Json | undefined;
}

/** What became of a command (AiControl W12, W20). */
export interface CommandCompleted extends AiControlEvent {
  /** Always `command_completed`. */
  type: 'command_completed';
  /** The number that `act` returned. */
  commandSeq: number;
  /** Whether the command did what it says. */
  success: boolean;
  /** What came of it, in words; empty after a success. */
  message: string;
}
