/** Drivers for characters that live in the game's page. */
export type { Brain } from '../agent/index.ts';
export { type BehaviourTreeOptions, behaviourTree, State } from './behaviour-tree.ts';
export { type BrainSpec, defineBrain } from './define-brain.ts';
