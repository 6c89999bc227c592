export type { AgentPlace, Challenge, OpenClaspOptions } from './options.ts';
export { type OpenClasp, startOpenClasp } from './start.ts';
export { readRegistry } from './trust.ts';
