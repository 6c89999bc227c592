/** What a game needs to play under session offers: `createBridge({ policyFor })`. The relay's part is in node.ts. */
export type { ContractTerms } from './contract-terms.ts';
export { policyFor } from './policy.ts';
