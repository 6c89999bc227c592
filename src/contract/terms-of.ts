import type { ContractTerms } from './contract-terms.ts';
import { endOf } from './judge-offer.ts';
import type { Offer } from './messages.ts';

/** What of a judged offer rules its session in the game. `fromPlatform`: its whole body was signed, what stands outside the contract too (T15). */
export function termsOf(offer: Offer, fromPlatform: boolean): ContractTerms {
  const { contract } = offer;
  const end = endOf(offer);
  return {
    version: 1,
    interactionId: offer.interactionId,
    contractHash: offer.contractHash,
    allowedActions: contract.allowedActions,
    prohibitedActions: contract.prohibitedActions,
    allowedData: contract.allowedData,
    prohibitedData: contract.prohibitedData,
    approvals: contract.humanApprovalRequirements,
    endsAt: end.atMs,
    endsBy: end.by,
    completionConditions: contract.completionConditions,
    cancellationConditions: contract.cancellationConditions,
    retentionDays: contract.retentionDays,
    capabilities: fromPlatform ? offer.counterparty.capabilities : [],
  };
}
