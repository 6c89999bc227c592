export type { Channel, ChannelEnd } from './channel.ts';
export { type Door, type DoorOptions, openDoor } from './door.ts';
export type { DoorPlace } from './doorstep.ts';
export { decodeFrame, encodeLines, FrameBatcher } from './game-frame.ts';
export { memoryPair } from './memory.ts';
export { isRefusal, type Opener, type Principal, type WorldRequest } from './opener.ts';
export { CROWDED } from './opening.ts';
export { type Silence, watchSilence } from './silence.ts';
export { webSocketChannel } from './web-socket.ts';
