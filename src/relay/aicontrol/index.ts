export { type AiControl, type AiControlOptions, type AiControlSurroundings, checkAiControl, startAiControl } from './start.ts';
