/** The agent's side of AICC, for browsers; Node's entry (`node.ts`) has the same names and reaches TCP too. */
export type { Json, JsonObject } from '../base/json.ts';
export type { CatalogueTool, ErrorCode, ModelClass, ModelDeclaration, Reason, Topic } from '../protocol/index.ts';
export type { Channel, ChannelEnd } from '../transport/index.ts';
export type { Brain } from './brain.ts';
export type { CallOptions } from './calls.ts';
export type { AnyCatalogue, CallArguments, CallOutput, ToolId } from './catalogue.ts';
export { attach, type ConnectOptions, connect, drive } from './connect.ts';
export type { DriveOptions, Play } from './drive.ts';
export { CallError, type CallFailure, ConnectError } from './errors.ts';
export type {
  AgentMessagePayload,
  AudioPayload,
  CollisionPayload,
  EventPayloads,
  SessionListeners,
  Snapshot,
  StateChangePayload,
  TickPayload,
} from './events.ts';
export type { OpeningOptions } from './open-session.ts';
export type { Session } from './session.ts';
