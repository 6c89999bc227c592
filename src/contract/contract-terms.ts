import type { JsonObject } from '../base/json.ts';

/**
 * What of an offer rules a session in the game. Plain JSON: it travels in the game link's open request. The relay has judged the offer by then; who
 * is who, signatures and insights stay there.
 */
export interface ContractTerms {
  /** The version of this shape. */
  version: 1;
  /** Names the interaction. */
  interactionId: string;
  /** Names the contract in the game's own records. */
  contractHash: string;
  /** T9: tool ids, or reserved capabilities for all their tools. */
  allowedActions: string[];
  /** T9: the same, refused even when allowed. */
  prohibitedActions: string[];
  /** T10: data classes that the session may know. */
  allowedData: string[];
  /** T10: data classes that must not leave the bridge. */
  prohibitedData: string[];
  /** T11: what a person must approve. */
  approvals: string[];
  /** T12: when the interaction ends, in milliseconds since 1970. */
  endsAt: number;
  /** T12: which of the two ends it. */
  endsBy: 'deadline' | 'expiresAt';
  /** T13: game conditions that complete the interaction. */
  completionConditions: string[];
  /** T13: game conditions that cancel the interaction. */
  cancellationConditions: string[];
  /** T14: days for which payloads may be kept on disk. */
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
