export { Endpoint } from './endpoint.ts';
export { type AiControlOptions, checkAiControl } from './endpoint-options.ts';
