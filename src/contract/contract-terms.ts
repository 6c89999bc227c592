/**
 * What of an offer rules a session in the game. Plain JSON: it travels in the game link's open request. The relay has judged the offer by then; who
 * is who, signatures and insights stay there.
 */
import type { JsonObject } from '../base/json.ts';
export interface ContractTerms {
  version: 1;
  interactionId: string;
  /** Names the contract in the game's own records. */
  contractHash: string;
  /** T9: tool ids, or reserved capabilities for all their tools. */
  allowedActions: string[];
  prohibitedActions: string[];
  /** T10 */
  allowedData: string[];
  prohibitedData: string[];
  /** T11: what a person must approve. */
  approvals: string[];
  /** T12: milliseconds since 1970, and which of the two it is. */
  endsAt: number;
  endsBy: 'deadline' | 'expiresAt';
  /** T13 */
  completionConditions: string[];
  cancellationConditions: string[];
  /** T14 */
  retentionDays: number;
  /** T15: held beside what the allowed tools require. */
  capabilities: string[];
}

const LISTS = [
  'allowedActions',
  'prohibitedActions',
  'allowedData',
  'prohibitedData',
  'approvals',
  'completionConditions',
  'cancellationConditions',
  'capabilities',
] as const;

/**
 * Terms as they came over the game link.
 * @throws {TypeError} for what a relay of another version may have sent: a contract that is not understood must not be played under
 */
export function readTerms(value: JsonObject): ContractTerms {
  const isNumber = (name: string) => Number.isFinite(value[name]);
  const isText = (name: string) => typeof value[name] === 'string';
  const isList = (name: string) => {
    const list = value[name];
    return Array.isArray(list) && list.every((each) => typeof each === 'string');
  };
  const isKnown =
    value.version === 1 &&
    isText('interactionId') &&
    isText('contractHash') &&
    isNumber('endsAt') &&
    isNumber('retentionDays') &&
    (value.endsBy === 'deadline' || value.endsBy === 'expiresAt') &&
    LISTS.every(isList);
  if (!isKnown) throw new TypeError('the terms of this contract are not understood: the relay must be of the same version as the game');
  return value as unknown as ContractTerms;
}
