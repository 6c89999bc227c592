/** Ready-made drivers for characters. */
export type { Brain } from '../agent/index.ts';
export { type BehaviourTreeOptions, behaviourTree, State } from './behaviour-tree.ts';
