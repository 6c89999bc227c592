export { type OpenClasp, startOpenClasp } from './start.ts';
export { readRegistry } from './trust.ts';
