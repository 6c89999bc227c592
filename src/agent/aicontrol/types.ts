/** How an endpoint does (AiControl `status`). */
import type { Json, JsonObject } from '../../base/json.ts';
export interface AiControlStatus {
  running: boolean;
  host: string;
  port: number;
  /** Commands that wait, and how many may. */
  queuedCommands: number;
  maxQueuedCommands: number;
  /** Events that are kept, and how many are at most. */
  events: number;
  maxEvents: number;
  observationSeq: number;
  /** The last protocol fault in words; empty: none. */
  lastError: string;
}

/** Something that can be done now: `type` is what `act` takes, `input` the JSON Schema of the rest. */
export interface AvailableAction {
  type: string;
  description: string;
  input: JsonObject;
}

/** What a character sees (AiControl W9). Endpoints of other games may show more or other members. */
export interface Observation {
  schemaVersion: number;
  /** The character is held and can be seen. */
  ready: boolean;
  availableActions: AvailableAction[];
  world?: string;
  character?: string;
  tick?: number;
  /** Sensor outputs by tool id. */
  sensors?: { [tool: string]: JsonObject };
  [more: string]: Json | AvailableAction[] | undefined;
}

export interface Observed {
  /** Grows by one each time another observation is shown. */
  observationSeq: number;
  observation: Observation;
}

/** What happened to the character, or a completed command. */
export interface AiControlEvent {
  type: string;
  [more: string]: Json;
}

export interface EventPage {
  latestSeq: number;
  events: { seq: number; event: AiControlEvent }[];
}

/** What to do; further members are input of the action too (AiControl W13, W19). */
export interface AiControlCommand {
  /** One of the observation's `availableActions`. */
  type: string;
  /** Wait for the commands before it. Default false: take the place of the running one. */
  append?: boolean;
  targetId?: Json;
  itemId?: Json;
  auxId?: Json;
  /** Whole numbers. */
  x?: number;
  y?: number;
  screenX?: number;
  screenY?: number;
  intArg?: number;
  stringArg?: string;
  [more: string]: Json | undefined;
}

/** What became of a command (AiControl W12, W20). */
export interface CommandCompleted extends AiControlEvent {
  type: 'command_completed';
  commandSeq: number;
  success: boolean;
  message: string;
}
