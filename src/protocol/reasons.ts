/**
 * Why a call failed, for code to act on: `meta.reason` of its result (AICC D15). These are the bridge's and the kit's own; a game's tools may
 * give others, and a failure that has none gives its code.
 */
export const REASONS = [
  // The bridge's, in the order of AICC D.
  'no_capability',
  'forbidden',
  'closed',
  'gone',
  'paused',
  'control_lost',
  'unavailable',
  'limit',
  'stale',
  'unapproved',
  'busy',
  'queue_full',
  'preempted',
  'cancelled',
  'unverified',
  'too_late',
  'standing_still',
  // The kit's.
  'unreachable',
  'blocked',
  'partial',
  'gave_up',
  'out_of_reach',
  'hidden',
  'immovable',
  'no_target',
  'does_not_fit',
  'no_body',
  'no_map',
  'disabled',
  'interrupted',
] as const;

/** One of these, or a word of the game's own. */
export type Reason = (typeof REASONS)[number] | (string & {});
