import type { Case } from './case.ts';
import { CASES } from './cases/index.ts';
import { Failure, NotJudged } from './failure.ts';
import { Site } from './site.ts';
import { STANDING_RULES, Standing, type StandingRule } from './standing.ts';
import type { Target } from './wire.ts';

type Verdict = 'pass' | 'fail' | 'not applicable';

export interface Finding {
  rule: string;
  title: string;
  verdict: Verdict;
  /** How it is broken, or why it does not apply. */
  why?: string;
}

export interface RunOptions {
  target: Target;
  /** Milliseconds for which an answer that is due is waited for. Default 15,000. */
  patienceMs?: number;
  /** Leaves out what lets more wall time pass than this. Default: nothing. */
  longestMs?: number;
  /** Whether a case is to be tried. Default: all are. */
  wants?(rule: string, title: string): boolean;
  /** Lets wall time pass for the bridge. Default: waits. */
  pass?(ms: number): Promise<void>;
  /** Told each finding as it is made. */
  report?(finding: Finding): void;
  signal?: AbortSignal;
}

const PATIENCE_MS = 15_000;
const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** Everything that a finding is made of. `by`: a case of its own, or by watching the messages of all cases; `nothing`: it is only said why not. */
export const PROMISES: readonly { rule: string; title: string; by: 'case' | 'watching' | 'nothing' }[] = [
  ...CASES.map(({ rule, title, unseen }) => ({ rule, title, by: unseen === undefined ? ('case' as const) : ('nothing' as const) })),
  ...Object.values(STANDING_RULES).map(([rule, title]) => ({ rule, title, by: 'watching' as const })),
];

/**
 * Tries every case on a bridge, one after another.
 * @returns the findings, in the order of the rules, then what every message was held against
 * @throws {Error} when there is no way in at all
 */
export async function runConformance(options: RunOptions): Promise<Finding[]> {
  const { longestMs = Number.POSITIVE_INFINITY, pass = wait, patienceMs = PATIENCE_MS, signal, target, wants = () => true } = options;
  const standing = new Standing();
  const site = new Site({ target, standing, patienceMs, pass });
  const findings: Finding[] = [];
  const note = (finding: Finding) => {
    findings.push(finding);
    options.report?.(finding);
  };

  await site.learn();
  for (const each of CASES.filter(({ rule, title }) => wants(rule, title))) {
    signal?.throwIfAborted();
    const { rule, title } = each;
    const not = whyNot(each, site, longestMs);
    if (not !== undefined) note({ rule, title, verdict: 'not applicable', why: not });
    else note({ rule, title, ...(await tried(each, site)) });
  }
  for (const [name, [rule, title]] of Object.entries(STANDING_RULES)) {
    if (wants(rule, title)) note({ rule, title, ...stood(standing, name as StandingRule) });
  }
  return findings;
}

function whyNot({ applies, on, takesMs = 0, tools = [], unseen }: Case, site: Site, longestMs: number): string | undefined {
  if (unseen !== undefined) return unseen;
  if (on?.includes(site.transport) === false) return `it is about ${on.join(' and ')}`;
  if (takesMs > longestMs) return `it takes ${takesMs / 1_000} s`;
  const missing = tools.filter((id) => site.tool(id) === undefined);
  if (missing.length > 0) return `the character has no ${missing.join(' and no ')}`;
  const why = applies?.(site) ?? true;
  return why === true ? undefined : why;
}

async function tried(each: Case, site: Site): Promise<{ verdict: Verdict; why?: string }> {
  try {
    await each.run(site);
    return { verdict: 'pass' };
  } catch (error) {
    if (error instanceof NotJudged) return { verdict: 'not applicable', why: error.message };
    const why = error instanceof Failure ? error.message : `the case itself failed: ${String(error)}`;
    return { verdict: 'fail', why };
  } finally {
    await site.leave();
  }
}

function stood(standing: Standing, name: StandingRule): { verdict: Verdict; why?: string } {
  const fault = standing.faults.get(name);
  if (fault !== undefined) return { verdict: 'fail', why: fault };
  return standing.seen.has(name) ? { verdict: 'pass' } : { verdict: 'not applicable', why: 'there was nothing to see' };
}
