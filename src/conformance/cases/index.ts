import type { Case } from '../case.ts';
import { CALL_CHECKS } from './call-checks.ts';
import { CALL_RUNS } from './call-runs.ts';
import { EVENTS } from './events.ts';
import { FLOW } from './flow.ts';
import { FRAMING } from './framing.ts';
import { OPENING } from './opening.ts';
import { SESSION_LIFE } from './session-life.ts';
import { TICK_MODES } from './tick-modes.ts';
import { UNSEEN } from './unseen.ts';

const byRule = (a: Case, b: Case) => a.rule.localeCompare(b.rule, 'en', { numeric: true });

/** Every case, in the order of the rules. */
export const CASES: readonly Case[] = [
  ...FRAMING,
  ...OPENING,
  ...SESSION_LIFE,
  ...CALL_CHECKS,
  ...CALL_RUNS,
  ...TICK_MODES,
  ...EVENTS,
  ...FLOW,
  ...UNSEEN,
].sort(byRule);
