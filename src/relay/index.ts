export type { AiControlOptions } from './aicontrol/index.ts';
export type { AgentPlace, Challenge, OpenClaspOptions } from './openclasp/index.ts';
export { RelayError, type RelayErrorCode } from './relay-error.ts';
export { RELAY_LIMITS, type RelayLimits } from './relay-limits.ts';
export type { RelayOptions } from './relay-options.ts';
export { type Relay, startRelay } from './start-relay.ts';
export type { TokenOptions } from './tokens.ts';
export type { WorldInfo } from './worlds.ts';
