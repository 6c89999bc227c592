/** A client of the AiControl line protocol, for Node. */
export type { Caused } from '../errors.ts';
export { type AiControlClient, type AiControlConnectOptions, connectAiControl } from './client.ts';
export { AiControlConnectionError, AiControlError } from './errors.ts';
export type {
  AiControlCommand,
  AiControlEvent,
  AiControlStatus,
  AvailableAction,
  CommandCompleted,
  EventPage,
  Observation,
  Observed,
} from './types.ts';
