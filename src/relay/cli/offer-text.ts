import { type Brief, endOf, type Insight, type Offer } from '../../contract/node.ts';

/** What an operator wants to know of an offer, above all its brief and insights (T17). Never for the driver. */
export function describeOffer(offer: Offer): string {
  const { agentId, contract, counterparty, counterpartyBrief, privateInsights } = offer;
  const end = endOf(offer);
  return [
    `${shown(counterparty.name)} (${shown(counterparty.agentId)}, version ${shown(counterparty.agentVersion)}) may drive ${shown(agentId)}`,
    row('offer', offer.offerId),
    row('interaction', offer.interactionId),
    row('purpose', contract.purpose),
    row('outcome', contract.requestedOutcome),
    row('ends', `${new Date(end.atMs).toISOString()} (${end.by})`),
    row('may do', list(contract.allowedActions)),
    row('must not do', list(contract.prohibitedActions)),
    row('asks first', list(contract.humanApprovalRequirements)),
    row('may know', list([...new Set(['public', ...contract.allowedData])].filter((name) => !contract.prohibitedData.includes(name)))),
    row('must not know', list(contract.prohibitedData)),
    row('completed by', list(contract.completionConditions)),
    row('cancelled by', list(contract.cancellationConditions)),
    row('kept for', `${contract.retentionDays} days`),
    row('signed by', list(Object.keys(contract.signatures))),
    '',
    ...(counterpartyBrief === undefined ? ['No brief.'] : describeBrief(counterpartyBrief)),
    '',
    ...(privateInsights.length === 0 ? ['No insights.'] : ['Insights:', ...privateInsights.map(describeInsight)]),
  ].join('\n');
}

function describeBrief(brief: Brief): string[] {
  const { decision, historyConfidence, insights, recommendedContractChanges, relevantSampleSize, requirements } = brief;
  return [
    `Brief about ${shown(brief.subjectAgentId)}: ${decision}${brief.signature === undefined ? ' (not signed)' : ''}`,
    row('history', `${relevantSampleSize} interactions, confidence ${historyConfidence}`),
    row('until', brief.expiresAt),
    ...requirements.map(
      ({ confidence, kind, reason, requirement, status }) =>
        `  ${status} (${kind}, confidence ${confidence}): ${shown(requirement)} – ${shown(reason)}`,
    ),
    ...insights.map(describeInsight),
    ...recommendedContractChanges.map((change) => `  recommends: ${shown(change)}`),
  ];
}

function describeInsight({ code, confidence, message, severity }: Insight): string {
  return `  ${severity}: ${shown(message)} (${shown(code)}${confidence === undefined ? '' : `, confidence ${confidence}`})`;
}

const row = (name: string, text: string): string => `  ${name.padEnd(14)}${shown(text)}`;
const list = (names: readonly string[]): string => (names.length === 0 ? '–' : names.join(', '));

/** Somebody else wrote it: what would move a terminal's cursor, or turn its text around, is shown as its number. */
function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`);
}
