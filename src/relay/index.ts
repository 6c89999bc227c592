export type { AiControlOptions } from './aicontrol/endpoint-options.ts';
export type { AgentPlace, Challenge, OpenClaspOptions } from './openclasp/options.ts';
export { type Relay, startRelay } from './relay.ts';
export { RelayError, type RelayErrorCode } from './relay-error.ts';
export { RELAY_LIMITS, type RelayLimits } from './relay-limits.ts';
export type { RelayOptions } from './relay-options.ts';
export type { TokenOptions } from './tokens.ts';
export type { WorldInfo } from './worlds.ts';
