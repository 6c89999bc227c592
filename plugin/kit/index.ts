/** `phaser-aicc/kit`: ready-made tools. Each function returns a tool for a character's `tools`. */
export { type BodyOptions, body } from './body.ts';
export { controls } from './controls.ts';
export { doing } from './doing.ts';
export { face } from './face.ts';
export { type Interaction, type InteractOptions, interact } from './interact.ts';
export { type MoveToOptions, moveTo } from './move-to.ts';
export { type SayOptions, say } from './say.ts';
export { stop } from './stop.ts';
export { type VisionOptions, vision } from './vision.ts';
