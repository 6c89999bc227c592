export type { AgentPlace, Challenge, OpenClaspOptions } from './options.ts';
export { startOpenClasp } from './start.ts';
export { readRegistry } from './trust.ts';
