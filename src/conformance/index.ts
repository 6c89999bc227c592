export { type Finding, PROMISES, type RunOptions, runConformance, type Verdict } from './run.ts';
export { tcpTarget } from './tcp-target.ts';
export { type TargetOptions, webSocketTarget } from './web-socket-target.ts';
export type { Ending, Handshake, Target, Transport, Wire, WireEvents } from './wire.ts';
