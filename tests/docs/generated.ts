import { ERROR_CODES, LIMITS } from '../../src/protocol/index.ts';
import { JumpClock } from '../conformance/jump-clock.ts';
import { referenceTools } from '../conformance/reference-tools.ts';
import { runSituations } from './situations.ts';

const mebibytes = (bytes: number) => (bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes / 1_024} KiB`);
const seconds = (ms: number) => `${ms / 1_000} s`;

const LIMIT_ROWS: [what: string, most: string, then: string][] = [
  ['one message', `${mebibytes(LIMITS.messageBytes)} of JSON`, 'closed with 1009; TCP hears an `error` first'],
  ['nesting of one message', `${LIMITS.messageDepth} levels`, '`error`, `invalid_input`'],
  ['refused messages', `${LIMITS.faults} within ${seconds(LIMITS.faultWindowMs)}`, 'closed with 1008'],
  ['a connection without a session', seconds(LIMITS.openDeadlineMs), 'closed'],
  ['`wait_ms`', seconds(LIMITS.maxWaitMs), '`error`, `invalid_input`'],
  ['`manifest_request` and `session_resume`', `${LIMITS.manifestRequestsPerSecond} a second`, '`error`, `tool_unavailable`'],
  ['connections that resume one session', `${LIMITS.resumesPerSecond} a second`, '`error`, `tool_unavailable`, try again'],
  ['answers to your heartbeats', `1 in ${seconds(LIMITS.heartbeatAnswerMs)}`, 'no answer'],
  ['`call_id`', `${LIMITS.callIdLength} characters`, '`error`, `invalid_input`'],
  ['pending calls of a session', `${LIMITS.pendingCalls}, ${mebibytes(LIMITS.pendingCallBytes)}`, '`tool_unavailable`, try again'],
  [
    'calls waiting for a `queue` lane',
    `${LIMITS.laneQueue}, each ${seconds(LIMITS.laneQueueMs)}`,
    '`tool_unavailable`, try again; `timeout`',
  ],
  ['a call, unless its tool says otherwise', `${seconds(LIMITS.toolMs)} of world time`, '`timeout`'],
  ['any call', `${seconds(LIMITS.callWallMs)} of wall time, pauses not counted`, '`timeout`'],
  ['one pause of a running call', `${LIMITS.pausedCallMs / 3_600_000} hours`, '`timeout`'],
  ['a person’s approval', seconds(LIMITS.approvalMs), '`tool_unavailable`, for good'],
  ['a snapshot’s sensors', mebibytes(LIMITS.snapshotBytes), 'left out, named in `omitted`'],
  ['the rest of a snapshot', mebibytes(LIMITS.snapshotTextBytes), 'named in `omitted`, counted in `more_omitted` and `omitted_units`'],
  ['results kept for a resume', `${LIMITS.retainedResults}, ${mebibytes(LIMITS.retainedResultBytes)}`, 'the oldest go'],
  [
    'events kept for a resume',
    `${LIMITS.retainedEvents}, ${mebibytes(LIMITS.retainedEventBytes)}`,
    'the oldest go; the next says how many in `meta.dropped`',
  ],
  ['what is repeated or waited', `${mebibytes(LIMITS.backlogBytes)} in ${LIMITS.backlogMs} ms`, 'the rest comes later, once'],
  ['unsent events while connected', String(LIMITS.queuedEvents), 'the same'],
  ['spectators of a character', String(LIMITS.spectators), '`error`, `tool_unavailable`, try again'],
  ['a session without its connection', seconds(LIMITS.detachedMs), 'over; after 5 s it gives way to another agent'],
  ['a character without its body', seconds(LIMITS.rebindMs), 'its sessions are closed'],
  ['what you leave unread', mebibytes(LIMITS.outboundBytes), 'closed with 1013: resume'],
];

/** The parts of docs/protocol.md that are made, by name. */
export async function generatedParts(): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  for (const [name, text] of await runSituations()) parts.set(name.replaceAll('_', ' '), `\`\`\`\n${text}\n\`\`\``);
  parts.set('limits', table(['what', 'at most', 'beyond'], LIMIT_ROWS));
  parts.set('conformance tools', conformanceTools());
  return parts;
}

export const errorCodes = Object.keys(ERROR_CODES);

function conformanceTools(): string {
  const stage = {
    clock: new JumpClock(),
    slot: () => {
      throw new Error('nothing runs here');
    },
    told: [],
    loseBody() {},
  };
  const rows = referenceTools(stage).map(({ description, id }) => [`\`${id}\``, description]);
  return table(['tool', 'what it does'], rows);
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
