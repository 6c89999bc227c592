import type { Case } from '../case.ts';
import { CALL_CHECKS } from './call-checks.ts';
import { CALL_RUNS } from './call-runs.ts';
import { EVENTS } from './events.ts';
import { FRAMING } from './framing.ts';
import { OPENING } from './opening.ts';
import { SESSION_LIFE } from './session-life.ts';

const byRule = (a: Case, b: Case) => a.rule.localeCompare(b.rule, 'en', { numeric: true });

/** Every case, in the order of the rules. */
export const CASES: readonly Case[] = [...FRAMING, ...OPENING, ...SESSION_LIFE, ...CALL_CHECKS, ...CALL_RUNS, ...EVENTS].sort(byRule);
