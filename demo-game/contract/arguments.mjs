// @ts-check
import { readFileSync } from 'node:fs';

/** Whose character Mira is: the relay serves an agent of this id as the character of that name. */
export const GAME = 'mira';

/**
 * The demo's contract: what an agent that drives Mira may do, may know, and must ask for. Ids, parties, times and signatures are each offer's own.
 * @type {{ purpose: string, allowedActions: string[], prohibitedActions: string[], allowedData: string[], prohibitedData: string[],
 *   humanApprovalRequirements: string[], retentionDays: number, completionConditions: string[], cancellationConditions: string[] }}
 */
export const CONTRACT = JSON.parse(readFileSync(new URL('mira.json', import.meta.url), 'utf8'));

/**
 * What to tell `aicc offer` so that it writes an offer of that contract.
 * @param {string} driver the agent id of who is to drive
 * @param {string[]} more such as `--minutes 30` or `--out FILE`
 */
export function offerArguments(driver, ...more) {
  const each = (/** @type {string} */ flag, /** @type {string[]} */ values) => values.flatMap((value) => [flag, value]);
  return [
    ...['offer', 'new', '--agent', GAME, '--counterparty', driver],
    ...['--purpose', CONTRACT.purpose, '--retention-days', String(CONTRACT.retentionDays)],
    ...each('--allow', CONTRACT.allowedActions),
    ...each('--prohibit', CONTRACT.prohibitedActions),
    ...each('--approve', CONTRACT.humanApprovalRequirements),
    ...each('--data', CONTRACT.allowedData),
    ...each('--prohibit-data', CONTRACT.prohibitedData),
    ...each('--complete', CONTRACT.completionConditions),
    ...each('--cancel', CONTRACT.cancellationConditions),
    ...more,
  ];
}
