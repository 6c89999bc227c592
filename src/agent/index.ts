/** The agent's side of AICC, for browsers; Node's entry (`node.ts`) has the same names and reaches TCP too. */
export type {
  CatalogueTool,
  ErrorCode,
  Json,
  JsonObject,
  ModelClass,
  ModelDeclaration,
  Reason,
  Topic,
} from '../protocol/index.ts';
export type { Channel, ChannelEnd } from '../transport/index.ts';
export type { Brain } from './brain.ts';
export type { CallOptions } from './calls.ts';
export { attach, type ConnectOptions, connect } from './connect.ts';
export { CallError, ConnectError } from './errors.ts';
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
