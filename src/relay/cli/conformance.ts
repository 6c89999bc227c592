import { socketFailure } from '../../agent/socket-failure.ts';
import {
  type Finding,
  PROMISES,
  type RunOptions,
  runConformance,
  type Target,
  tcpTarget,
  webSocketTarget,
} from '../../conformance/index.ts';
import type { Command, Given } from './command.ts';
import { conformanceUrl } from './conformance-url.ts';
import { line, UsageError } from './io.ts';
import { tokenOf } from './reach.ts';

/** What lets more wall time pass than this is left out unless `--all` asks for it. */
const LONGEST_MS = 25_000;

const MARKS = { pass: 'pass', fail: 'FAIL', 'not applicable': 'n/a ' } as const;

export const conformance: Command = {
  summary: 'try a bridge against the rules of AICC, one by one',
  help: `aicc conformance URL [options]
Opens sessions of one character and tries every rule of AICC 0.1 that can be seen from outside.
Prints rule by rule: pass, fail or not applicable. Exit code 1 when any rule fails.
URL is ws://HOST:PORT/agent?world=NAME&character=ID or tcp://HOST:PORT?world=NAME&character=ID.
It calls the character's sensors that need no input, and tools whose names begin with conformance_:
docs/protocol.md says which of these let more rules apply. The character must be free.

  --rules LIST       only these, like A3,C5
  --all              also what takes longer than ${LONGEST_MS / 1_000} s
  --patience SECONDS how long an answer may take, default 15
  --token-file FILE  a file with the token (default: AICC_TOKEN)
  --json             the findings as one JSON array`,
  options: {
    rules: { type: 'string' },
    all: { type: 'boolean' },
    patience: { type: 'string' },
    'token-file': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(given, io) {
    given.expectWords('URL');
    const target = targetOf(given, await tokenOf(given, io));
    const patienceMs = given.milliseconds('patience', 600);
    const isForMachines = given.flag('json');
    const findings = await runConformance({
      target,
      signal: io.interrupted,
      ...(patienceMs !== undefined && { patienceMs }),
      ...(!given.flag('all') && { longestMs: LONGEST_MS }),
      ...rulesOf(given),
      report: (finding) => !isForMachines && line(io.stdout, describe(finding)),
    }).catch((error: Error) => {
      if (io.interrupted.aborted) throw error;
      throw new Error(`cannot begin at ${given.words[0]}: ${socketFailure(error)}`, { cause: error });
    });
    line(io.stdout, isForMachines ? JSON.stringify(findings) : summary(findings));
    return findings.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
  },
};

function targetOf(given: Given, token: string | undefined): Target {
  const { at, ...where } = conformanceUrl(given.words[0] ?? '');
  return 'url' in at ? webSocketTarget(at.url, { ...where, token }) : tcpTarget(at.host, at.port, { ...where, token });
}

/** @throws {UsageError} for a rule that has no case: trying nothing must not look like success */
function rulesOf(given: Given): Pick<RunOptions, 'wants'> {
  const text = given.text('rules');
  if (text === undefined) return {};
  const rules = text.split(',').map((rule) => rule.trim().toUpperCase());
  const unknown = rules.find((rule) => !PROMISES.some((promise) => promise.rule === rule));
  if (unknown !== undefined)
    throw new UsageError(
      `--rules: there is no case for "${unknown}"; there are ${[...new Set(PROMISES.map(({ rule }) => rule))].join(', ')}`,
    );
  return { wants: (rule) => rules.includes(rule) };
}

function describe({ rule, title, verdict, why }: Finding): string {
  return `${MARKS[verdict]}  ${rule.padEnd(4)} ${title}${why === undefined ? '' : `\n           ${why}`}`;
}

function summary(findings: Finding[]): string {
  const count = (wanted: Finding['verdict']) => findings.filter(({ verdict }) => verdict === wanted).length;
  return `\n${count('pass')} passed, ${count('fail')} failed, ${count('not applicable')} not applicable`;
}
