export { type Finding, PROMISES, type RunOptions, runConformance } from './run.ts';
export { tcpTarget } from './tcp-target.ts';
export { webSocketTarget } from './web-socket-target.ts';
export type { Ending, Handshake, Target, Transport, Wire } from './wire.ts';
