export { type AiControl, type AiControlOptions, checkAiControl, startAiControl } from './start.ts';
